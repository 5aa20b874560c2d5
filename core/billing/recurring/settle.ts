import { LostRace, recountRow, type Work, type Writer } from '#core/database';
import { isoTime, later, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import { NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { Payer } from '#core/sales/customers';
import { afterPayment, isExtraAttempt, nextPaymentDate } from './billing-cycle.ts';
import { BILLING_JOB, type Dependencies } from './dependencies.ts';
import { type Result, resultOf } from './dunning.ts';
import { auditSubscription, emitEnd, emitSubscriptionEvent } from './events.ts';
import { recordPassedPeriods } from './history.ts';
import { notifyCustomer } from './messages.ts';
import { payerOf } from './read.ts';
import {
  CONCLUDE_PERIOD,
  PERIODS,
  SETTLE_REQUESTED_SUBSCRIPTION,
  SETTLE_SUBSCRIPTION,
  SUBSCRIPTIONS,
  type SubscriptionRow,
} from './schema.ts';
import { completeKey, writeSubscription } from './write.ts';

/** Interval of checks of an unconfirmed payment: one minute, then doubled each time, at most six hours. */
const POLL_MS = 60_000;
const POLL_MAX_MS = 21_600_000;

/** Result of processing a subscription. The first two and `retried-…` were payments. */
export type BillingResult =
  | 'paid'
  | 'declined'
  | 'retried-paid'
  | 'retried-declined'
  | 'retried-cancelled'
  | 'unsent'
  | 'unconfirmed'
  | 'expired'
  | 'skipped';

/** Merchant and payer of a payment. */
export interface Parties {
  readonly merchant: Merchant;
  readonly payer: Payer;
}

/** Records the result of the pending payment once; an unconfirmed one is checked again later. */
export async function settle(
  deps: Dependencies,
  parties: Parties,
  claimed: SubscriptionRow,
  transactionId: string,
  known: Result | null,
): Promise<BillingResult> {
  const { tenant_id, id } = claimed;
  const result = known ?? (await currentResult(deps, claimed, transactionId));
  if (result === null) return 'unconfirmed';
  if (result.kind === 'succeeded' && claimed.pending_transaction === transactionId) {
    const paid = await recordPaid(deps, parties, claimed, transactionId);
    if (paid !== null) return paid;
  }
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.pending_transaction !== transactionId) return 'skipped';
    return record(deps, work, parties, row, transactionId, result);
  });
}

/** Returns the result of the pending payment; null while it is unconfirmed, which schedules another check. */
async function currentResult(deps: Dependencies, claimed: SubscriptionRow, transactionId: string): Promise<Result | null> {
  const { tenant_id, id } = claimed;
  const transaction = await deps.payments.find(tenant_id, transactionId);
  const result = resultOf(transaction, claimed.unsent_tries);
  if (result !== null) return result;
  const now = deps.clockOf(tenant_id).now();
  const wait = Math.min(POLL_MAX_MS, Math.max(POLL_MS, now - Date.parse(transaction.createdAt)));
  await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    // If the outcome was found in the meantime, the row was made due immediately.
    work.update(SUBSCRIPTIONS, { id, pending_transaction: transactionId, due_ms: claimed.due_ms }, released(later(now, wait))),
  );
  return null;
}

/**
 * Records a successful payment in one batch with those of other subscriptions; null if the subscription was changed since it was marked.
 */
async function recordPaid(
  deps: Dependencies,
  parties: Parties,
  row: SubscriptionRow,
  transactionId: string,
): Promise<BillingResult | null> {
  let result: BillingResult = 'paid';
  try {
    await deps.database.unitOfWork.writeBatch(row.tenant_id, (batch) => {
      result = writePaid(deps, batch, parties, row, transactionId);
    });
  } catch (error) {
    if (error instanceof LostRace) return null;
    throw error;
  }
  return result;
}

/**
 * Writes the success of the pending payment of a marked subscription. Its guards fail with LostRace if the subscription was changed since it was
 * marked.
 */
export function writePaid(deps: Dependencies, into: Writer, parties: Parties, row: SubscriptionRow, transactionId: string): BillingResult {
  const { tenant_id, status } = row;
  const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
  const next = afterResult(row, { kind: 'succeeded' }, parties.merchant, now);
  into.guardedUpdate(row.idempotency_key === null ? SETTLE_SUBSCRIPTION : SETTLE_REQUESTED_SUBSCRIPTION, {
    ...next,
    next_payment_on: nextPaymentDate(next, parties.merchant.timezone),
    ...NO_IDEMPOTENCY_KEY,
  });
  recountRow(into, SUBSCRIPTIONS, row, next);
  into.guardedUpdate(CONCLUDE_PERIOD, { tenant_id, id: row.pending_payment ?? '', ...conclusionOf({ kind: 'succeeded' }, now) });
  recordPassedPeriods(deps, into, parties.merchant, row, next, now);
  if (next.status !== status) auditSubscription(deps, into, serviceActor(tenant_id), next.status, row, next);
  emitPaid(deps, into, parties, row, next, transactionId, now);
  completeKey(deps, into, next, parties.merchant, parties.payer);
  into.afterCommit(() => {
    deps.changed(tenant_id, 'recurring', row.merchant_id);
    deps.scheduler.wake(BILLING_JOB, tenant_id);
  });
  return status === 'past_due' ? 'retried-paid' : 'paid';
}

