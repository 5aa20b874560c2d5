import { hideCardNumbers } from '#renderer/card-entry';
import { writeMoney } from '#renderer/money';
import { type ReceiptSubject, type ReceiptTransaction, receiptSettings } from './subject.ts';

export type ReceiptMark = 'SANDBOX' | 'VOID' | 'REFUND' | 'DUPLICATE';

/** What a receipt says, apart from the paper it goes on. All text is safe to show: no control signs, no card number. */
export interface ReceiptContent {
  readonly heading: string;
  readonly underHeading: readonly string[];
  readonly marks: readonly ReceiptMark[];
  readonly title: string;
  readonly facts: readonly ReceiptFact[];
  readonly total: ReceiptFact;
  readonly items: readonly string[];
  readonly signature: { readonly kind: 'line' } | { readonly kind: 'words'; readonly words: string } | null;
  readonly copyLine: string;
  readonly footer: readonly string[];
}

export interface ReceiptFact {
  readonly label: string;
  readonly value: string;
}

const TITLES: Readonly<Record<string, string>> = { sale: 'Sale', auth: 'Authorization', credit: 'Credit' };
const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', discover: 'Discover' };
const ENTRIES: Readonly<Record<string, string>> = { keyed: 'Keyed', swiped: 'Swiped', saved: 'Card on file', api: 'Online' };

/** A brand as people write it. */
export function brandName(brand: string): string {
  return BRANDS[brand.toLowerCase()] ?? brand;
}

/**
 * Puts together what the card schemes and FACTA want on a receipt, and leaves out what they forbid: last four digits only,
 * never the expiry (experience 1.3).
 */
export function receiptContent(subject: ReceiptSubject): ReceiptContent {
  const { transaction, refund, merchant } = subject;
  const gives = refund !== undefined || transaction.type === 'credit';
  const { header, footer } = receiptSettings(merchant);
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  return {
    heading: plain(merchant.name),
    underHeading: [place, ...lines(header)].filter(Boolean).map(plain),
    marks: marksOf(subject, gives),
    title: refund ? 'Refund' : (TITLES[transaction.type] ?? transaction.type),
    facts: factsOf(subject, gives),
    total: {
      label: totalLabel(subject),
      value: writeMoney(refund?.amount ?? transaction.amount, transaction.currency),
    },
    items: transaction.description === null ? [] : lines(transaction.description).map(plain),
    signature: subject.copy === 'merchant' && !gives && transaction.status === 'approved' ? signatureOf(transaction) : null,
    copyLine: subject.copy === 'merchant' ? 'Merchant copy' : 'Customer copy. Please keep it for your records.',
    footer: lines(footer).map(plain),
  };
}

function totalLabel({ transaction, refund }: ReceiptSubject): string {
  if (refund) return 'Refunded';
  if (transaction.status === 'declined') return 'Not charged';
  return transaction.type === 'credit' ? 'Credited' : 'Total';
}

function marksOf({ transaction, sandbox, duplicate }: ReceiptSubject, gives: boolean): ReceiptMark[] {
  const marks: ReceiptMark[] = [];
  if (sandbox) marks.push('SANDBOX');
  if (gives) marks.push('REFUND');
  if (transaction.status === 'voided') marks.push('VOID');
  if (duplicate) marks.push('DUPLICATE');
  return marks;
}

function factsOf({ transaction, refund, merchant }: ReceiptSubject, gives: boolean): ReceiptFact[] {
  const facts: [label: string, value: string | null][] = [
    ['Date', dateAndTime(refund?.refundedAt ?? transaction.createdAt, merchant.timezone)],
    ['Paid by', methodOf(transaction)],
    ['Entry', ENTRIES[transaction.source] ?? null],
    ['Status', statusOf(transaction)],
    ['Auth code', gives ? null : transaction.authCode],
    ['Reference', transaction.processorRef],
    ['Order', transaction.orderId],
    ['Transaction', transaction.transactionId],
    ['Refund', refund?.refundId ?? null],
    ['Refunded', refund || transaction.refundedAmount === 0 ? null : `-${writeMoney(transaction.refundedAmount, transaction.currency)}`],
  ];
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value: plain(value) }]));
}

function methodOf({ card, bankAccount }: ReceiptTransaction): string | null {
  if (card) return `${brandName(card.brand)} ****${card.last4}`;
  return bankAccount ? `Bank ${bankAccount.accountType} ****${bankAccount.last4}` : null;
}

function statusOf({ status, declineReason }: ReceiptTransaction): string {
  const word = status.charAt(0).toUpperCase() + status.slice(1);
  return status === 'declined' && declineReason ? `${word}: ${declineReason}` : word;
}

function signatureOf({ source }: ReceiptTransaction): ReceiptContent['signature'] {
  if (source === 'swiped') return { kind: 'line' };
  return { kind: 'words', words: source === 'keyed' ? 'Phone order, no signature' : 'Card on file, no signature' };
}

function dateAndTime(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(instant));
}

function lines(text: string | null | undefined): string[] {
  return (text ?? '').split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
}

/** One line of text that can harm neither a page nor a printer, and holds no card number whatever somebody typed into it. */
function plain(text: string): string {
  return hideCardNumbers(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').replace(/\s+/g, ' ')).trim();
}
