import { CATCH_UP_INTERVAL_MS, daysAfterFault, nextRetry, type Result, unsentWaitMs } from '#core/billing/recurring';
import { isoTime, later, startOfDate, step, type TenantTime, tenantTime } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { DunningSettings } from '#core/processing/merchants';
import type { InstallmentRow, PlanRow } from './schema.ts';
import { PAYMENT_STEPS } from './steps.ts';

const DAY_MS = 86_400_000;

/** Context of a plan's changes: the tenant's time, the merchant's zone and its dunning settings. */
interface PlanContext {
  readonly now: TenantTime;
  readonly zone: string;
  readonly dunning: Pick<DunningSettings, 'retryIntervalsDays'>;
}

/** A plan with its installments in the order of their numbers. */
export interface Plan {
  readonly row: PlanRow;
  readonly installments: readonly InstallmentRow[];
}

export const remainingOf = ({ amount_minor, paid_minor }: InstallmentRow): number => amount_minor - paid_minor;

/** Returns the first installment that is not fully paid; null if all are paid. */
export function nextInstallment({ installments }: Plan): InstallmentRow | null {
  return installments.find((each) => remainingOf(each) > 0) ?? null;
}

/** Distributes the paid amount over the installments in the order of their numbers. */
export function allocate(
  installments: readonly InstallmentRow[],
  paidMinor: number,
  { at, transactionId }: { readonly at: string; readonly transactionId: string | null },
): InstallmentRow[] {
  let left = paidMinor;
  return installments.map((each) => {
    const paid_minor = Math.min(left, each.amount_minor);
    left -= paid_minor;
    if (paid_minor < each.amount_minor) return { ...each, paid_minor, paid_at: null, transaction_id: null };
    return each.paid_at === null ? { ...each, paid_minor, paid_at: at, transaction_id: transactionId } : each;
  });
}

/**
 * Returns the plan after the paid amount of its invoice changed. A payment pays the installments in the order of their numbers: it completes or
 * shortens the plan. A voided payment reopens the installments that were paid last, and pauses the plan.
 */
export function afterBalance(
  plan: Plan,
  invoicePaidMinor: number,
  { transactionId, isVoid }: { readonly transactionId: string | null; readonly isVoid: boolean },
  context: PlanContext,
): Plan {
  const { row } = plan;
  // A void of a payment from before the plan leaves an amount that the plan does not cover.
  const base_minor = Math.min(row.base_minor, invoicePaidMinor);
  const paid_minor = Math.min(row.amount_minor, invoicePaidMinor - base_minor);
  if (base_minor === row.base_minor && paid_minor === row.paid_minor) return plan;
  const at = isoTime(context.now);
  const installments = allocate(plan.installments, paid_minor, { at, transactionId });
  const next_number = nextInstallment({ row, installments })?.number ?? null;
  const counted: PlanRow = { ...row, base_minor, paid_minor, next_number, updated_at: at };
  if (paid_minor > row.paid_minor) {
    const isAdvanced = next_number !== row.next_number;
    const paid: PlanRow = isAdvanced ? { ...counted, ...NO_FAILURE, status: step(PAYMENT_STEPS, row.status, 'settle') } : counted;
    if (next_number !== null) return { row: paid, installments };
    return { row: { ...paid, status: step(PAYMENT_STEPS, row.status, 'complete'), completed_at: at, paused_at: null }, installments };
  }
  if (!isVoid || paid_minor === row.paid_minor) return { row: counted, installments };
  const status = step(PAYMENT_STEPS, row.status, 'reopen');
  const reopened = { ...counted, ...NO_FAILURE, status, completed_at: null };
  const pause = row.status === 'paused' || status !== 'paused' ? {} : ({ pause_reason: 'payment_voided', paused_at: at } as const);
  return { row: { ...reopened, ...pause }, installments };
}

const NO_FAILURE = {
  failed_attempts: 0,
  retry_ms: null,
  unsent_tries: 0,
  last_decline_code: null,
  last_reason: null,
  past_due_at: null,
} satisfies Partial<PlanRow>;

/**
 * Returns true if an attempt was made before the time of the scheduled retry, or after the last one: by a person, the payer or a change of the payment
 * method. It leaves the retry schedule unchanged.
 */
const isExtraAttempt = ({ status, retry_ms }: PlanRow, startedMs: number): boolean =>
  status === 'past_due' || (retry_ms !== null && startedMs < retry_ms);

/**
 * Returns the row after an attempt without success that began at a time: with the next retry by the dunning settings and the processor's advice, or
 * past due. Only attempts of the retry schedule use it up, not those by a person or a fault of the processor.
 */
export function afterFailure(
  row: PlanRow,
  result: Exclude<Result, { kind: 'succeeded' }>,
  { now, dunning }: PlanContext,
  startedMs: number = now,
): PlanRow {
  const failed = { ...row, last_reason: result.reason, updated_at: isoTime(now) };
  const isExtra = isExtraAttempt(row, startedMs);
  if (result.kind === 'unsent' && isExtra) return failed;
  if (result.kind === 'unsent')
    return { ...failed, unsent_tries: row.unsent_tries + 1, retry_ms: later(now, unsentWaitMs(row.unsent_tries)) };
  const next = nextRetry(dunning.retryIntervalsDays, row.failed_attempts, result.advice);
  const counted = { ...failed, unsent_tries: 0, last_decline_code: result.code };
  // A paused or canceled plan is not retried.
  if (row.status !== 'active' && row.status !== 'past_due') return { ...counted, retry_ms: null };
  if (isExtra) return counted;
  if (result.isFault) return { ...counted, retry_ms: later(now, daysAfterFault(dunning.retryIntervalsDays, row.failed_attempts) * DAY_MS) };
  if (next !== null) return { ...counted, failed_attempts: next.tries, retry_ms: later(now, next.days * DAY_MS) };
  const status = step(PAYMENT_STEPS, row.status, 'fail');
  const past_due_at = row.past_due_at ?? isoTime(now);
  return { ...counted, status, past_due_at, failed_attempts: row.failed_attempts + 1, retry_ms: null };
}

/** Returns true if the next installment of a plan failed and can be retried. */
export const hasFailed = ({ status, retry_ms }: PlanRow): boolean => status === 'past_due' || (status === 'active' && retry_ms !== null);

/** Returns the row with the time of its next charge. */
export function withDue({ row, installments }: Plan, context: Pick<PlanContext, 'now' | 'zone'>): PlanRow {
  return { ...row, ...released(dueTimeOf({ row, installments }, context)) };
}

function dueTimeOf(plan: Plan, { now, zone }: Pick<PlanContext, 'now' | 'zone'>): TenantTime | null {
  const { row } = plan;
  // The outcome of a pending payment comes first.
  if (row.pending_transaction !== null) return null;
  if (row.status === 'past_due') return row.retry_ms;
  const next = nextInstallment(plan);
  if (row.status !== 'active' || next === null) return null;
  if (row.retry_ms !== null) return row.retry_ms;
  const due = startOfDate(zone, next.due_date);
  // Installments that became due during a pause or a failure follow one after the other, never in a burst.
  const notBefore = row.last_payment_at !== null && due < now ? Date.parse(row.last_payment_at) + CATCH_UP_INTERVAL_MS : 0;
  return tenantTime(Math.max(due, notBefore));
}