function afterResult(row: SubscriptionRow, result: Result, { timezone, dunning }: Merchant, now: TenantTime): SubscriptionRow {
  return afterPayment(row, row.pending_index ?? row.next_index, result, { now, zone: timezone, dunning });
}

function conclusionOf(result: Result, now: number) {
  return {
    status: result.kind,
    decline_code: result.kind === 'failed' ? result.code : null,
    decline_reason: result.kind === 'succeeded' ? null : result.reason,
    concluded_at: isoTime(now),
  };
}

/**
 * Emits the events of a successful payment, and of the end of the subscription if it was the last one. In a batch they are written before
 * this returns.
 */
function emitPaid(
  deps: Dependencies,
  into: Writer,
  { merchant, payer }: Parties,
  row: SubscriptionRow,
  next: SubscriptionRow,
  transactionId: string | null,
  now: number,
  /** Paid amount, if the amount of the subscription was changed since. */
  amount_minor = next.amount_minor,
): void {
  const paid = { ...next, amount_minor };
  const customer = { email: payer.email };
  emitSubscriptionEvent(deps, into, paid, merchant, now, (subscription) => ({
    type: 'subscription.payment_succeeded',
    data: { ...subscription, transactionId, customer },
  }));
  if (next.status !== row.status) emitEnd(deps, into, next, merchant, now);
}

/**
 * Records the outcome of a period, with its event, the customer's message and the new state of the subscription. The row is locked and
 * marked.
 */
export async function record(
  deps: Dependencies,
  work: Work,
  parties: Parties,
  row: SubscriptionRow,
  transactionId: string | null,
  result: Result,
): Promise<BillingResult> {
  const { merchant, payer } = parties;
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const isRetry = row.status === 'past_due';
  const period = await work.one(PERIODS, { id: row.pending_payment ?? '' });
  const amount_minor = period?.amount_minor ?? row.amount_minor;
  const charged = transactionId === null || result.kind !== 'failed' ? null : await deps.payments.find(row.tenant_id, transactionId);
  const hasNewMethod = charged !== null && (await chargesOtherMethod(deps, row, charged.token));
  const startedMs = period ? Date.parse(period.created_at) : now;
  const isExtra = isExtraAttempt(row, row.pending_index ?? row.next_index, startedMs);
  const counted = result.kind === 'failed' ? { ...result, hasNewMethod, isExtra } : { ...result, isExtra };
  const after = afterResult(row, counted, merchant, now);
  const isFirstFailure = after.attempts > 0 && after.unpaid_minor === null;
  const next = isFirstFailure
    ? { ...after, unpaid_minor: amount_minor, unpaid_tax_minor: charged?.taxAmount.minor ?? row.tax_minor }
    : after;
  await writeSubscription(deps, work, next);
  await work.update(PERIODS, { id: row.pending_payment ?? '' }, conclusionOf(result, now));
  if (next.status !== row.status) auditSubscription(deps, work, serviceActor(row.tenant_id), next.status, row, next);
  if (result.kind === 'unsent') return 'unsent';
  recordPassedPeriods(deps, work, merchant, row, next, now);
  if (result.kind === 'succeeded') {
    emitPaid(deps, work, parties, row, next, transactionId, now, amount_minor);
    return isRetry ? 'retried-paid' : 'paid';
  }
  const { code: declineCode, reason: declineReason } = result;
  const attempt = period?.attempt ?? next.attempts;
  const failed = { ...next, amount_minor };
  const failure = { transactionId, declineCode, declineReason, attempt };
  emitSubscriptionEvent(deps, work, failed, merchant, now, (subscription) => ({
    type: 'subscription.payment_failed',
    data: { ...subscription, ...failure },
  }));
  const changed = next.status !== row.status;
  // A failure of the new payment method will be reported.
  if (!hasNewMethod && (changed || next.status === 'past_due'))
    await notifyCustomer(deps, work, failed, merchant, payer, result.declined, now);
  if (changed) emitEnd(deps, work, next, merchant, now);
  if (!isRetry) return 'declined';
  return next.status === 'cancelled' ? 'retried-cancelled' : 'retried-declined';
}

/** Returns true if a subscription charges another payment method now than that with a token, which its failed payment charged. */
async function chargesOtherMethod(deps: Dependencies, row: SubscriptionRow, token: string | null): Promise<boolean> {
  const { method } = await payerOf(deps, row);
  return token !== null && method !== null && method.token !== token;
}
