import type { RetryAdvice } from '#core/gateways';
import { addDays, allows, dateIn, isoTime, later, startOfDate, step, type TenantTime, tenantTime } from '#core/kernel';
import type { DunningSettings } from '#core/merchants';
import { dateOfPeriod, firstPeriodFrom, lastPeriodUpTo } from './calendar.ts';
import type { SubscriptionRow } from './schema.ts';
import { BILLING_STEPS, SUBSCRIPTION_STEPS } from './steps.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Missed periods are charged this far apart, never in a burst. */
const CATCH_UP_APART_MS = HOUR_MS;
/** Waits after a try that never reached the gateway: a quarter of a minute, then twice as long each time, at most a day. */
const UNSENT_MS = 15_000;
const UNSENT_MAX_MS = DAY_MS;

/** Context of a subscription's changes: the tenant's time, the merchant's zone and its dunning settings. */
export interface BillingContext {
  readonly now: TenantTime;
  readonly zone: string;
  readonly dunning: DunningSettings;
}

/** Result of the payment of a period. */
export type Result =
  | { readonly kind: 'succeeded' }
  /** `declined` is whether the card or account was asked and refused. */
  | {
      readonly kind: 'failed';
      readonly declined: boolean;
      readonly code: string;
      readonly reason: string;
      /** Advice of the processor on retries; it overrides the dunning settings (decisions 10). */
      readonly advice?: RetryAdvice;
    }
  /** The gateway did not answer: no attempt is counted. */
  | { readonly kind: 'unsent'; readonly reason: string };

export interface DuePeriod {
  /** Periods between the next one and this one are skipped. */
  readonly index: number;
  readonly date: string;
}

/** The period to be charged today, if there is one: after days without a service the present one alone, or each that was missed. */
export function periodDue(row: SubscriptionRow, { now, zone, dunning }: BillingContext): DuePeriod | null {
  const today = dateIn(zone, now);
  if (row.next_date === null || row.next_date > today) return null;
  if (dunning.missedPeriods === 'each') return { index: row.next_index, date: row.next_date };
  const until = row.end_date !== null && row.end_date < today ? row.end_date : today;
  const index = Math.max(row.next_index, lastPeriodUpTo(row.anchor_date, row.frequency, until));
  return { index, date: dateOfPeriod(row.anchor_date, row.frequency, index) };
}

/** Returns the time at which a subscription is due next; null if nothing is to come. */
export function dueOf(row: SubscriptionRow, { now, zone }: Pick<BillingContext, 'now' | 'zone'>): TenantTime | null {
  if (row.status === 'past_due') return row.retry_ms;
  if (row.status !== 'active') return null;
  if (row.next_date !== null) return tenantTime(startOfDate(zone, row.next_date));
  // Paid for until its last day is over.
  return row.end_date === null ? now : tenantTime(startOfDate(zone, addDays(row.end_date, 1)));
}

/** Makes a period the next one to charge; none if it lies behind the end date. */
export function goTo(row: SubscriptionRow, index: number): SubscriptionRow {
  const date = dateOfPeriod(row.anchor_date, row.frequency, index);
  const isPast = row.end_date !== null && date > row.end_date;
  return { ...row, next_index: index, next_date: isPast ? null : date };
}

/** Returns true if an active subscription has ended: no payment is left, and its last day is over. */
export function isOver(row: SubscriptionRow, { now, zone }: Pick<BillingContext, 'now' | 'zone'>): boolean {
  if (row.total_payments !== null && row.payments_made >= row.total_payments) return true;
  return row.next_date === null && (row.end_date === null || dateIn(zone, now) > row.end_date);
}

export function expire(row: SubscriptionRow, now: number): SubscriptionRow {
  return {
    ...row,
    status: step(BILLING_STEPS, row.status, 'finish'),
    expired_at: isoTime(now),
    next_date: null,
    retry_ms: null,
    failed_attempts: 0,
  };
}

const calm = { failed_attempts: 0, retry_ms: null, unsent_tries: 0 } satisfies Partial<SubscriptionRow>;

/**
 * Returns a subscription after the result of a period. If a person paused or canceled it in the meantime, the payment counts, but the
 * status stays.
 */
export function afterPayment(row: SubscriptionRow, index: number, result: Result, of: BillingContext): SubscriptionRow {
  const at = isoTime(of.now);
  const isAlive = isBilled(row);
  const still = isAlive ? {} : { due_ms: null, lease_ms: 0 };
  const free = { ...row, ...still, busy_transaction: null, busy_payment: null, busy_index: null, updated_at: at };
  switch (result.kind) {
    case 'succeeded': {
      const paid: SubscriptionRow = {
        ...free,
        ...calm,
        payments_made: row.payments_made + 1,
        last_payment_at: at,
        last_result: 'succeeded',
        last_reason: null,
      };
      const moved = hasEnded(row) ? paid : goTo(paid, Math.max(row.next_index, index + 1));
      if (!isAlive) return moved;
      const next: SubscriptionRow = { ...moved, status: step(BILLING_STEPS, row.status, 'paid') };
      return isOver(next, of) ? expire(next, of.now) : withDue(next, of);
    }
    case 'failed': {
      const failed: SubscriptionRow = { ...free, unsent_tries: 0, last_result: 'failed', last_reason: result.reason };
      if (!isAlive) return failed;
      // Paused and resumed in the meantime: the period was skipped.
      return row.next_index > index ? withDue(failed, of) : dunned(goTo(failed, index), of, result.advice);
    }
    default: {
      const wait = Math.min(UNSENT_MAX_MS, UNSENT_MS * 2 ** row.unsent_tries);
      const tried = { ...free, unsent_tries: row.unsent_tries + 1, last_reason: result.reason };
      if (!isAlive) return tried;
      const retry_ms = row.status === 'past_due' ? later(of.now, wait) : null;
      return { ...tried, retry_ms, due_ms: later(of.now, wait), lease_ms: 0 };
    }
  }
}

