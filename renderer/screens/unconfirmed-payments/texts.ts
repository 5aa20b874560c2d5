import type { UnconfirmedCounts, UnconfirmedOperation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { formatDuration, sentenceCase } from '#renderer/ui';
import { brandName } from '#shared/card-brands';
import type { Inquired, RecordedOutcome } from './queries.ts';

const OPERATIONS: Readonly<Record<string, string>> = {
  sale: 'Sale',
  auth: 'Authorization',
  credit: 'Credit',
  capture: 'Capture',
  cancel_capture: 'Capture cancellation',
  adjust: 'Change of the amount',
  void: 'Void',
  refund: 'Refund',
};

export const operationName = ({ operation }: Pick<UnconfirmedOperation, 'operation'>): string =>
  OPERATIONS[operation] ?? sentenceCase(operation);

/** Returns true if the operation creates a payment. */
export const createsPayment = ({ operation }: Pick<UnconfirmedOperation, 'operation'>): boolean =>
  ['sale', 'auth', 'credit'].includes(operation);

/** Returns true if the gateway can still be asked for the outcome. */
export const isOpen = ({ stage }: Pick<UnconfirmedOperation, 'stage'>): boolean => stage === 'open';

/** Returns true if the outcome is known but a person must still resolve a consequence. */
export const isConcluded = ({ stage }: Pick<UnconfirmedOperation, 'stage'>): boolean => stage === 'ended';

export const needsOutcome = (operation: Pick<UnconfirmedOperation, 'stage' | 'needsPerson'>): boolean =>
  isOpen(operation) && operation.needsPerson;

/** "Visa 6975", "Bank 4321". */
export function paidWith({ card, bankAccount }: Pick<UnconfirmedOperation, 'card' | 'bankAccount'>): string {
  if (card) return `${brandName(card.brand)} ${card.last4}`;
  return bankAccount ? `Bank ${bankAccount.last4}` : '';
}

/** Returns state and label of the status chip. */
export function chipOf({ needsPerson, pendingReason }: UnconfirmedOperation): { readonly state: string; readonly label: string } {
  if (needsPerson) return { state: 'problem', label: 'Needs attention' };
  return pendingReason === null ? { state: 'in_doubt', label: 'Unconfirmed' } : { state: 'pending', label: 'In review' };
}

/** Returns the time of the last inquiry, such as "2 min ago". */
export function lastInquiryText({ lastInquiryAt }: UnconfirmedOperation, nowMs: number): string {
  return lastInquiryAt === null ? 'not yet' : `${formatDuration(nowMs - Date.parse(lastInquiryAt))} ago`;
}

/** Returns the time until the next inquiry, such as "in 40 s". */
export function nextInquiryText({ nextInquiryAt }: UnconfirmedOperation, nowMs: number): string {
  if (nextInquiryAt === null) return '';
  const leftMs = Date.parse(nextInquiryAt) - nowMs;
  return leftMs <= 0 ? 'now' : `in ${formatDuration(leftMs)}`;
}

/** Describes the result of an inquiry in one sentence. */
export function inquiryResultText(operation: UnconfirmedOperation, inquired: Inquired): string {
  const subject = `${operationName(operation)} of ${writeMoney(operation.amount, operation.currency)}`;
  if (inquired.ended) return `${subject}: confirmed. The payment is ${inquired.transaction.status}.`;
  if (inquired.isBeingAsked) return `${subject}: a check is already in progress, and the gateway has not responded yet.`;
  return `${subject}: the gateway has no outcome yet. We check again automatically.`;
}

/** Largest number of listed operations. */
const LISTED_MAX = 200;

/** Describes the number of operations, who resolves them, and how many are listed. */
export function factsOf({ inDoubt, inReview, needsPerson }: UnconfirmedCounts, listed: number): string {
  const total = inDoubt + inReview;
  if (total + needsPerson === 0) return 'The outcome of every payment is confirmed.';
  const parts = [inDoubt > 0 && `${inDoubt} unconfirmed`, inReview > 0 && `${inReview} held for review by the gateway`].filter(Boolean);
  const attention = needsPerson === 0 ? 'no action needed yet' : `${needsPerson} ${needsPerson === 1 ? 'needs' : 'need'} attention`;
  const truncation = listed >= LISTED_MAX && total > listed ? ` The oldest ${listed} of ${total} are listed.` : '';
  return `${[parts.join(', '), attention].filter(Boolean).join('; ')}. We check automatically and never send a payment twice.${truncation}`;
}

/** Describes the effect of a recorded outcome on the money and the ledger. */
export function consequenceOf(operation: UnconfirmedOperation, outcome: RecordedOutcome['outcome']): string {
  const subject = writeMoney(operation.amount, operation.currency);
  if (outcome === 'failed') {
    if (operation.operation === 'refund')
      return `The refund is recorded as failed, and ${subject} can be refunded again. If the gateway did send it, the customer receives it twice.`;
    if (createsPayment(operation))
      return `The payment is recorded as failed and isn’t booked, and ${subject} can be charged again. If the gateway did charge it, the customer pays twice.`;
    return 'The payment is unchanged, and the operation can be repeated.';
  }
  switch (operation.operation) {
    case 'sale':
    case 'capture':
      return `${subject} is recorded as captured: it is booked, is settled and can be refunded.`;
    case 'auth':
      return `${subject} is recorded as authorized and can be captured.`;
    case 'refund':
    case 'credit':
      return `${subject} is recorded as refunded to the customer.`;
    case 'void':
      return 'The payment is recorded as voided and isn’t settled.';
    default:
      return 'The capture is recorded as canceled: the payment is an authorization again.';
  }
}
