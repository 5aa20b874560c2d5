import { queriesOn, TENANT, type Writer } from '#core/database';
import { type Currency, type Money, money } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { DISPUTE_MOVEMENTS, SETTLE_MOVEMENT } from './schema.ts';

/** Money moved by a dispute that belongs to no settlement yet. The amount is negative if it was taken from the merchant. */
export interface UnsettledMovement {
  readonly kind: 'dispute';
  readonly id: string;
  readonly transactionId: string;
  readonly amount: Money;
  readonly at: string;
}

/** Values that a settlement writes to each of its lines. */
interface SettlementReference {
  readonly tenantId: string;
  readonly settlementId: string;
  readonly settlementDate: string;
  readonly at: string;
}

const queries = queriesOn(DISPUTE_MOVEMENTS);
const unsettled = (merchantId: string) =>
  queries
    .selectFrom('dispute_movements')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('settled_at', 'is', null);

/** Returns the oldest unsettled movements of a merchant, up to a time. */
export async function unsettledMovements(
  { database }: Pick<Dependencies, 'database'>,
  tenantId: string,
  merchantId: string,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<UnsettledMovement[]> {
  const rows = await database
    .read(tenantId)
    .rows(unsettled(merchantId).selectAll().where('at', '<', before).orderBy('at').orderBy('id').limit(Math.trunc(limit)));
  return rows.map(({ id, transaction_id, amount_minor, currency, at }) => ({
    kind: 'dispute',
    id,
    transactionId: transaction_id,
    amount: money(amount_minor, currency as Currency),
    at,
  }));
}

/** Assigns a movement to its settlement. LostRace undoes the batch if it was settled in the meantime. */
export function settleMovement(batch: Writer, { id }: UnsettledMovement, into: SettlementReference): void {
  const { tenantId, settlementId, settlementDate, at } = into;
  batch.guardedUpdate(SETTLE_MOVEMENT, {
    tenant_id: tenantId,
    id,
    settled_at: at,
    settlement_date: settlementDate,
    settlement_id: settlementId,
  });
}

/** Returns the times of the oldest and newest unsettled movement; null if there is none. */
export async function unsettledMovementSpan(
  { database }: Pick<Dependencies, 'database'>,
  tenantId: string,
  merchantId: string,
): Promise<{ readonly oldest: string; readonly newest: string } | null> {
  const row = await database
    .read(tenantId)
    .row(unsettled(merchantId).select(({ fn }) => [fn.min<string | null>('at').as('oldest'), fn.max<string | null>('at').as('newest')]));
  return row?.oldest && row.newest ? { oldest: row.oldest, newest: row.newest } : null;
}
