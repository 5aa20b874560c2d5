import { listOf, lit, queriesOn, type Read, TENANT } from '#core/database';
import { READABLE_TENDER_REFUNDS } from '#core/sales/tenders';

const LIST_MAX = 512;
const queries = queriesOn(READABLE_TENDER_REFUNDS);

interface CashTender {
  readonly id: string;
  readonly amount_minor: number;
  readonly rounding_minor: number;
  readonly refunded_minor: number;
}

/**
 * Returns the cash that remains of payments without a shift, in minor units: what was received, less what was returned in cash without a shift. Cash that
 * an open shift returned is missing in the count of that shift.
 */
export async function remainingCash(read: Read, tenders: readonly CashTender[]): Promise<ReadonlyMap<string, number>> {
  const remaining = new Map(tenders.map((row) => [row.id, Number(row.amount_minor) + Number(row.rounding_minor)]));
  const refunded = tenders.filter(({ refunded_minor }) => Number(refunded_minor) > 0).map(({ id }) => id);
  for (let from = 0; from < refunded.length; from += LIST_MAX) {
    const refunds = await read.rows(
      queries
        .selectFrom('tender_refunds')
        .select(['tender_id', 'amount_minor', 'rounding_minor'])
        .where('tenant_id', '=', TENANT)
        .where('tender_id', 'in', listOf(refunded.slice(from, from + LIST_MAX)))
        .where('shift_id', 'is', null)
        .where('gift_card_id', 'is', null)
        .where('is_return', '=', lit(0)),
    );
    for (const { tender_id: id, amount_minor, rounding_minor } of refunds)
      remaining.set(id, (remaining.get(id) ?? 0) - Number(amount_minor) - Number(rounding_minor));
  }
  return remaining;
}
