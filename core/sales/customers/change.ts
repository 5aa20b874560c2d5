import type { Work } from '#core/database';
import { type Actor, type Caller, isoTime, newId, timeAfter } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import type { OwnerKeyRow } from '#core/records/vault';
import { auditFields, type CustomerInput, checkIdentifiable, columnsOf, nameKeyOf } from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import { methodOf } from './methods.ts';
import { customerNotFound, get, readCustomer } from './read.ts';
import type { Customer, ExternalId } from './records.ts';
import { CUSTOMER_WORDS, CUSTOMERS, type CustomerRow, EXTERNAL_IDS, PAYMENT_METHODS, UPDATE_LINKS } from './schema.ts';
import { updateSearchWords } from './search-words.ts';

export const resource = (id: string) => `customers/${id}`;

/** Locks an existing customer until the end of the unit of work and returns its row. @throws ServiceError CUSTOMER_NOT_FOUND */
export async function lockCustomerRow(work: Work, customerId: string): Promise<CustomerRow> {
  const row = await work.lockOne(CUSTOMERS, { id: customerId });
  if (!row || row.deleted_at !== null) throw customerNotFound(customerId);
  return row;
}

/** Locks an existing customer and applies a change to it. */
export async function changeCustomer<Result>(
  deps: Dependencies,
  actor: Caller,
  customerId: string,
  apply: (work: Work, row: CustomerRow) => Promise<Result>,
): Promise<Result> {
  await readCustomer(deps, actor, customerId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await lockCustomerRow(work, customerId);
    work.afterCommit(() => deps.changed(actor.tenantId, 'customers', row.merchant_id));
    return apply(work, row);
  });
}

/** Creates a customer. @throws ServiceError REQUIRED_FIELD_MISSING without a name, company or email address. */
export async function createCustomer(
  deps: Dependencies,
  actor: Actor,
  input: CustomerInput & { readonly merchantId?: string },
): Promise<Customer> {
  const { merchantId } = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const prepared = await prepareCustomer(deps, actor, merchantId, input);
  await deps.database.unitOfWork.transaction(actor.tenantId, (work) => insertCustomer(deps, work, actor, prepared));
  return get(deps, actor, prepared.row.id);
}

/** Creates a customer in a unit of work, with its identifier at an earlier provider if it has one. Returns its row. */
export async function createCustomerIn(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchantId: string,
  input: CustomerInput,
  external: ExternalId | null,
): Promise<CustomerRow> {
  const prepared = await prepareCustomer(deps, actor, merchantId, input);
  await insertCustomer(deps, work, actor, prepared, external);
  return prepared.row;
}

/** Changes the fields that are given. */
export async function updateCustomer(deps: Dependencies, actor: Actor, customerId: string, input: CustomerInput): Promise<Customer> {
  await changeCustomer(deps, actor, customerId, async (work, row) => {
    const updated_at = isoTime(timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at));
    const columns = columnsOf(input);
    const set = { ...columns, name_key: nameKeyOf({ ...row, ...columns }), updated_at };
    const next = { ...row, ...set };
    checkIdentifiable(next);
    await work.update(CUSTOMERS, { id: customerId }, set);
    await updateSearchWords(work, next, await work.find(PAYMENT_METHODS, { customer_id: customerId }));
    const merchantId = row.merchant_id;
    const changed = [...(row.email === next.email ? [] : ['email' as const]), ...(row.phone === next.phone ? [] : ['sms' as const])];
    if (changed.length > 0)
      await deps.events.publish(work, 'customer.contact-changed', {
        tenantId: actor.tenantId,
        merchantId,
        customerId,
        before: { email: row.email, phone: row.phone },
        changed,
      });
    deps.audit(work, {
      actor,
      action: 'customer.updated',
      resource: resource(customerId),
      merchantId,
      before: auditFields(row),
      after: auditFields(next),
    });
  });
  return get(deps, actor, customerId);
}

/** Columns that no record shows after the deletion. The name stays for ended subscriptions, plans and gift cards. */
const ERASED = { email: null, phone: null, address: null, notes: null, metadata: null } satisfies Partial<CustomerRow>;

/**
 * Hides the customer, cancels its subscriptions, destroys its payment methods with their key and erases its contact data. Its transactions and
 * invoices stay.
 */
export async function removeCustomer(deps: Dependencies, actor: Actor, customerId: string): Promise<void> {
  await changeCustomer(deps, actor, customerId, async (work, row) => {
    await deps.events.publish(work, 'customer.deleted', { actor, customerId });
    const at = isoTime(timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at));
    const stored = await work.delete(PAYMENT_METHODS, { customer_id: customerId });
    await work.delete(CUSTOMER_WORDS, { customer_id: customerId });
    await work.delete(UPDATE_LINKS, { customer_id: customerId });
    await work.delete(EXTERNAL_IDS, { customer_id: customerId });
    await deps.vault.destroyOwner(work, customerId);
    await work.update(CUSTOMERS, { id: customerId }, { ...ERASED, default_method_id: null, deleted_at: at, updated_at: at });
    deps.audit(work, {
      actor,
      action: 'customer.deleted',
      resource: resource(customerId),
      merchantId: row.merchant_id,
      before: { ...auditFields(row), paymentMethodsDestroyed: stored },
    });
  });
}

/**
 * Locks an existing customer, and a method of it if one is named, until the end of the unit of work. @throws ServiceError
 * CUSTOMER_NOT_FOUND, NOT_FOUND.
 */
export async function lockCustomer(work: Work, customerId: string, methodId?: string): Promise<void> {
  await lockCustomerRow(work, customerId);
  if (methodId !== undefined) await methodOf(work, customerId, methodId);
}

/** A customer that was checked but not written, with the key of its payment methods. */
interface PreparedCustomer {
  readonly row: CustomerRow;
  readonly owner: OwnerKeyRow;
}

const BLANK = { first_name: null, last_name: null, email: null, phone: null, company: null, address: null, notes: null, metadata: null };

/** Checks a new customer and creates its key. @throws ServiceError REQUIRED_FIELD_MISSING without a name, company or email address. */
async function prepareCustomer(deps: Dependencies, { tenantId }: Pick<Actor, 'tenantId'>, merchantId: string, input: CustomerInput) {
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
async function insertCustomer(
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
