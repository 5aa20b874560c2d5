import type { Outcome } from '#core/gateways';
import { ServiceError } from '#core/kernel';
import type { AttemptRow } from './schema.ts';

/** An outcome that ends the attempt. */
export type Final = Exclude<Outcome, { kind: 'unknown' } | { kind: 'pending' }>;

/** The word that the history keeps for an outcome. */
export function resultOf(outcome: Final): string {
  return outcome.kind === 'not-sent' ? 'failed' : outcome.kind;
}

/** Why it came to that, for the history. */
export function reasonOf(outcome: Final): string | null {
  if (outcome.kind === 'declined') return `${outcome.declineCode}: ${outcome.declineReason}`;
  return outcome.kind === 'not-sent' ? outcome.reason : null;
}

/** The error of a question that certainly had no effect. */
export function refusal(outcome: Extract<Outcome, { kind: 'not-sent' }>, attempt: AttemptRow): ServiceError {
  const details = { transactionId: attempt.transaction_id };
  if (outcome.retry === 'unavailable') {
    return new ServiceError('GATEWAY_UNAVAILABLE', 'The payment gateway cannot be reached. Nothing was charged; try again shortly.', {
      details,
    });
  }
  return new ServiceError('GATEWAY_ERROR', 'The payment gateway answered with an error. Nothing was charged.', { details });
}
