import type { Transaction } from '#renderer/client';
import { type Answer, type Decline, declineOf, type Refusal } from './charge/answer.ts';
import type { SaleMode } from './form/form.ts';
import { type DeclineAdvice, declineAdvice } from './result/decline-advice.ts';
import type { Doubt } from './unconfirmed/doubts.ts';

/** Notice above the form with the reason why the sale was not charged. */
export type Notice =
  | { readonly kind: 'declined'; readonly decline: Decline; readonly advice: DeclineAdvice }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The service did not answer; the unchanged form may be sent again under the same key. */
  | { readonly kind: 'silence' }
  /** A charge in doubt has ended: nothing was taken. */
  | { readonly kind: 'failed'; readonly transactionId: string }
  /** The charge would repeat an unconfirmed one of this or another workstation; `charge` may be sent nevertheless. */
  | { readonly kind: 'same-charge'; readonly doubt: Doubt; readonly charge: PendingCharge }
  | { readonly kind: 'bad-read' | 'interrupted' };

/** Stage of the sale. The form is visible at `entry` and `sending`, and hidden at `checking`. */
export type Stage =
  | { readonly kind: 'entry'; readonly notice: Notice | null }
  | { readonly kind: 'sending' }
  | { readonly kind: 'checking'; readonly doubt: Doubt }
  | { readonly kind: 'result'; readonly transaction: Transaction };

export const EMPTY: Stage = { kind: 'entry', notice: null };

/** Description of a charge whose transaction is not known yet. */
export type PendingCharge = Pick<Doubt, 'amount' | 'currency' | 'means'>;

/** Returns the stage after an answer. */
export function stageAfter(answer: Answer, charge: PendingCharge, mode: SaleMode): Stage {
  switch (answer.kind) {
    case 'approved':
      return { kind: 'result', transaction: answer.transaction };
    case 'pending':
      return {
        kind: 'checking',
        doubt: { ...charge, transactionId: answer.transaction.transactionId, reason: reasonOf(answer.transaction) },
      };
    case 'doubt':
      return { kind: 'checking', doubt: { ...charge, transactionId: answer.transactionId, reason: 'lost' } };
    case 'declined':
      return declined(answer.decline, mode);
    case 'refused':
      return { kind: 'entry', notice: { kind: 'refused', refusal: answer.refusal } };
    case 'silence':
      return { kind: 'entry', notice: { kind: 'silence' } };
  }
}

function reasonOf({ pendingReason }: Transaction): Doubt['reason'] {
  return pendingReason === 'held_for_review' ? 'held' : 'lost';
}

/** Returns the stage after an unconfirmed charge; null while it is unconfirmed. */
export function stageOfSettled(transaction: Transaction, mode: SaleMode): Stage | null {
  if (transaction.status === 'pending') return null;
  if (transaction.status === 'declined') return declined(declineOf(transaction), mode);
  if (transaction.status === 'failed') return { kind: 'entry', notice: { kind: 'failed', transactionId: transaction.transactionId } };
  return { kind: 'result', transaction };
}

function declined(decline: Decline, mode: SaleMode): Stage {
  return { kind: 'entry', notice: { kind: 'declined', decline, advice: declineAdvice(decline.declineCode, mode) } };
}

/** Returns true if the outcome of the charge is certain, so that the next charge is another one. */
export function isCertain(answer: Answer): boolean {
  if (answer.kind === 'silence') return false;
  return (
    answer.kind !== 'refused' ||
    (answer.refusal.status < 500 && answer.refusal.status !== 429 && answer.refusal.code !== 'RESOURCE_CONFLICT')
  );
}
