import { add, type Money, subtract } from '#core/kernel';
import { formatDay, formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { Refund, Transaction } from '#core/sales/payments';
import { brandName } from '#shared/card-brands';
import { type ReceiptTexts, receiptTexts } from './texts.ts';

export const RECEIPT_COPIES = ['customer', 'merchant'] as const;
/** Recipient of a receipt; only the merchant's copy is signed. */
export type ReceiptCopy = (typeof RECEIPT_COPIES)[number];

/** Input of a receipt: a payment, or one refund of it. */
export interface ReceiptSubject {
  readonly transaction: Transaction;
  readonly refund: Refund | null;
  readonly merchant: Merchant;
  /** Number of the invoice that the payment is for. */
  readonly invoiceNumber: string | null;
  readonly copy: ReceiptCopy;
  readonly isSandbox: boolean;
  /** True if a live account took the payment at a gateway in test mode, so that no money moved. */
  readonly isTest: boolean;
  /** True if this copy was printed before. */
  readonly isDuplicate: boolean;
  /** Amount that was authorized first, without a tip; null if it was not changed before the capture. */
  readonly originalAmount: Money | null;
}

export interface ReceiptFact {
  readonly label: string;
  readonly value: string;
}

/**
 * Content of a receipt, independent of its medium. Every text is one line without control characters (`plain()`) and without a card number.
 */
export interface ReceiptContent {
  readonly language: Merchant['language'];
  readonly name: string;
  readonly heading: string;
  readonly headingLines: readonly string[];
  readonly marks: readonly string[];
  readonly title: string;
  readonly facts: readonly ReceiptFact[];
  /** Base, discount, tip, surcharge and tax of the total; empty if it has none of them. */
  readonly amounts: readonly ReceiptFact[];
  readonly total: ReceiptFact;
  /** Payments of the total with their refunds; absent on the receipt of one payment. */
  readonly payments?: readonly ReceiptFact[];
  readonly items: readonly string[];
  /** Lines of an itemized sale. */
  readonly lines: readonly ReceiptFact[];
  /** Labels of lines on which the customer writes an amount. */
  readonly blanks: readonly string[];
  readonly signature: { readonly kind: 'line' | 'note'; readonly text: string } | null;
  readonly copyLine: string;
  readonly footer: readonly string[];
}

/**
 * Builds the content that card schemes and FACTA require, without what they forbid: last four digits only, never the expiry date
 *.
 */
export function receiptContent(subject: ReceiptSubject): ReceiptContent {
  const { transaction, refund, merchant, copy } = subject;
  const texts = receiptTexts(merchant.language);
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  const { receiptHeader, receiptFooter } = merchant.vtSettings;
  return {
    language: merchant.language,
    name: texts.receipt,
    heading: plain(merchant.name),
    headingLines: [...plainLines(place), ...plainLines(receiptHeader)],
    marks: marksOf(subject, texts),
    title: refund ? texts.titles.refund : texts.titles[titleOf(transaction)],
    facts: factsOf(subject, texts),
    amounts: amountsOf(subject, texts),
    total: totalOf(subject, texts),
    items: descriptionOf(transaction, texts),
    lines: refund ? [] : lineFacts(transaction.lineItems, merchant.language),
    blanks: takesTip(subject) ? [texts.parts.tip, texts.totals.charged] : [],
    signature:
      copy === 'merchant' && !isRefundOrCredit(subject) && transaction.status === 'approved'
        ? signatureOf(transaction, texts, takesTip(subject))
        : null,
    copyLine: texts.copies[copy],
    footer: plainLines(receiptFooter),
  };
}

/** Returns true if the customer may still write a tip on the merchant's copy: the merchant asks for tips, and the payment has none, is not settled and was not asked for one on a card reader. */
function takesTip({ transaction, refund, merchant, copy }: ReceiptSubject): boolean {
  const { status, type, card, tipAmount, settledAt, refundedAmount, terminal } = transaction;
  if (terminal?.asksTip) return false;
  const isOpen = status === 'approved' && type !== 'credit' && settledAt === null && refundedAmount.minor === 0;
  return copy === 'merchant' && refund === null && merchant.vtSettings.tipEnabled && card !== null && isOpen && tipAmount.minor === 0;
}

/**
 * Returns a line for each item: its name, quantity and unit price, and their product before a tax that is added to it. A discount follows on a line
 * of its own.
 */
export function lineFacts(lines: Transaction['lineItems'], language: Merchant['language']): ReceiptFact[] {
  return lines.flatMap(({ description, quantity, unitPrice, taxIncluded, discountAmount, taxAmount, amount }) => {
    const count = quantity === 1 ? '' : `, ${new Intl.NumberFormat(language).format(quantity)} × ${formatMoney(unitPrice, language)}`;
    const net = taxIncluded ? amount : subtract(amount, taxAmount);
    return [
      { label: plain(`${description}${count}`), value: formatMoney(add(net, discountAmount), language) },
      ...discountFacts(discountAmount, language),
    ];
  });
}

/** Returns the line of a discount; none without one. */
function discountFacts(discount: Money, language: Merchant['language']): ReceiptFact[] {
  const { parts } = receiptTexts(language);
  return discount.minor === 0 ? [] : [{ label: parts.discount, value: `-${formatMoney(discount, language)}` }];
}

/** A captured authorization has charged the customer, so its receipt is that of a sale. */
const titleOf = ({ type, captured }: Transaction) => (type === 'auth' && captured ? 'sale' : type);

/** Returns the description of a payment with its label, as lines. */
function descriptionOf({ description }: Transaction, { description: label }: ReceiptTexts): string[] {
  const [first, ...others] = plainLines(description);
  return first === undefined ? [] : [`${label}: ${first}`, ...others];
}

function isRefundOrCredit({ transaction, refund }: ReceiptSubject): boolean {
  return refund !== null || transaction.type === 'credit';
}

/** Returns the amount that a receipt is about. */
const amountOf = ({ transaction, refund }: ReceiptSubject) =>
  refund?.amount ?? (transaction.captured ? transaction.capturedAmount : transaction.amount);

/** Returns the lines above the total. */
function amountsOf(subject: ReceiptSubject, { parts: labels }: ReceiptTexts): ReceiptFact[] {
  const { tipAmount, surchargeAmount, taxAmount } = subject.refund ?? subject.transaction;
  const parts = [
    { label: labels.tax, amount: taxAmount },
    { label: labels.tip, amount: tipAmount },
    { label: labels.surcharge, amount: surchargeAmount },
  ];
  return amountFacts(amountOf(subject), discountOf(subject), parts, subject.merchant.language);
}

/**
 * Returns the discount that the total shows. A refund, a capture of a part and a changed amount have none: the discount belongs to the price at the
 * time of the sale.
 */
function discountOf({ transaction, refund, originalAmount }: ReceiptSubject): Money | null {
  const { captured, capturedAmount, amount, discountAmount } = transaction;
  return refund !== null || originalAmount !== null || (captured && capturedAmount.minor < amount.minor) ? null : discountAmount;
}

interface AmountPart {
  readonly label: string;
  readonly amount: Money;
}

/** Returns the lines that add up to a total: its base before the discount, the discount, and those parts that are above 0; none for a base only. */
export function amountFacts(
  total: Money,
  discount: Money | null,
  parts: readonly AmountPart[],
  language: Merchant['language'],
): ReceiptFact[] {
  const shown = parts.filter(({ amount }) => amount.minor > 0);
  const discounts = discount === null ? [] : discountFacts(discount, language);
  if (shown.length + discounts.length === 0) return [];
  const net = shown.reduce((rest, { amount }) => subtract(rest, amount), total);
  const base = discount === null ? net : add(net, discount);
  const factOf = ({ label, amount }: AmountPart) => ({ label, value: formatMoney(amount, language) });
  const { parts: labels } = receiptTexts(language);
  return [...(base.minor === 0 ? [] : [factOf({ label: labels.base, amount: base })]), ...discounts, ...shown.map(factOf)];
}

function totalOf(subject: ReceiptSubject, texts: ReceiptTexts): ReceiptFact {
  const { transaction, refund, merchant } = subject;
  const value = formatMoney(amountOf(subject), merchant.language);
  return { label: refund ? refundLabel(refund, texts) : totalLabel(transaction, texts), value };
}

function refundLabel({ status }: Refund, { totals }: ReceiptTexts): string {
  if (status === 'approved') return totals.refunded;
  return status === 'pending' ? totals.refundPending : totals.notRefunded;
}

function totalLabel({ type, status, captured }: Transaction, { totals }: ReceiptTexts): string {
  const isDead = status === 'declined' || status === 'failed';
  if (type === 'credit') return isDead || status === 'pending' ? totals.notCredited : totals.credited;
  if (isDead) return totals.notCharged;
  if (status === 'pending') return totals.notYetCharged;
  return type === 'auth' && !captured ? totals.authorized : totals.charged;
}

function marksOf(subject: ReceiptSubject, { marks }: ReceiptTexts): string[] {
  const candidates: [isDue: boolean, mark: string][] = [
    [subject.isSandbox, marks.sandbox],
    [subject.isTest, marks.test],
    [isRefundOrCredit(subject), marks.refund],
    [subject.transaction.status === 'voided', marks.void],
    [subject.isDuplicate, marks.duplicate],
  ];
  return candidates.flatMap(([applies, mark]) => (applies ? [mark] : []));
}

function factsOf(subject: ReceiptSubject, texts: ReceiptTexts): ReceiptFact[] {
  const { transaction, refund, merchant, invoiceNumber, originalAmount } = subject;
  const { language } = merchant;
  const isPartlyCaptured = transaction.captured && transaction.capturedAmount.minor < transaction.amount.minor;
  const facts: [label: keyof ReceiptTexts['facts'], value: string | null][] = [
    ['date', formatTime(refund ? (refund.refundedAt ?? refund.createdAt) : transaction.createdAt, merchant.timezone, language)],
    ['paidBy', methodOf(transaction, texts)],
    ['entry', entryOf(transaction, texts)],
    ['application', transaction.terminal?.applicationLabel ?? null],
    ['applicationId', transaction.terminal?.applicationId ?? null],
    ['verification', transaction.terminal?.verification ? texts.verifications[transaction.terminal.verification] : null],
    ['debitAuthorized', refund ? null : debitAuthorization(transaction, texts, language)],
    ['status', refund ? refundStatusOf(refund, texts) : statusOf(transaction, texts)],
    ['authCode', isRefundOrCredit(subject) ? null : transaction.authCode],
    ['reference', (refund ?? transaction).processorRef],
    ['invoice', invoiceNumber],
    ['order', transaction.orderId],
    ['purchaseOrder', transaction.purchaseOrderNumber],
    ['transaction', transaction.transactionId],
    ['refund', refund?.refundId ?? null],
    ['originallyAuthorized', refund || originalAmount === null ? null : formatMoney(originalAmount, language)],
    ['authorized', isPartlyCaptured ? formatMoney(transaction.amount, language) : null],
    ['refunded', refund || transaction.refundedAmount.minor === 0 ? null : `-${formatMoney(transaction.refundedAmount, language)}`],
  ];
  const toGiftCard = refund?.giftCardId ? [{ label: texts.tender.giftCard, value: formatMoney(refund.amount, language) }] : [];
  return [
    ...facts.flatMap(([label, value]) => {
      const text = plain(value ?? '');
      return text === '' ? [] : [{ label: texts.facts[label], value: text }];
    }),
    ...toGiftCard,
  ];
}

/** Returns the payment method as `Visa ****1111`; null if the record does not contain it. */
export function methodOf({ card, bankAccount }: Pick<Transaction, 'card' | 'bankAccount'>, texts: ReceiptTexts): string | null {
  if (card) return `${plain(brandName(card.brand))} ****${card.last4}`;
  return bankAccount ? `${texts.bank[bankAccount.accountType] ?? plain(bankAccount.accountType)} ****${bankAccount.last4}` : null;
}

function statusOf({ status, declineReason }: Transaction, { statuses }: ReceiptTexts): string {
  return status === 'declined' && declineReason ? `${statuses.declined}: ${declineReason}` : statuses[status];
}

function refundStatusOf({ status, declineReason }: Refund, { statuses }: ReceiptTexts): string {
  return status === 'declined' && declineReason ? `${statuses.declined}: ${declineReason}` : statuses[status];
}

/** Returns the copy of the authorization of a bank debit: "By phone, Nov 21, 2026, Recording 4711". */
function debitAuthorization({ bankAuthorization }: Transaction, { debits }: ReceiptTexts, language: Merchant['language']): string | null {
  if (bankAuthorization === null || bankAuthorization.method === null) return null;
  const { method, date, reference } = bankAuthorization;
  return [debits[method], date && formatDay(date, language), reference].filter(Boolean).join(', ');
}

/** Returns how the card was entered. */
const entryOf = ({ source, terminal }: Transaction, { entries, entryModes }: ReceiptTexts): string =>
  terminal?.entryMode ? entryModes[terminal.entryMode] : entries[source];

function signatureOf({ source, channel, terminal }: Transaction, texts: ReceiptTexts, takesTip: boolean): ReceiptContent['signature'] {
  if (terminal !== null && terminal.verification !== 'signature' && !takesTip) return { kind: 'note', text: texts.noSignature.terminal };
  if (terminal !== null) return { kind: 'line', text: texts.signature };
  if (source === 'swiped' || channel === 'counter' || takesTip) return { kind: 'line', text: texts.signature };
  const { keyed, mail, saved, online } = texts.noSignature;
  if (channel === 'mail') return { kind: 'note', text: mail };
  return { kind: 'note', text: source === 'keyed' ? keyed : source === 'api' || source === 'link' ? online : saved };
}
