import { lit, queriesOn, TENANT } from '#core/database';
import { serviceActor } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';

const queries = queriesOn(TRANSACTIONS);

const BLOCK = 200;

/** Stores the payment method of an approved sale on its customer. If that fails, the clean-up repeats it. */
export async function storePaymentMethod(deps: Dependencies, row: TransactionRow): Promise<void> {
  const { tenant_id, id, customer_id, save_consent, token } = row;
  if (customer_id === null || save_consent === null) return;
  try {
    if (row.status === 'approved')
      await deps.storePaidMethod(serviceActor(tenant_id), customer_id, token, { text: save_consent, channel: row.channel });
    await deps.database.unitOfWork.transaction(tenant_id, (work) => work.update(TRANSACTIONS, { id }, { save_consent: null }));
  } catch (cause) {
    deps.report('A payment method could not be stored after its sale. Storing it will be retried.', { transactionId: id, cause });
  }
}

/** Stores payment methods that a stopped process did not store after their sale. */
export async function storePendingMethods(deps: Dependencies, tenantId: string): Promise<void> {
  const rows = await deps.database
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
  for (const row of rows) await storePaymentMethod(deps, row);
}

/** Stores such payment methods of every tenant, at the start. */
export async function storePendingMethodsOfAllTenants(deps: Dependencies): Promise<void> {
  const tenants = await deps.database
    .readAcrossTenants()
    .rows(queries.selectFrom('transactions').select('tenant_id').distinct().where('save_consent', 'is not', null));
  for (const { tenant_id } of tenants) await storePendingMethods(deps, tenant_id);
}
