import type { Work } from '#core/database';
import { type Actor, isoTime, newId } from '#core/kernel';
import type { OwnerKeyRow } from '#core/records/vault';
import { auditFields, type CustomerInput, checkIdentifiable, columnsOf, nameKeyOf } from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import type { ExternalId } from './records.ts';
import { CUSTOMERS, type CustomerRow, EXTERNAL_IDS, PAYMENT_METHODS } from './schema.ts';
import { updateSearchWords } from './search-words.ts';

/** A customer that was checked but not written, with the key of its payment methods. */
interface PreparedCustomer {
  readonly row: CustomerRow;
  readonly owner: OwnerKeyRow;
}

const BLANK = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  address: null,
  notes: null,
  metadata: null,
};

/** Checks a new customer and creates its key. @throws ServiceError REQUIRED_FIELD_MISSING without a name, company or email address. */
export async function prepareCustomer(
  deps: Dependencies,
  { tenantId }: Pick<Actor, 'tenantId'>,
  merchantId: string,
  input: CustomerInput,
): Promise<PreparedCustomer> {
  const now = deps.clockOf(tenantId).now();
  const at = isoTime(now);
  const columns = { ...BLANK, ...columnsOf(input) };
  const row: CustomerRow = {
    ...columns,
    name_key: nameKeyOf(columns),
    tenant_id: tenantId,
    id: newId('cus', now),
    merchant_id: merchantId,
    default_method_id: null,
    deleted_at: null,
    created_at: at,
    updated_at: at,
  };
  checkIdentifiable(row);
  return { row, owner: await deps.vault.newOwner(tenantId, row.id) };
}

/** Writes a new customer with its key, search words and audit entry. */
export async function insertCustomer(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { row, owner }: PreparedCustomer,
  external: ExternalId | null = null,
): Promise<void> {
  work.insert(CUSTOMERS, row);
  deps.vault.insertOwner(work, owner);
  if (external !== null) insertExternalId(work, row, external);
  await updateSearchWords(work, row, []);
  const after = external === null ? auditFields(row) : { ...auditFields(row), externalId: external.id };
  deps.audit(work, { actor, action: 'customer.created', resource: `customers/${row.id}`, merchantId: row.merchant_id, after });
  work.afterCommit(() => deps.changed(actor.tenantId, 'customers', row.merchant_id));
}

/** Adds the identifier of a customer at an earlier provider, by which it is then found, unless it is known already. */
export async function addExternalId(deps: Dependencies, work: Work, row: CustomerRow, external: ExternalId): Promise<void> {
  const { merchant_id } = row;
  if (await work.one(EXTERNAL_IDS, { merchant_id, source: external.source, external_id: external.id })) return;
  insertExternalId(work, row, external);
  await updateSearchWords(work, row, await work.find(PAYMENT_METHODS, { customer_id: row.id }));
  work.afterCommit(() => deps.changed(row.tenant_id, 'customers', row.merchant_id));
}

function insertExternalId(work: Work, { tenant_id, merchant_id, id, created_at }: CustomerRow, external: ExternalId): void {
  work.insert(EXTERNAL_IDS, { tenant_id, merchant_id, source: external.source, external_id: external.id, customer_id: id, created_at });
}
