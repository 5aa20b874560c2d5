import type { Invoice, InvoicePayment } from '#core/invoicing';
import { add, type Money, money, subtract } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { ReceiptContent, ReceiptCopy, ReceiptFact } from './content.ts';
import { type ReceiptTexts, receiptTexts } from './texts.ts';

/** Input of a receipt for a manual payment of an invoice: cash, a check, or another payment that no processor took. */
export interface ManualPaymentSubject {
  readonly invoice: Invoice;
  readonly payment: InvoicePayment;
  readonly merchant: Merchant;
  readonly copy: ReceiptCopy;
  readonly isSandbox: boolean;
  /** True if this copy was printed before. */
  readonly isDuplicate: boolean;
}

/**
 * Returns the content of the receipt for a manual payment (experience 2.4). The amount due is that right after the payment, however often
 * the receipt is printed.
 */
export function manualPaymentContent(subject: ManualPaymentSubject): ReceiptContent {
  const { payment, merchant, copy, isSandbox, isDuplicate } = subject;
  const { language } = merchant;
  const texts = receiptTexts(language);
  const { receiptHeader, receiptFooter } = merchant.vtSettings;
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  return {
    language,
    name: texts.receipt,
    heading: plain(merchant.name),
    headingLines: [...plainLines(place), ...plainLines(receiptHeader)],
    marks: [...(isSandbox ? [texts.marks.sandbox] : []), ...(isDuplicate ? [texts.marks.duplicate] : [])],
    title: texts.manualPayment.title,
    facts: factsOf(subject, texts),
    amounts: [],
    total: { label: texts.manualPayment.paid, value: formatMoney(payment.amount, language) },
    items: [],
    signature: null,
    copyLine: texts.copies[copy],
    footer: plainLines(receiptFooter),
  };
}

function factsOf({ invoice, payment, merchant }: ManualPaymentSubject, texts: ReceiptTexts): ReceiptFact[] {
  const { language, timezone } = merchant;
  const { facts, manualPayment } = texts;
  const all: [label: string, value: string | null | undefined][] = [
    [facts.date, formatTime(payment.createdAt, timezone, language)],
    [facts.invoice, invoice.number],
    [manualPayment.from, invoice.customer?.name ?? invoice.customer?.email ?? invoice.customer?.phone],
    [facts.paidBy, paymentMethodText(payment, texts)],
    [manualPayment.payment, payment.paymentId],
    [manualPayment.amountDue, formatMoney(amountDueAfter(invoice, payment), language)],
  ];
  return all.flatMap(([label, value]) => {
    const text = plain(value ?? '');
    return text === '' ? [] : [{ label, value: text }];
  });
}

/** Returns the payment method with its reference, such as "Cash" or "Check 1042". */
function paymentMethodText({ method, reference }: InvoicePayment, { manualPayment: { cash, check, other } }: ReceiptTexts): string {
  const name = method === 'cash' ? cash : method === 'check' ? check : other;
  return [name, reference].filter(Boolean).join(' ');
}

/** Returns the amount due after this payment. */
function amountDueAfter({ amount, currency, payments }: Invoice, payment: InvoicePayment): Money {
  const isUpTo = (other: InvoicePayment) => other.status === 'succeeded' && orderOf(other) <= orderOf(payment);
  const paid = payments.filter(isUpTo).reduce((sum, other) => add(sum, other.amount), money(0, currency));
  return subtract(amount, paid);
}

const orderOf = ({ createdAt, paymentId }: InvoicePayment) => `${createdAt} ${paymentId}`;
