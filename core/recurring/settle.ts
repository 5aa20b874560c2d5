import type { Payer } from '#core/customers';
import { LostRace, type Work, type Writer } from '#core/database';
import { isoTime, later, newId, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Transaction } from '#core/payments';
import { released } from '#core/platform/scheduling';
import { dateOfPeriod } from './calendar.ts';
import { afterPayment, type Result } from './course.ts';
import { writeToCustomer } from './messages.ts';
import { BILLING_JOB, keepRow, type Needs } from './needs.ts';
import { CONCLUDE_PERIOD, PERIODS, SETTLE_SUBSCRIPTION, SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { note, tell, tellEnd } from './tell.ts';

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
      return {
        kind: 'failed',
        declined: true,
        code: transaction.declineCode ?? 'card_declined',
        reason: transaction.declineReason ?? 'Declined',
        ...(transaction.retryAdvice ? { advice: transaction.retryAdvice } : {}),
      };
    case 'failed':
      // It never came to the gateway, so the card is not to blame; a few times on end it needs somebody.
      return row.unsent_tries < UNSENT_MOST
        ? { kind: 'unsent', reason: NOT_TAKEN }
        : { kind: 'failed', declined: false, code: 'gateway_error', reason: NOT_TAKEN };
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
  if (result.kind === 'succeeded' && claimed.busy_transaction === transactionId) {
    const paid = await recordPaid(on, parties, claimed, transactionId);
    if (paid !== null) return paid;
  }
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
    // Whoever learnt meanwhile that the doubt has ended made it due at once.
    work.update(SUBSCRIPTIONS, { id, busy_transaction: transactionId, due_ms: claimed.due_ms }, released(later(now, wait))),
  );
  return null;
}

/** The usual ending, in one batch with those of other plans; null when somebody changed the subscription since it was marked. */
async function recordPaid(on: Needs, parties: Parties, row: SubscriptionRow, transactionId: string): Promise<Billed | null> {
  const { merchant } = parties;
  const now = timeAfter(on.clockOf(row.tenant_id).now(), row.updated_at);
  const next = after(row, { kind: 'succeeded' }, merchant, now);
  try {
    await on.database.unitOfWork.record(row.tenant_id, (batch) => {
      batch.settle(SETTLE_SUBSCRIPTION, next);
      batch.settle(CONCLUDE_PERIOD, { tenant_id: row.tenant_id, id: row.busy_payment ?? '', ...conclusionOf({ kind: 'succeeded' }, now) });
      void noteMissed(batch, row, now);
      if (next.status !== row.status) note(on, batch, serviceActor(row.tenant_id), next.status, row, next);
      tellPaid(on, batch, parties, row, next, transactionId, now);
      batch.afterCommit(() => {
        on.changed(row.tenant_id, 'recurring');
        on.scheduler.wake(BILLING_JOB);
      });
    });
  } catch (error) {
    if (error instanceof LostRace) return null;
    throw error;
  }
  return row.failed_attempts > 0 ? 'retried-paid' : 'paid';
}

function after(row: SubscriptionRow, result: Result, { timezone, dunning }: Merchant, now: TenantTime): SubscriptionRow {
  return afterPayment(row, row.busy_index ?? row.next_index, result, { now, zone: timezone, dunning });
}

function conclusionOf(result: Result, now: number) {
  return {
    status: result.kind,
    decline_code: result.kind === 'failed' ? result.code : null,
    decline_reason: result.kind === 'succeeded' ? null : result.reason,
    concluded_at: isoTime(now),
  };
}

/** A payment that came in, and the end of the plan where it was the last. In a batch it is told when this returns. */
function tellPaid(
  on: Needs,
  into: Writer,
  { merchant, payer }: Parties,
  row: SubscriptionRow,
  next: SubscriptionRow,
  transactionId: string | null,
  now: number,
  /** What was paid, where the plan's amount was changed meanwhile. */
  amount_minor = next.amount_minor,
): void {
  const paid = { ...next, amount_minor };
  const customer = { email: payer.email };
  tell(on, into, paid, merchant, now, (plan) => ({ type: 'subscription.payment_succeeded', data: { ...plan, transactionId, customer } }));
  if (next.status !== row.status) tellEnd(on, into, next, merchant, now);
}

/** Writes the outcome of a period with its event, its message and what the subscription became. The row is locked and marked. */
export async function record(
  on: Needs,
  work: Work,
  parties: Parties,
  row: SubscriptionRow,
  transactionId: string | null,
  result: Result,
): Promise<Billed> {
  const { merchant, payer } = parties;
  const now = timeAfter(on.clockOf(row.tenant_id).now(), row.updated_at);
  const isRetry = row.failed_attempts > 0;
  const next = after(row, result, merchant, now);
  const period = await work.one(PERIODS, { id: row.busy_payment ?? '' });
  const amount_minor = period?.amount_minor ?? row.amount_minor;
  await keepRow(on, work, next);
  await work.update(PERIODS, { id: row.busy_payment ?? '' }, conclusionOf(result, now));
  if (next.status !== row.status) note(on, work, serviceActor(row.tenant_id), next.status, row, next);
  if (result.kind === 'unsent') return 'unsent';
  noteMissed(work, row, now);
  if (result.kind === 'succeeded') {
    tellPaid(on, work, parties, row, next, transactionId, now, amount_minor);
    return isRetry ? 'retried-paid' : 'paid';
  }
  const { code: declineCode, reason: declineReason } = result;
  const attempt = row.failed_attempts + 1;
  const failed = { ...next, amount_minor };
  const failure = { transactionId, declineCode, declineReason, attempt };
  tell(on, work, failed, merchant, now, (plan) => ({ type: 'subscription.payment_failed', data: { ...plan, ...failure } }));
  const changed = next.status !== row.status;
  if (changed || next.status === 'past_due') await writeToCustomer(on, work, failed, merchant, payer, result.declined, now);
  if (changed) tellEnd(on, work, next, merchant, now);
  if (!isRetry) return 'declined';
  return next.status === 'cancelled' ? 'retried-cancelled' : 'retried-declined';
}

/** Periods that were passed over on the way to the one that was charged. */
function noteMissed(into: Writer, row: SubscriptionRow, now: number): void {
  const missed = (row.busy_index ?? 0) - row.next_index;
  if (missed <= 0) return;
  const at = isoTime(now);
  const due_date = dateOfPeriod(row.anchor_date, row.frequency, row.next_index);
  const entry = { ...entryOf(row), id: newId('sbp', now), due_date, periods: missed, attempt: 0, status: 'missed' } as const;
  into.insert(PERIODS, { ...entry, transaction_id: null, created_at: at, concluded_at: at });
}
