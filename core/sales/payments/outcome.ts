import { ServiceError } from '#core/kernel';
import type { Outcome } from '#core/processing/gateways';
import type { AttemptRow } from './schema.ts';

/** An outcome that ends the attempt. */
export type TerminalOutcome = Exclude<Outcome, { kind: 'unknown' } | { kind: 'pending' }>;

/** Returns the result of an outcome as the history stores it. */
export function resultOf(outcome: TerminalOutcome): string {
  return outcome.kind === 'not-sent' ? 'failed' : outcome.kind;
}

/** Returns the reason of the result for the history. */
export function reasonOf(outcome: TerminalOutcome): string | null {
  if (outcome.kind === 'declined') return `${outcome.declineCode}: ${outcome.declineReason}`;
  return outcome.kind === 'not-sent' ? outcome.reason : null;
}

const READER_ADVICE = {
  terminal_busy: 'Nothing was charged. Wait until its payment ends, or cancel it there.',
  terminal_offline: 'Nothing was charged. Check its power and its network, and try again.',
} as const;

/** Returns the error of a request that certainly had no effect. */
export function refusal(outcome: Extract<Outcome, { kind: 'not-sent' }>, attempt: AttemptRow): ServiceError {
  const details = { transactionId: attempt.transaction_id };
  if (outcome.refusedBy !== undefined)
    return new ServiceError('RESOURCE_CONFLICT', `${outcome.reason} ${READER_ADVICE[outcome.refusedBy]}`, {
      details: { ...details, reason: outcome.refusedBy },
    });
  if (outcome.retry === 'unavailable') {
    return new ServiceError('GATEWAY_UNAVAILABLE', 'The payment gateway cannot be reached. Nothing was charged. Try again shortly.', {
      details,
    });
  }
  if (outcome.code === 'RESOURCE_CONFLICT' && attempt.operation === 'void') {
    const message = 'The payment is settled at its processor and can no longer be voided. Refund it instead.';
    return new ServiceError('RESOURCE_CONFLICT', message, { details: { ...details, reason: 'settled_at_gateway' } });
  }
  if (outcome.code !== undefined) return new ServiceError(outcome.code, outcome.reason, { details });
  return new ServiceError('GATEWAY_ERROR', 'The payment gateway responded with an error. Nothing was charged.', { details });
}

/** Returns true if the error represents a refusal by the gateway. It is recorded already, so jobs can ignore it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.status < 500 || error.code.startsWith('GATEWAY_'));
}
