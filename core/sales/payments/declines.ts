import type { ErrorCode } from '#core/kernel';
import type { RetryAdvice } from '#core/processing/gateways';
import type { Transaction } from './records.ts';

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  R01: 'INSUFFICIENT_FUNDS',
  card_declined: 'CARD_DECLINED',
  exceeds_limit: 'EXCEEDS_LIMIT',
  avs_failure: 'AVS_MISMATCH',
  cvv_failure: 'CVV_MISMATCH',
  invalid_account: 'INVALID_CARD',
  invalid_expiry: 'INVALID_CARD',
};

/** The parts of a declined payment that its error code depends on. */
interface Decline {
  readonly declineCode: string | null;
  readonly avsResponse: string | null;
  readonly cvvResponse: string | null;
}

const CHECK_DECLINES: ReadonlySet<string> = new Set(['avs_failure', 'cvv_failure']);

/** Returns the error code of a payment, and its details in the AVS and CVV category; both are null unless the payment was declined. */
export function declineErrorOf({ declineCode, avsResponse, cvvResponse }: Decline): {
  readonly errorCode: ErrorCode | null;
  readonly details: Transaction['details'];
} {
  if (declineCode === null) return { errorCode: null, details: null };
  if (!CHECK_DECLINES.has(declineCode)) return { errorCode: ERROR_CODES[declineCode] ?? 'TRANSACTION_DECLINED', details: null };
  const areBothMismatches = avsResponse === 'N' && cvvResponse === 'N';
  return { errorCode: areBothMismatches ? 'AVS_CVV_MISMATCH' : (ERROR_CODES[declineCode] ?? null), details: { avsResponse, cvvResponse } };
}

/** Returns the stored form of a processor's advice: its kind, and the days to wait. */
export function adviceText(advice: RetryAdvice): string {
  return advice.kind === 'wait' ? `wait:${advice.days}` : advice.kind;
}

export function adviceOf(text: string | null): RetryAdvice | null {
  if (text === null) return null;
  const [kind, days] = text.split(':');
  if (kind === 'wait') return { kind, days: Number(days) };
  return kind === 'stop-card' || kind === 'stop-plan' || kind === 'update-card' ? { kind } : null;
}
