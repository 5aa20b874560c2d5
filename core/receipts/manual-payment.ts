import type { Invoice, InvoicePayment } from '#core/invoicing';
import { add, type Money, money, subtract } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { ReceiptContent, ReceiptCopy, ReceiptFact } from './content.ts';
import { type ReceiptTexts, receiptTexts } from './texts.ts';

/** Money that no processor took: cash, a check, or other means that were written down on an invoice. */
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
  const words = receiptTexts(language);
  const { receiptHeader, receiptFooter } = merchant.vtSettings;
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  return {
    language,
    name: words.receipt,
    heading: plain(merchant.name),
    underHeading: [...plainLines(place), ...plainLines(receiptHeader)],
    marks: [...(isSandbox ? [words.marks.sandbox] : []), ...(isDuplicate ? [words.marks.duplicate] : [])],
    title: words.handedOver.title,
    facts: factsOf(subject, words),
    total: { label: words.handedOver.paid, value: formatMoney(payment.amount, language) },
    items: [],
    signature: null,
    copyLine: words.copies[copy],
    footer: plainLines(receiptFooter),
  };
}

function factsOf({ invoice, payment, merchant }: ManualPaymentSubject, words: ReceiptTexts): ReceiptFact[] {
  const { language, timezone } = merchant;
  const { facts, handedOver } = words;
  const all: [label: string, value: string | null | undefined][] = [
    [facts.date, formatTime(payment.createdAt, timezone, language)],
    [facts.invoice, invoice.number],
    [handedOver.from, invoice.customer?.name ?? invoice.customer?.email ?? invoice.customer?.phone],
    [facts.paidBy, meansOf(payment, words)],
    [handedOver.payment, payment.paymentId],
    [handedOver.left, formatMoney(leftAfter(invoice, payment), language)],
  ];
  return all.flatMap(([label, value]) => {
    const text = plain(value ?? '');
    return text === '' ? [] : [{ label, value: text }];
  });
}

/** "Cash", "Check 1042". */
function meansOf({ method, reference }: InvoicePayment, { handedOver: { cash, check, other } }: ReceiptTexts): string {
  const name = method === 'cash' ? cash : method === 'check' ? check : other;
  return [name, reference].filter(Boolean).join(' ');
}

/** Returns the amount due after this payment. */
function leftAfter({ amount, currency, payments }: Invoice, payment: InvoicePayment): Money {
  const isBy = (other: InvoicePayment) => other.status === 'succeeded' && placeOf(other) <= placeOf(payment);
  const paid = payments.filter(isBy).reduce((sum, other) => add(sum, other.amount), money(0, currency));
  return subtract(amount, paid);
}

const placeOf = ({ createdAt, paymentId }: InvoicePayment) => `${createdAt} ${paymentId}`;
