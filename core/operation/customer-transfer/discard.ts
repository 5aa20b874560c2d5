import { queriesOn, TENANT, type Work } from '#core/database';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Dependencies } from './dependencies.ts';
import { IMPORT_LINES, IMPORTS, type ImportRow } from './schema.ts';

/** Lines that one unit of work changes. */
const BLOCK = 500;

const queries = queriesOn(IMPORT_LINES);

/** Destroys the key of an import, and with it every number of the import that is not stored as a payment method. Then its lines are removed, or emptied. */
export async function discardLines(
  { database, vault }: Pick<Dependencies, 'database' | 'vault'>,
  { tenant_id, id }: Pick<ImportRow, 'tenant_id' | 'id'>,
  { isRemoved }: { readonly isRemoved: boolean },
): Promise<void> {
  await database.unitOfWork.transaction(tenant_id, (work) => vault.destroyOwner(work, id));
  const lines = queries
    .selectFrom('customer_import_lines')
    .select('n')
    .where('tenant_id', '=', TENANT)
    .where('import_id', '=', id)
    .limit(BLOCK);
  const block = isRemoved
    ? queries.deleteFrom('customer_import_lines').where('tenant_id', '=', TENANT).where('import_id', '=', id).where('n', 'in', lines)
    : queries
        .updateTable('customer_import_lines')
        .set({ sealed: null })
        .where('tenant_id', '=', TENANT)
        .where('import_id', '=', id)
        .where('n', 'in', lines.where('sealed', 'is not', null));
  while ((await database.unitOfWork.transaction(tenant_id, (work) => work.execute(block))) === BLOCK);
  if (isRemoved) await database.unitOfWork.transaction(tenant_id, (work) => work.delete(IMPORTS, { id }));
}

/** Erases what the reports of imports say about a deleted customer, also in lines that are not imported yet. */
export async function forgetImported(work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> {
  const lines = await work.find(IMPORT_LINES, { customer_id: customerId });
  const keys = new Map(lines.map(({ import_id, customer_key }) => [`${import_id}/${customer_key}`, { import_id, customer_key }]));
  for (const key of keys.values()) await work.update(IMPORT_LINES, key, { name: null, external_id: null, brand: null, last4: null });
}
