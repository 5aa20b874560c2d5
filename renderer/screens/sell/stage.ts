import type { Transaction } from '#renderer/client';
import { type Answer, type Decline, declineOf, type Refusal } from './charge/answer.ts';
import type { SaleMode } from './form/form.ts';
import { type DeclineAdvice, declineAdvice } from './result/decline-advice.ts';
import type { Doubt } from './unconfirmed/doubts.ts';

/** What stands above the form and why the sale has not gone. */
export type Notice =
  | { readonly kind: 'declined'; readonly decline: Decline; readonly advice: DeclineAdvice }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The service gave no answer; the form may go again as it is, under the same key. */
  | { readonly kind: 'silence' }
  /** A charge in doubt has ended: nothing was taken. */
  | { readonly kind: 'failed'; readonly transactionId: string }
  /** The charge would repeat one whose outcome is open, here or at another station; `charge` is what may go all the same. */
  | { readonly kind: 'same-charge'; readonly doubt: Doubt; readonly charge: PendingCharge }
  | { readonly kind: 'bad-read' | 'interrupted' };

/** Where the sale stands. The form is on the screen at `entry` and `sending`, and kept beneath at `checking`. */
export type Stage =
  | { readonly kind: 'entry'; readonly notice: Notice | null }
  | { readonly kind: 'sending' }
  | { readonly kind: 'checking'; readonly doubt: Doubt }
  | { readonly kind: 'result'; readonly transaction: Transaction };

export const EMPTY: Stage = { kind: 'entry', notice: null };

/** A charge as it is told of while its transaction is not known. */
export type PendingCharge = Pick<Doubt, 'amount' | 'currency' | 'means'>;

/** Where an answer leads. */
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

/** Where a charge in doubt has ended; null while it has not. */
export function stageOfSettled(transaction: Transaction, mode: SaleMode): Stage | null {
  if (transaction.status === 'pending') return null;
  if (transaction.status === 'declined') return declined(declineOf(transaction), mode);
  if (transaction.status === 'failed') return { kind: 'entry', notice: { kind: 'failed', transactionId: transaction.transactionId } };
  return { kind: 'result', transaction };
}

function declined(decline: Decline, mode: SaleMode): Stage {
  return { kind: 'entry', notice: { kind: 'declined', decline, advice: declineAdvice(decline.declineCode, mode) } };
}

/** Whether the service has said for certain what became of the charge, so that the next one is another charge. */
export function isCertain(answer: Answer): boolean {
  if (answer.kind === 'silence') return false;
  return (
    answer.kind !== 'refused' ||
    (answer.refusal.status < 500 && answer.refusal.status !== 429 && answer.refusal.code !== 'RESOURCE_CONFLICT')
  );
}
