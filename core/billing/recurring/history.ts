import type { Writer } from '#core/database';
import { type Currency, isoTime, money, newId, toNumber } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { amountsOf, dateOf } from './billing-cycle.ts';
import type { Dependencies } from './dependencies.ts';
import { emitSubscriptionEvent } from './events.ts';
import { PERIODS, type PeriodRow, type SubscriptionRow } from './schema.ts';

/** Columns of every entry of the history of a subscription. */
export function historyFields({ tenant_id, id, amount_minor, currency }: SubscriptionRow) {
  return { tenant_id, subscription_id: id, amount_minor, currency, decline_code: null, decline_reason: null };
}

/**
 * Records the periods that a change of a subscription passes and that are not charged any more, each with its event: the unpaid one, and those without
 * an attempt. `row` is the subscription before the change. A canceled subscription has its own event.
 */
export function recordPassedPeriods(
  deps: Dependencies,
  into: Writer,
  merchant: Merchant,
  row: SubscriptionRow,
  next: SubscriptionRow,
  now: number,
): void {
  const until = row.pending_index ?? next.next_index;
  const isUnpaid = row.attempts > 0 && row.unpaid_minor !== null && until > row.next_index;
  if (isUnpaid) abandon(deps, into, merchant, row, next, now);
  const from = row.next_index + (isUnpaid ? 1 : 0);
  if (row.pending_index === null || until <= from) return;
  const missed = { ...historyFields(row), due_date: dateOf(row, from), periods: until - from, attempt: 0, status: 'missed' } as const;
  writeUnpaid(deps, into, merchant, missed, next, now);
}

/** Records that the unpaid period of a subscription is not charged any more. */
function abandon(deps: Dependencies, into: Writer, merchant: Merchant, row: SubscriptionRow, next: SubscriptionRow, now: number): void {
  const { amount_minor } = amountsOf(row, { index: row.next_index });
  const due_date = dateOf(row, row.next_index);
  const entry = { ...historyFields(row), amount_minor, due_date, periods: 1, attempt: row.attempts, status: 'abandoned' } as const;
  writeUnpaid(deps, into, merchant, entry, next, now);
}

type PassedPeriods = Omit<PeriodRow, 'id' | 'transaction_id' | 'created_at' | 'concluded_at'>;

function writeUnpaid(deps: Dependencies, into: Writer, merchant: Merchant, entry: PassedPeriods, next: SubscriptionRow, now: number): void {
  const at = isoTime(now);
  into.insert(PERIODS, { ...entry, id: newId('sbp', now), transaction_id: null, created_at: at, concluded_at: at });
  emitSubscriptionEvent(deps, into, next, merchant, now, (subscription) => ({
    type: 'subscription.payment_abandoned',
    data: {
      ...subscription,
      amount: toNumber(money(entry.amount_minor, entry.currency as Currency)),
      dueDate: entry.due_date,
      periods: entry.periods,
      attempts: entry.attempt,
    },
  }));
}
