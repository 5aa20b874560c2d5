import type { Tender, Transaction } from '#renderer/base/client';
import { type ChargeResult, type Decline, declineOf, type Refusal } from '../charge/charge-result.ts';
import type { EarlierCharge } from '../charge/earlier-charge.ts';
import type { PendingCharge, UnconfirmedCharge } from '../charge/unconfirmed-charges.ts';
import type { SaleMode } from '../form/form.ts';
import { type DeclineAdvice, declineAdvice } from './decline-advice.ts';

/** Notice above the form with the reason why the sale was not charged. */
export type Notice =
  | { readonly kind: 'declined'; readonly decline: Decline; readonly advice: DeclineAdvice }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The service did not respond; the unchanged form may be sent again under the same key. */
  | { readonly kind: 'no-response' }
  /** An unconfirmed charge failed: nothing was charged. */
  | { readonly kind: 'failed'; readonly transactionId: string }
  /** A payment ended on its card reader before the card was charged. */
  | { readonly kind: 'not-charged-on-reader'; readonly terminal: TerminalPayment }
  /** The charge would repeat an earlier one of this or another workstation; `charge` may be sent nevertheless. */
  | { readonly kind: 'same-charge'; readonly earlier: EarlierCharge; readonly charge: PendingCharge }
  | { readonly kind: 'bad-read' | 'interrupted' };

/** Stage of the sale. The form is visible at `entry` and `sending`, and hidden otherwise. */
export type Stage =
  | { readonly kind: 'entry'; readonly notice: Notice | null }
  | { readonly kind: 'sending' }
  | { readonly kind: 'checking'; readonly unconfirmed: UnconfirmedCharge }
  | { readonly kind: 'result'; readonly transaction: Transaction }
  /** Cash, a check or another tender was recorded. */
  | { readonly kind: 'recorded'; readonly tender: Tender };

type TerminalPayment = NonNullable<Transaction['terminal']>;

export const EMPTY: Stage = { kind: 'entry', notice: null };

/** Returns the stage after the result of a charge. */
export function stageAfter(result: ChargeResult, charge: PendingCharge, mode: SaleMode): Stage {
  switch (result.kind) {
    case 'approved':
      return { kind: 'result', transaction: result.transaction };
    case 'pending':
      return { kind: 'checking', unconfirmed: pendingCharge(result.transaction, charge) };
    case 'unconfirmed':
      return { kind: 'checking', unconfirmed: { ...charge, transactionId: result.transactionId, reason: 'no-response' } };
    case 'declined':
      return declined(result.decline, mode);
    case 'refused':
      return { kind: 'entry', notice: { kind: 'refused', refusal: result.refusal } };
    case 'no-response':
      return { kind: 'entry', notice: { kind: 'no-response' } };
  }
}

/** Returns a pending payment as the screen watches it. */
export function pendingCharge({ transactionId, pendingReason, terminal }: Transaction, charge: PendingCharge): UnconfirmedCharge {
  const reader = terminal && { terminalId: terminal.terminalId, name: terminal.name };
  return { ...charge, transactionId, reason: pendingReason === 'held_for_review' ? 'held' : 'no-response', ...(reader && { reader }) };
}

/** Returns the stage after an unconfirmed charge; null while it is unconfirmed. */
export function stageOfConfirmed(transaction: Transaction, mode: SaleMode): Stage | null {
  const { status, terminal } = transaction;
  if (status === 'pending') return null;
  if (status === 'declined') return declined(declineOf(transaction), terminal ? 'reader' : mode);
  if (status === 'failed' && terminal) return { kind: 'entry', notice: { kind: 'not-charged-on-reader', terminal } };
  if (status === 'failed') return { kind: 'entry', notice: { kind: 'failed', transactionId: transaction.transactionId } };
  return { kind: 'result', transaction };
}

function declined(decline: Decline, mode: SaleMode): Stage {
  return { kind: 'entry', notice: { kind: 'declined', decline, advice: declineAdvice(decline.declineCode, mode) } };
}
