import { addDays, allows, dateIn, isoTime, later, startOfDate, step, type TenantTime, tenantTime } from '#core/kernel';
import type { DunningSettings } from '#core/processing/merchants';
import { dateOfPeriod, firstPeriodFrom, lastPeriodUpTo, monthDayOf } from './calendar.ts';
import { CATCH_UP_INTERVAL_MS, daysAfterFault, nextRetry, type Result, unsentWaitMs } from './dunning.ts';
import type { SubscriptionRow } from './schema.ts';
import { BILLING_STEPS, SUBSCRIPTION_STEPS } from './steps.ts';

const DAY_MS = 86_400_000;
/** Context of a subscription's changes: the tenant's time, the merchant's zone and its dunning settings. */
export interface BillingContext {
  readonly now: TenantTime;
  readonly zone: string;
  readonly dunning: DunningSettings;
}

/** Returns the date of a period of a subscription. */
export const dateOf = ({ anchor_date, start_date, frequency }: SubscriptionRow, index: number): string =>
  dateOfPeriod(anchor_date, frequency, index, monthDayOf(anchor_date, start_date));

export interface DuePeriod {
  /** Periods between the next one and this one are skipped. */
  readonly index: number;
  readonly date: string;
}

/**
 * Returns the period to charge today; null if there is none. After days without a service it is the present one, or each missed one in turn
 * (`missedPeriods`).
 */
export function periodDue(row: SubscriptionRow, { now, zone, dunning }: BillingContext): DuePeriod | null {
  const today = dateIn(zone, now);
  if (row.next_date === null || row.next_date > today) return null;
  if (dunning.missedPeriods === 'each') return { index: row.next_index, date: row.next_date };
  const until = row.end_date !== null && row.end_date < today ? row.end_date : today;
  const { anchor_date, start_date, frequency } = row;
  const index = Math.max(row.next_index, lastPeriodUpTo(anchor_date, frequency, until, monthDayOf(anchor_date, start_date)));
  return { index, date: dateOf(row, index) };
}

/** Returns the time at which a subscription is due next; null if nothing is to come. */
export function dueTimeOf(row: SubscriptionRow, { now, zone }: Pick<BillingContext, 'now' | 'zone'>): TenantTime | null {
  if (row.status === 'past_due') return row.retry_ms;
  if (row.status !== 'active') return null;
  if (row.next_date !== null) return tenantTime(startOfDate(zone, row.next_date));
  // All payments are made, so the subscription is due when its last day is over.
  return row.end_date === null ? now : tenantTime(startOfDate(zone, addDays(row.end_date, 1)));
}

const NO_ATTEMPTS = { failed_attempts: 0, attempts: 0, unpaid_minor: null, unpaid_tax_minor: null } satisfies Partial<SubscriptionRow>;

/**
 * Returns the subscription with another next period, which has a retry schedule of its own; without a next date if the period is after the end
 * date.
 */
export function moveToPeriod(row: SubscriptionRow, index: number): SubscriptionRow {
  const date = dateOf(row, index);
  const isPast = row.end_date !== null && date > row.end_date;
  const attempts = index === row.next_index ? {} : NO_ATTEMPTS;
  return { ...row, ...attempts, next_index: index, next_date: isPast ? null : date };
}

/** Returns the date of the period before the next one, if it was skipped and its date has not passed; null otherwise. */
export function skippedDate(row: SubscriptionRow, { now, zone }: Pick<BillingContext, 'now' | 'zone'>): string | null {
  if (row.next_index === 0) return null;
  const date = dateOf(row, row.next_index - 1);
  const today = dateIn(zone, now);
  const isPaid = row.last_payment_at !== null && dateIn(zone, Date.parse(row.last_payment_at)) === today;
  return date > today || (date === today && !isPaid) ? date : null;
}

/** Returns the amount and tax of a period, which are fixed from its first attempt on. */
export function amountsOf(row: SubscriptionRow, { index }: Pick<DuePeriod, 'index'>): { amount_minor: number; tax_minor: number } {
  if (index !== row.next_index || row.unpaid_minor === null) return { amount_minor: row.amount_minor, tax_minor: row.tax_minor };
  return { amount_minor: row.unpaid_minor, tax_minor: row.unpaid_tax_minor ?? 0 };
}

/**
 * Returns true if an attempt was made before the time of the scheduled retry: by a person, the payer or a change of the payment method. It leaves
 * the retry schedule unchanged. The first attempt of a period is always scheduled.
 */
export function isExtraAttempt(row: SubscriptionRow, index: number, startedMs: number): boolean {
  return row.status === 'past_due' && index === row.next_index && row.retry_ms !== null && startedMs < row.retry_ms;
}

