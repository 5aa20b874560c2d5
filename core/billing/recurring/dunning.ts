import type { RetryAdvice } from '#core/processing/gateways';
import type { Transaction } from '#core/sales/payments';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Interval between charges of missed periods, which are never charged in a burst. */
export const CATCH_UP_INTERVAL_MS = HOUR_MS;
/** Delay after an attempt that never reached the gateway: 15 seconds, then doubled each time, at most a day. */
const UNSENT_MS = 15_000;
/** Consecutive payments that did not reach the gateway before one counts as failed. */
const UNSENT_MAX = 4;
const NOT_TAKEN = 'The gateway did not accept the payment.';

/** Returns the result of a payment that the processor rejected with an error: nobody was charged, and nobody declined. */
export const faultResult = (reason: string): FailedResult => ({
  kind: 'failed',
  declined: false,
  code: 'gateway_error',
  reason,
  isFault: true,
});

/** Return codes for insufficient or uncollected funds, the only ones after which a bank allows a retry. */
const RETRYABLE_CODES: readonly string[] = ['R01', 'R09'];

/** Result of an automatic payment. */
export type Result =
  | { readonly kind: 'succeeded'; readonly isExtra?: boolean }
  /** `declined` is true if the issuer or bank declined the payment. */
  | {
      readonly kind: 'failed';
      readonly declined: boolean;
      readonly code: string;
      readonly reason: string;
      /** Advice of the processor on retries; it overrides the dunning settings. */
      readonly advice?: RetryAdvice;
      /** True if the processor or Paydesk is at fault, not the card. Such an attempt is not one of the retry schedule. */
      readonly isFault?: boolean;
      /** True if the payment method was changed while the payment was pending. The new one is then charged immediately. */
      readonly hasNewMethod?: boolean;
      /** True if a person, the payer or a new payment method caused the attempt, not the retry schedule. */
      readonly isExtra?: boolean;
    }
  /** The gateway did not answer: no attempt is counted. */
  | { readonly kind: 'unsent'; readonly reason: string; readonly isExtra?: boolean };

type FailedResult = Extract<Result, { kind: 'failed' }>;

/** Returns the delay after an attempt that never reached the gateway, by the number of such attempts before it. */
export function unsentWaitMs(unsentTries: number): number {
  return Math.min(DAY_MS, UNSENT_MS * 2 ** unsentTries);
}

/**
 * Returns the days until the next retry and the number of attempts used by then; null if there is none. If the card needs new details,
 * there is one retry after all intervals.
 */
export function nextRetry(
  intervals: readonly number[],
  failed: number,
  advice?: RetryAdvice,
): { readonly days: number; readonly tries: number } | null {
  const days = intervals[failed];
  if (days === undefined || advice?.kind === 'stop-card' || advice?.kind === 'stop-plan') return null;
  if (advice?.kind === 'update-card')
    return { days: intervals.slice(failed).reduce((sum, each) => sum + each, 0), tries: intervals.length };
  return { days: advice?.kind === 'wait' ? Math.max(days, advice.days) : days, tries: failed + 1 };
}

/** Returns the days until a retry that takes the place of one without a decline: the present interval, or a day after the last one. */
export const daysAfterFault = (intervals: readonly number[], failed: number): number => intervals[failed] ?? 1;

type PaymentState = Pick<Transaction, 'status' | 'declineCode' | 'declineReason' | 'retryAdvice'>;

/** Returns the result of an automatic payment by its state; null while it is unconfirmed. */
export function resultOf({ status, declineCode, declineReason, retryAdvice }: PaymentState, unsentTries: number): Result | null {
  switch (status) {
    case 'pending':
      return null;
    case 'declined':
      return {
        kind: 'failed',
        declined: true,
        code: declineCode ?? 'card_declined',
        reason: declineReason ?? 'Declined',
        ...(retryAdvice ? { advice: retryAdvice } : {}),
      };
    case 'failed':
      // The payment did not reach the gateway, so the card is not at fault. After several in a row, a person is needed.
      return unsentTries < UNSENT_MAX ? { kind: 'unsent', reason: NOT_TAKEN } : faultResult(NOT_TAKEN);
    default:
      // The payment succeeded, even if it was voided since.
      return { kind: 'succeeded' };
  }
}

/** Returns the result of a bank payment that the bank returned. Only some reasons allow a retry. */
export function returnedResult(code: string, reason: string): FailedResult {
  const advice: RetryAdvice | undefined = RETRYABLE_CODES.includes(code) ? undefined : { kind: 'stop-card' };
  return { kind: 'failed', declined: true, code, reason, ...(advice && { advice }) };
}
