import type { Doubt, DoubtCounts } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { brandName } from '#renderer/receipt';
import { sentenceCase, stretch } from '#renderer/ui';
import type { Decision, Inquired } from './queries.ts';

const OPERATIONS: Readonly<Record<string, string>> = {
  sale: 'Sale',
  auth: 'Authorization',
  credit: 'Credit',
  capture: 'Capture',
  cancel_capture: 'Cancelled capture',
  void: 'Void',
  refund: 'Refund',
};

export const whatIs = ({ operation }: Pick<Doubt, 'operation'>): string => OPERATIONS[operation] ?? sentenceCase(operation);

/** Returns true if the operation creates a payment. */
export const makesPayment = ({ operation }: Pick<Doubt, 'operation'>): boolean => ['sale', 'auth', 'credit'].includes(operation);

/** Returns true if the gateway may still be asked about it. */
export const isOpen = ({ stage }: Pick<Doubt, 'stage'>): boolean => stage === 'open';

/** Returns true if it is concluded, with something left for a person. */
export const hasEnded = ({ stage }: Pick<Doubt, 'stage'>): boolean => stage === 'ended';

export const canBeDecided = (doubt: Pick<Doubt, 'stage' | 'needsPerson'>): boolean => isOpen(doubt) && doubt.needsPerson;

/** "Visa 6975", "Bank 4321". */
export function paidWith({ card, bankAccount }: Pick<Doubt, 'card' | 'bankAccount'>): string {
  if (card) return `${brandName(card.brand)} ${card.last4}`;
  return bankAccount ? `Bank ${bankAccount.last4}` : '';
}

/** State and text of the chip; it asks for action only if the user may decide. */
export function chipOf({ needsPerson, pendingReason }: Doubt, canDecide: boolean): { readonly state: string; readonly word: string } {
  if (needsPerson) return { state: 'problem', word: canDecide ? 'Needs you' : 'Needs somebody' };
  return pendingReason === null ? { state: 'in_doubt', word: 'In doubt' } : { state: 'pending', word: 'In review' };
}

/** "2 min ago", or that there was no inquiry yet. */
export function lastAsked({ lastInquiryAt }: Doubt, nowMs: number): string {
  return lastInquiryAt === null ? 'not yet' : `${stretch(nowMs - Date.parse(lastInquiryAt))} ago`;
}

/** "in 40 s". */
export function nextAsked({ nextInquiryAt }: Doubt, nowMs: number): string {
  if (nextInquiryAt === null) return '';
  const leftMs = Date.parse(nextInquiryAt) - nowMs;
  return leftMs <= 0 ? 'now' : `in ${stretch(leftMs)}`;
}

/** Describes the result of an inquiry in one sentence. */
export function cameTo(doubt: Doubt, inquired: Inquired): string {
  const figure = `${whatIs(doubt)} of ${writeMoney(doubt.amount, doubt.currency)}`;
  if (inquired.ended) return `${figure}: the doubt has ended. The payment is ${inquired.transaction.status}.`;
  if (inquired.isBeingAsked) return `${figure}: the gateway is being asked at this moment and has not answered yet.`;
  return `${figure}: the gateway does not say yet what became of it. It is asked again by itself.`;
}

/** No more are listed. */
const LISTED_MAX = 200;

/** Describes the number of operations, who resolves them, and how many are listed. */
export function factsOf({ inDoubt, inReview, needsPerson }: DoubtCounts, listed: number): string {
  const total = inDoubt + inReview;
  if (total + needsPerson === 0) return 'The outcome of every payment is known.';
  const parts = [inDoubt > 0 && `${inDoubt} in doubt`, inReview > 0 && `${inReview} held for review by the gateway`].filter(Boolean);
  const rest = needsPerson === 0 ? 'nobody needs to do anything yet' : `${needsPerson} ${needsPerson === 1 ? 'needs' : 'need'} somebody`;
  const cut = listed >= LISTED_MAX && total > listed ? ` The oldest ${listed} of ${total} are listed.` : '';
  return `${[parts.join(', '), rest].filter(Boolean).join('; ')}. They are asked about by themselves and never sent twice.${cut}`;
}

/** Describes the effect of each decision on the money and the books. */
export function consequenceOf(doubt: Doubt, outcome: Decision['outcome']): string {
  const figure = writeMoney(doubt.amount, doubt.currency);
  if (outcome === 'failed') {
    if (doubt.operation === 'refund')
      return `The refund fails: ${figure} may be refunded again. If the gateway did send it, the customer gets it twice.`;
    if (makesPayment(doubt))
      return `The payment fails: nothing of it enters the books, and ${figure} may be charged again. If the gateway did take it, the customer pays twice.`;
    return 'The payment stays as it was, and the operation may be done again.';
  }
  switch (doubt.operation) {
    case 'sale':
    case 'capture':
      return `${figure} counts as taken: it enters the books, is settled and may be refunded.`;
    case 'auth':
      return `${figure} counts as authorized and may be captured.`;
    case 'refund':
    case 'credit':
      return `${figure} counts as given back to the customer.`;
    case 'void':
      return 'The payment counts as voided: nothing of it is settled.';
    default:
      return 'The capture counts as taken back: the payment is an authorization again.';
  }
}