/** Returns true if an active subscription has ended: no payment is left, and its last day is over. */
export function isOver(row: SubscriptionRow, { now, zone }: Pick<BillingContext, 'now' | 'zone'>): boolean {
  if (row.total_payments !== null && row.payments_made >= row.total_payments) return true;
  return row.next_date === null && (row.end_date === null || dateIn(zone, now) > row.end_date);
}

export function afterExpiry(row: SubscriptionRow, now: number): SubscriptionRow {
  return {
    ...row,
    status: step(BILLING_STEPS, row.status, 'finish'),
    expired_at: isoTime(now),
    next_date: null,
    retry_ms: null,
    failed_attempts: 0,
  };
}

const NO_RETRY = { failed_attempts: 0, retry_ms: null, unsent_tries: 0 } satisfies Partial<SubscriptionRow>;

/**
 * Returns a subscription after the result of a period. If a person paused or canceled it in the meantime, the payment counts, but the
 * status stays.
 */
export function afterPayment(row: SubscriptionRow, index: number, result: Result, context: BillingContext): SubscriptionRow {
  const at = isoTime(context.now);
  const isOpen = isBilled(row);
  const unscheduled = isOpen ? {} : { due_ms: null, lease_ms: 0 };
  const released = { ...row, ...unscheduled, pending_transaction: null, pending_payment: null, pending_index: null, updated_at: at };
  switch (result.kind) {
    case 'succeeded': {
      const paid: SubscriptionRow = {
        ...released,
        ...NO_RETRY,
        ...NO_ATTEMPTS,
        unpaid_since: null,
        payments_made: row.payments_made + 1,
        last_payment_at: at,
        last_result: 'succeeded',
        last_reason: null,
      };
      const advanced = hasEnded(row) ? paid : moveToPeriod(paid, Math.max(row.next_index, index + 1));
      if (!isOpen) return advanced;
      const next: SubscriptionRow = { ...advanced, status: step(BILLING_STEPS, row.status, 'paid') };
      return isOver(next, context) ? afterExpiry(next, context.now) : withDue(next, context);
    }
    case 'failed': {
      const failed: SubscriptionRow = { ...released, unsent_tries: 0, last_result: 'failed', last_reason: result.reason };
      if (!isOpen) return failed;
      // Paused and resumed in the meantime: the period was skipped.
      if (row.next_index > index) return withDue(failed, context);
      const moved = moveToPeriod(failed, index);
      const unpaid = { ...moved, attempts: moved.attempts + 1 };
      const next = result.isExtra ? withRetry(unpaid, row.retry_ms ?? context.now, context) : afterFailedAttempt(unpaid, result, context);
      return result.hasNewMethod && isBilled(next) ? { ...next, due_ms: context.now } : next;
    }
    default: {
      const wait = unsentWaitMs(row.unsent_tries);
      const tried = { ...released, unsent_tries: row.unsent_tries + 1, last_reason: result.reason };
      if (!isOpen) return tried;
      if (result.isExtra) return { ...tried, unsent_tries: row.unsent_tries, due_ms: row.retry_ms, lease_ms: 0 };
      const retry_ms = row.status === 'past_due' ? later(context.now, wait) : null;
      return { ...tried, retry_ms, due_ms: later(context.now, wait), lease_ms: 0 };
    }
  }
}

/**
 * Returns a subscription after the bank returned the payment of a period. The latest period is retried like a declined one; an earlier one
 * is only no
 * longer counted, because the subscription has continued. `index` is null if the calendar has changed since.
 */
export function afterReturn(
  row: SubscriptionRow,
  index: number | null,
  failed: Extract<Result, { kind: 'failed' }>,
  context: BillingContext,
): SubscriptionRow {
  const unpaid = { ...row, payments_made: row.payments_made - 1, updated_at: isoTime(context.now) };
  const isLatest = index !== null && row.next_index === index + 1 && row.pending_transaction === null;
  const status = step(BILLING_STEPS, row.status, 'reopen');
  if (!isLatest || status !== 'active') return unpaid;
  const before: SubscriptionRow = { ...unpaid, ...NO_RETRY, status, expired_at: null };
  return afterPayment(moveToPeriod(before, index), index, failed, context);
}

/**
 * Returns a subscription after a failed attempt of its schedule: with the next retry by the processor's advice and the dunning settings, or paused or
 * canceled after the last one. A fault of the processor is not an attempt of the schedule. The advice concerns the charged payment method: a new one
 * is tried immediately, and again at the time of the last retry.
 */
