import type { Payer } from '#core/customers';
import type { Work } from '#core/database';
import { type Actor, isoTime, newId, notBefore, serviceActor } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Transaction } from '#core/payments';
import { released } from '#core/scheduling';
import { dateOfPeriod } from './calendar.ts';
import { afterPayment, type Result } from './course.ts';
import { writeToCustomer } from './messages.ts';
import { keepRow, type Needs } from './needs.ts';
import { PERIODS, SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { note, tell } from './tell.ts';

/** Looks at a payment in doubt: after a minute, then twice as long each time, at most every six hours. */
const POLL_MS = 60_000;
const POLL_MAX_MS = 21_600_000;
/** Payments in a row that never came to the gateway before one counts as failed. */
const UNSENT_MOST = 4;
const NOT_TAKEN = 'The gateway did not take the payment.';

/** What became of a subscription that was looked at. The first two and `retried-…` were payments. */
export type Billed =
  | 'paid'
  | 'declined'
  | 'retried-paid'
  | 'retried-declined'
  | 'retried-cancelled'
  | 'unsent'
  | 'in-doubt'
  | 'expired'
  | 'skipped';

/** Who takes a payment, and who pays it. */
export interface Parties {
  readonly merchant: Merchant;
  readonly payer: Payer;
}

/** What every entry of a subscription's history has of it. */
export function entryOf({ tenant_id, id, amount_minor, currency }: SubscriptionRow) {
  return { tenant_id, subscription_id: id, amount_minor, currency, decline_code: null, decline_reason: null };
}

/** What a payment as it stands says of its period; null while it is in doubt. */
export function resultOf(transaction: Transaction, row: SubscriptionRow): Result | null {
  switch (transaction.status) {
    case 'pending':
      return null;
    case 'declined':
      return { kind: 'failed', code: transaction.declineCode ?? 'card_declined', reason: transaction.declineReason ?? 'Declined' };
    case 'failed':
      // It never came to the gateway, so the card is not to blame; a few times on end it needs somebody.
      return row.unsent_tries < UNSENT_MOST
        ? { kind: 'unsent', reason: NOT_TAKEN }
        : { kind: 'failed', code: 'gateway_error', reason: NOT_TAKEN };
    default:
      // Voided since: it was paid all the same.
      return { kind: 'succeeded' };
  }
}

/** Records what became of the payment under way, once; one that is still in doubt is looked at again later. */
export async function settle(
  on: Needs,
  parties: Parties,
  claimed: SubscriptionRow,
  transactionId: string,
  known: Result | null,
): Promise<Billed> {
  const { tenant_id, id } = claimed;
  const result = known ?? (await resultAsItStands(on, claimed, transactionId));
  if (result === null) return 'in-doubt';
  return on.database.unitOfWork.run(tenant_id, async (work) => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.busy_transaction !== transactionId) return 'skipped';
    return record(on, work, parties, row, transactionId, result);
  });
}

/** What became of the payment under way; null while it is in doubt, and then it is looked at again later. */
async function resultAsItStands(on: Needs, claimed: SubscriptionRow, transactionId: string): Promise<Result | null> {
  const { tenant_id, id } = claimed;
  const transaction = await on.payments.find(tenant_id, transactionId);
  const result = resultOf(transaction, claimed);
  if (result !== null) return result;
  const now = on.clockOf(tenant_id).now();
  const wait = Math.min(POLL_MAX_MS, Math.max(POLL_MS, now - Date.parse(transaction.createdAt)));
  await on.database.unitOfWork.run(tenant_id, (work) =>
    work.update(SUBSCRIPTIONS, { id, busy_transaction: transactionId }, released(now + wait)),
  );
  return null;
}

/** Writes the outcome of a period with its event, its message and what the subscription became. The row is locked and marked. */
export async function record(
  on: Needs,
  work: Work,
  { merchant, payer }: Parties,
  row: SubscriptionRow,
  transactionId: string | null,
  result: Result,
): Promise<Billed> {
  const { tenant_id } = row;
  const by: Actor = serviceActor(tenant_id);
  const now = notBefore(on.clockOf(tenant_id).now(), row.updated_at);
  const isRetry = row.failed_attempts > 0;
  const next = afterPayment(row, row.busy_index ?? row.next_index, result, { now, zone: merchant.timezone, dunning: merchant.dunning });
  await keepRow(on, work, next);
  const failed = result.kind === 'failed';
  await work.update(
    PERIODS,
    { id: row.busy_payment ?? '' },
    {
      status: result.kind,
      decline_code: failed ? result.code : null,
      decline_reason: result.kind === 'succeeded' ? null : result.reason,
      concluded_at: isoTime(now),
    },
  );
  if (next.status !== row.status) note(on, work, by, next.status, row, next);
  if (result.kind === 'unsent') return 'unsent';
  await noteMissed(work, row, isoTime(now));
  if (result.kind === 'succeeded') {
    await tell(on, work, 'subscription.payment_succeeded', next, merchant, now, { transactionId, customer: { email: payer.email } });
  } else {
    const { code: declineCode, reason: declineReason } = result;
    const attempt = row.failed_attempts + 1;
    await tell(on, work, 'subscription.payment_failed', next, merchant, now, { transactionId, declineCode, declineReason, attempt });
    if (next.status !== row.status || next.status === 'past_due') await writeToCustomer(on, work, next, merchant, payer, now);
  }
  const changed = next.status !== row.status;
  if (changed && next.status === 'expired') await tell(on, work, 'subscription.expired', next, merchant, now);
  if (changed && next.status === 'cancelled')
    await tell(on, work, 'subscription.cancelled', next, merchant, now, { reason: next.cancel_reason });
  if (!failed) return isRetry ? 'retried-paid' : 'paid';
  if (!isRetry) return 'declined';
  return next.status === 'cancelled' ? 'retried-cancelled' : 'retried-declined';
}

/** Periods that were passed over on the way to the one that was charged. */
async function noteMissed(work: Work, row: SubscriptionRow, at: string): Promise<void> {
  const missed = (row.busy_index ?? 0) - row.next_index;
  if (missed <= 0) return;
  const due_date = dateOfPeriod(row.anchor_date, row.frequency, row.next_index);
  const entry = { ...entryOf(row), id: newId('sbp', Date.parse(at)), due_date, periods: missed, attempt: 0, status: 'missed' } as const;
  await work.insert(PERIODS, { ...entry, transaction_id: null, created_at: at, concluded_at: at });
}