/**
 * A subscription after the bank gave the payment of a period back. The latest one is asked for again like one that was declined; an earlier one is only
 * no longer counted, since the plan has gone on. `index` is null where the calendar has changed since.
 */
export function afterReturn(
  row: SubscriptionRow,
  index: number | null,
  failed: Extract<Result, { kind: 'failed' }>,
  of: BillingContext,
): SubscriptionRow {
  const unpaid = { ...row, payments_made: row.payments_made - 1, updated_at: isoTime(of.now) };
  const isLatest = index !== null && row.next_index === index + 1 && row.busy_transaction === null;
  const status = step(BILLING_STEPS, row.status, 'reopen');
  if (!isLatest || status !== 'active') return unpaid;
  const before: SubscriptionRow = { ...unpaid, ...calm, status, expired_at: null };
  return afterPayment(goTo(before, index), index, failed, of);
}

/** One more failed try: the next one by the processor's advice and the merchant's table, or its end. */
function dunned(row: SubscriptionRow, { now, dunning }: BillingContext, advice?: RetryAdvice): SubscriptionRow {
  const next = nextTry(dunning.retryIntervalsDays, row.failed_attempts, advice);
  if (next !== null) {
    const retry_ms = later(now, next.days * DAY_MS);
    const status = step(BILLING_STEPS, row.status, 'declined');
    return { ...row, status, failed_attempts: next.tries, retry_ms, due_ms: retry_ms, lease_ms: 0 };
  }
  if (dunning.finalAction === 'pause') {
    const status = step(BILLING_STEPS, row.status, 'pause');
    return { ...row, ...calm, status, paused_at: isoTime(now), due_ms: null, lease_ms: 0 };
  }
  return ended(row, now, 'service', 'payment_failed');
}

/**
 * Returns the days until the next retry and the number of attempts used by then; null if there is none. If the card needs new details,
 * there is one retry after the whole table.
 */
function nextTry(table: readonly number[], failed: number, advice?: RetryAdvice): { readonly days: number; readonly tries: number } | null {
  const days = table[failed];
  if (days === undefined || advice?.kind === 'stop-card' || advice?.kind === 'stop-plan') return null;
  if (advice?.kind === 'update-card') return { days: table.slice(failed).reduce((sum, each) => sum + each, 0), tries: table.length };
  return { days: advice?.kind === 'wait' ? Math.max(days, advice.days) : days, tries: failed + 1 };
}

/** A subscription as its cancellation leaves it. A payment under way is still waited for. */
export function ended(row: SubscriptionRow, now: number, by: string, reason: string | null): SubscriptionRow {
  const cancelled: SubscriptionRow = {
    ...row,
    ...calm,
    status: step(SUBSCRIPTION_STEPS, row.status, 'cancel'),
    cancelled_at: isoTime(now),
    cancelled_by: by,
    cancel_reason: reason,
    next_date: null,
  };
  return row.busy_transaction === null ? { ...cancelled, due_ms: null, lease_ms: 0 } : cancelled;
}

/** The row with the time at which it is looked at next. What should have been charged before comes later, one after the other. */
export function withDue(row: SubscriptionRow, of: Pick<BillingContext, 'now' | 'zone'>): SubscriptionRow {
  // A payment under way is waited for first.
  if (row.busy_transaction !== null) return row;
  const due = dueOf(row, of);
  const apart = row.last_payment_at !== null && due !== null && due < of.now ? Date.parse(row.last_payment_at) + CATCH_UP_APART_MS : 0;
  return { ...row, due_ms: due === null ? null : tenantTime(Math.max(due, apart)), lease_ms: 0 };
}

/** Returns a resumed subscription, with the next date of its calendar that is not in the past (decisions 11). */
export function resumed(row: SubscriptionRow, of: BillingContext): SubscriptionRow {
  const index = firstPeriodFrom(row.anchor_date, row.frequency, dateIn(of.zone, of.now), row.next_index);
  const after = row.busy_index === null ? index : Math.max(index, row.busy_index + 1);
  return withDue({ ...goTo({ ...row, ...calm, paused_at: null, status: step(SUBSCRIPTION_STEPS, row.status, 'resume') }, after) }, of);
}

/** Returns the date shown to people: of the next retry after a failure, else of the next period. */
export function nextPaymentDate(row: SubscriptionRow, zone: string): string | null {
  if (row.status === 'past_due' && row.retry_ms !== null) return dateIn(zone, row.retry_ms);
  return isBilled(row) ? row.next_date : null;
}

/** Returns true if the subscription is charged when a period falls due. */
const isBilled = ({ status }: SubscriptionRow): boolean => step(BILLING_STEPS, status, 'paid') === 'active';

/** Returns true if the subscription is over for good: nothing can be done with it. */
const hasEnded = ({ status }: SubscriptionRow): boolean => !allows(SUBSCRIPTION_STEPS, status, 'update');
