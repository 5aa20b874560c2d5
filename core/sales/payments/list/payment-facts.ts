import { queriesOn, TENANT } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import type { PaymentFacts } from '../records.ts';
import { TRANSACTIONS } from '../schema.ts';
import { toTransaction } from '../transaction.ts';

/**
 * Returns the facts of payments by transaction ID. Unknown payments and those of other merchants are absent; for a caller without the
 * permission to read transactions, all are.
 */
export async function paymentFacts(deps: Dependencies, actor: Actor, ids: readonly string[]): Promise<ReadonlyMap<string, PaymentFacts>> {
  if (ids.length === 0 || !actor.permissions.has('transactions:read')) return new Map();
  const rows = await deps.database.read(actor.tenantId).rows(
    queriesOn(TRANSACTIONS)
      .selectFrom('transactions')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('id', 'in', [...new Set(ids)]),
  );
  const visible = rows.filter(({ merchant_id }) => actor.merchantId === null || merchant_id === actor.merchantId);
  return new Map(visible.map((row) => [row.id, { ...toTransaction(row), orderNumber: null }]));
}