function afterFailedAttempt(
  row: SubscriptionRow,
  { isFault, hasNewMethod, advice }: Extract<Result, { kind: 'failed' }>,
  context: BillingContext,
): SubscriptionRow {
  const { now, zone, dunning } = context;
  const intervals = dunning.retryIntervalsDays;
  if (isFault) return withRetry(row, later(now, daysAfterFault(intervals, row.failed_attempts) * DAY_MS), context);
  const unpaid = { ...row, unpaid_since: row.unpaid_since ?? row.next_date ?? dateIn(zone, now) };
  const next = hasEarlierUnpaid(unpaid, context) ? null : nextRetry(intervals, row.failed_attempts, hasNewMethod ? undefined : advice);
  if (next !== null) return withRetry({ ...unpaid, failed_attempts: next.tries }, later(now, next.days * DAY_MS), context);
  if (hasNewMethod) return withRetry(unpaid, now, context);
  if (dunning.finalAction === 'pause') {
    const status = step(BILLING_STEPS, row.status, 'pause');
    return { ...unpaid, ...NO_RETRY, status, paused_at: isoTime(now), due_ms: null, lease_ms: 0 };
  }
  return afterCancellation(unpaid, now, 'service', 'payment_failed');
}

/**
 * Returns true if earlier periods are unpaid, too, and the schedule of the first one would have ended by now. Without this, a subscription whose
 * periods are shorter than the retry schedule would never reach its last retry.
 */
function hasEarlierUnpaid({ unpaid_since, next_date }: SubscriptionRow, { now, zone, dunning }: BillingContext): boolean {
  if (unpaid_since === null || next_date === null || unpaid_since >= next_date) return false;
  const days = dunning.retryIntervalsDays.reduce((sum, each) => sum + each, 0);
  return dateIn(zone, now) >= addDays(unpaid_since, days);
}

/**
 * Returns a past due subscription with the time of its next attempt: the retry, or the next period if it is due earlier. Then the unpaid period is
 * given up, unless the merchant charges each period.
 */
function withRetry(row: SubscriptionRow, retryMs: TenantTime, { zone, dunning }: BillingContext): SubscriptionRow {
  const following = dunning.missedPeriods === 'each' ? null : moveToPeriod(row, row.next_index + 1).next_date;
  const retry_ms = following === null ? retryMs : tenantTime(Math.min(retryMs, startOfDate(zone, following)));
  return { ...row, status: step(BILLING_STEPS, row.status, 'declined'), retry_ms, due_ms: retry_ms, lease_ms: 0 };
}

/** Returns a subscription after its cancellation. The outcome of a pending payment is still recorded. */
export function afterCancellation(row: SubscriptionRow, now: number, actorName: string, reason: string | null): SubscriptionRow {
  const cancelled: SubscriptionRow = {
    ...row,
    ...NO_RETRY,
    status: step(SUBSCRIPTION_STEPS, row.status, 'cancel'),
    cancelled_at: isoTime(now),
    cancelled_by: actorName,
    cancel_reason: reason,
    next_date: null,
  };
  return row.pending_transaction === null ? { ...cancelled, due_ms: null, lease_ms: 0 } : cancelled;
}

/** Returns the row with the time at which it is processed next. Missed charges follow one after the other. */
export function withDue(row: SubscriptionRow, context: Pick<BillingContext, 'now' | 'zone'>): SubscriptionRow {
  // The outcome of a pending payment comes first.
  if (row.pending_transaction !== null) return row;
  const due = dueTimeOf(row, context);
  const notBefore =
    row.last_payment_at !== null && due !== null && due < context.now ? Date.parse(row.last_payment_at) + CATCH_UP_INTERVAL_MS : 0;
  return { ...row, due_ms: due === null ? null : tenantTime(Math.max(due, notBefore)), lease_ms: 0 };
}

/** Returns a resumed subscription, with the next date of its calendar that is not in the past. */
export function afterResume(row: SubscriptionRow, context: BillingContext): SubscriptionRow {
  const { anchor_date, start_date, frequency, next_index } = row;
  const today = dateIn(context.zone, context.now);
  const index = firstPeriodFrom(anchor_date, frequency, today, next_index, monthDayOf(anchor_date, start_date));
  const after = row.pending_index === null ? index : Math.max(index, row.pending_index + 1);
  return withDue(
    {
      ...moveToPeriod(
        { ...row, ...NO_RETRY, unpaid_since: null, paused_at: null, status: step(SUBSCRIPTION_STEPS, row.status, 'resume') },
        after,
      ),
    },
    context,
  );
}

/** Returns the date shown to people: of the next retry after a failure, else of the next period. */
export function nextPaymentDate(row: SubscriptionRow, zone: string): string | null {
  if (row.status === 'past_due' && row.retry_ms !== null) return dateIn(zone, row.retry_ms);
  return isBilled(row) ? row.next_date : null;
}

/** Returns true if the subscription is charged when a period falls due. */
const isBilled = ({ status }: SubscriptionRow): boolean => step(BILLING_STEPS, status, 'paid') === 'active';

/** Returns true if the subscription has ended, so that no operation is possible. */
const hasEnded = ({ status }: SubscriptionRow): boolean => !allows(SUBSCRIPTION_STEPS, status, 'update');
