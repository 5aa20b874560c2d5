import { lit, queriesOn, TENANT } from '#core/database';
import { serviceActor } from '#core/kernel';
import type { Needs } from '../needs.ts';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';

const queries = queriesOn(TRANSACTIONS);

const BLOCK = 200;

/** Puts what an approved sale was paid with on its customer's file, as was agreed; a fault leaves it to the clean-up. */
export async function keepOnFile(on: Needs, row: TransactionRow): Promise<void> {
  const { tenant_id, id, customer_id, save_consent, token } = row;
  if (customer_id === null || save_consent === null) return;
  try {
    if (row.status === 'approved') await on.keepPaid(serviceActor(tenant_id), customer_id, token, save_consent);
    await on.database.unitOfWork.run(tenant_id, (work) => work.update(TRANSACTIONS, { id }, { save_consent: null }));
  } catch (cause) {
    on.report('A card could not be put on file after its sale; it is tried again.', { transactionId: id, cause });
  }
}

/** What a process that ended between a sale and its filing left behind. */
export async function keepLeftOvers(on: Needs, tenantId: string): Promise<void> {
  const rows = await on.database
    .read(tenantId)
    .rows(
      queries
        .selectFrom('transactions')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('save_consent', 'is not', null)
        .where('status', '<>', lit('pending'))
        .limit(BLOCK),
    );
  for (const row of rows) await keepOnFile(on, row);
}

/** The same of every tenant, at start. */
export async function keepEveryLeftOver(on: Needs): Promise<void> {
  const tenants = await on.database
    .readAcrossTenants()
    .rows(queries.selectFrom('transactions').select('tenant_id').distinct().where('save_consent', 'is not', null));
  for (const { tenant_id } of tenants) await keepLeftOvers(on, tenant_id);
}
