import type { Invoice, InvoicePayment } from '#core/billing/invoicing';
import { add, type Money, money, subtract } from '#core/kernel';
import { formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { Tender, TenderRefund } from '#core/sales/tenders';
import { amountFacts, lineFacts, type ReceiptContent, type ReceiptCopy, type ReceiptFact } from './content.ts';
import { type ReceiptTexts, receiptTexts } from './texts.ts';

/** The part of a tender that its receipt shows. */
export type ReceivedTender = Pick<
  Tender,
  | 'kind'
  | 'name'
  | 'amount'
  | 'roundingAmount'
  | 'taxAmount'
  | 'discountAmount'
  | 'amountGiven'
  | 'change'
  | 'checkNumber'
  | 'checkBank'
  | 'giftCardLastCharacters'
  | 'customerName'
  | 'orderId'
  | 'description'
  | 'lineItems'
  | 'createdAt'
  | 'number'
>;

/** Input of a receipt for cash, a check, or another payment that no processor took. */
export interface TenderSubject {
  readonly tender: ReceivedTender;
  readonly refund: TenderRefund | null;
  /** Invoice that was paid, with the payment; null for a sale. */
  readonly paid: { readonly invoice: Invoice; readonly payment: InvoicePayment } | null;
  readonly merchant: Merchant;
  readonly copy: ReceiptCopy;
  readonly isSandbox: boolean;
  /** True if this copy was printed before. */
  readonly isDuplicate: boolean;
}

/**
 * Returns the content of the receipt of a tender or its refund, or the notice of a returned check. For an invoice, the amount due is that right after the payment,
 * however often the receipt is printed.
 */
export function tenderContent(subject: TenderSubject): ReceiptContent {
  if (subject.refund?.isReturn) return returnNotice(subject, subject.refund);
  const { tender, refund, paid, merchant, copy, isSandbox, isDuplicate } = subject;
  const { language } = merchant;
  const texts = receiptTexts(language);
  const { receiptHeader, receiptFooter } = merchant.vtSettings;
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  const totalLabel = refund ? texts.totals.refunded : paid ? texts.tender.paid : texts.totals.charged;
  const [first, ...others] = plainLines(tender.description);
  return {
    language,
    name: texts.receipt,
    heading: plain(merchant.name),
    headingLines: [...plainLines(place), ...plainLines(receiptHeader)],
    marks: [
      ...(isSandbox ? [texts.marks.sandbox] : []),
      ...(refund ? [texts.marks.refund] : []),
      ...(isDuplicate ? [texts.marks.duplicate] : []),
    ],
    title: refund ? texts.titles.refund : paid ? texts.tender.title : texts.titles.sale,
    facts: factsOf(subject, texts),
    blanks: [],
    amounts: amountFacts(
      (refund ?? tender).amount,
      refund === null ? tender.discountAmount : null,
      [{ label: texts.parts.tax, amount: (refund ?? tender).taxAmount }],
      language,
    ),
    lines: refund ? [] : lineFacts(tender.lineItems, language),
    total: { label: totalLabel, value: formatMoney(refund?.amount ?? tender.amount, language) },
    items: first === undefined ? [] : [`${texts.description}: ${first}`, ...others],
    signature: null,
    copyLine: texts.copies[copy],
    footer: plainLines(receiptFooter),
  };
}

function factsOf({ tender, refund, paid, merchant }: TenderSubject, texts: ReceiptTexts): ReceiptFact[] {
  const { language, timezone } = merchant;
  const { facts } = texts;
  const amountText = (amount: Money | null) => (amount === null ? null : formatMoney(amount, language));
  const showsChange = refund === null && tender.amountGiven !== null;
  const { amount, roundingAmount } = refund ?? tender;
  const isRounded = roundingAmount.minor !== 0;
  const all: [label: string, value: string | null | undefined][] = [
    [facts.date, formatTime(refund?.createdAt ?? tender.createdAt, timezone, language)],
    [texts.tender.number, refund?.number ?? tender.number],
    [texts.tender.refundOf, refund ? tender.number : null],
    [facts.invoice, paid?.invoice.number],
    [
      texts.tender.from,
      paid ? (paid.invoice.customer?.name ?? paid.invoice.customer?.email ?? paid.invoice.customer?.phone) : tender.customerName,
    ],
    [facts.paidBy, tenderName(tender, texts)],
    [facts.order, paid ? null : tender.orderId],
    [texts.tender.payment, paid?.payment.paymentId],
    [texts.tender.rounding, isRounded ? amountText(roundingAmount) : null],
    [texts.tender.inCash, isRounded ? amountText(add(amount, roundingAmount)) : null],
    [texts.tender.given, showsChange ? amountText(tender.amountGiven) : null],
    [texts.tender.change, showsChange ? amountText(tender.change) : null],
    [texts.tender.amountDue, paid && refund === null ? amountText(amountDueAfter(paid.invoice, paid.payment)) : null],
    [texts.tender.giftCard, refund?.giftCardId ? amountText(refund.amount) : null],
    [texts.tender.reason, refund?.reason],
    [texts.tender.approvedBy, refund?.approvedBy],
  ];
  return filled(all);
}

/** Returns the facts that have a value. */
function filled(facts: readonly (readonly [label: string, value: string | null | undefined])[]): ReceiptFact[] {
  return facts.flatMap(([label, value]) => {
    const text = plain(value ?? '');
    return text === '' ? [] : [{ label, value: text }];
  });
}

/**
 * Returns the notice for the customer of a check that the bank did not pay. The amount due is that of the invoice at present, or that of the check if it
 * paid none: also what was refunded before is due again. The footer of receipts, such as terms of refunds, does not apply.
 */
function returnNotice({ tender, paid, merchant, copy, isSandbox, isDuplicate }: TenderSubject, refund: TenderRefund): ReceiptContent {
  const { language, timezone } = merchant;
  const texts = receiptTexts(language);
  const { returnedCheck, facts, marks } = texts;
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  const amountDue = paid ? dueOf(paid.invoice) : tender.amount;
  return {
    language,
    name: returnedCheck.name,
    heading: plain(merchant.name),
    headingLines: [...plainLines(place), ...plainLines(merchant.vtSettings.receiptHeader)],
    marks: [...(isSandbox ? [marks.sandbox] : []), ...(isDuplicate ? [marks.duplicate] : [])],
    title: returnedCheck.title,
    facts: filled([
      [returnedCheck.notice, refund.number],
      [returnedCheck.returned, formatTime(refund.createdAt, timezone, language)],
      [texts.tender.reason, refund.reason],
      [facts.paidBy, tenderName(tender, texts)],
      [returnedCheck.received, formatTime(tender.createdAt, timezone, language)],
      [returnedCheck.receipt, tender.number],
      [texts.tender.from, tender.customerName ?? paid?.invoice.customer?.name],
      [facts.invoice, paid?.invoice.number],
      [facts.order, tender.orderId],
    ]),
    blanks: [],
    amounts: [{ label: returnedCheck.amount, value: formatMoney(tender.amount, language) }],
    lines: [],
    total: { label: texts.tender.amountDue, value: formatMoney(amountDue, language) },
    items: [returnedCheck.explanation, ...(amountDue.minor > 0 ? [returnedCheck.request] : [])],
    signature: null,
    copyLine: texts.copies[copy],
    footer: [],
  };
}

/** Returns the amount that an invoice asks for at present; none if it was canceled. */
const dueOf = ({ status, amountDue, currency }: Invoice): Money => (status === 'cancelled' ? money(0, currency) : amountDue);

/** Returns the payment method with its reference, such as "Cash" or "Check 1042, First Harbor Bank". */
function tenderName(
  { kind, name, checkNumber, checkBank, giftCardLastCharacters }: ReceivedTender,
  { tender: { cash, check, other, giftCard } }: ReceiptTexts,
): string {
  if (kind === 'gift_card') return [giftCard, giftCardLastCharacters].filter(Boolean).join(' ');
  if (kind === 'cash') return cash;
  if (kind === 'check') return [[check, checkNumber].filter(Boolean).join(' '), checkBank].filter(Boolean).join(', ');
  return name ?? other;
}

/** Returns the amount due after this payment. */
function amountDueAfter({ amount, currency, payments }: Invoice, payment: InvoicePayment): Money {
  const isUpTo = (other: InvoicePayment) => other.status === 'succeeded' && orderOf(other) <= orderOf(payment);
  const paid = payments.filter(isUpTo).reduce((sum, other) => add(sum, other.amount), money(0, currency));
  return subtract(amount, paid);
}

const orderOf = ({ createdAt, paymentId }: InvoicePayment) => `${createdAt} ${paymentId}`;
