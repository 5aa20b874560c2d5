import type { Invoice, InvoicePayment } from '#core/invoicing';
import { add, type Money, money, subtract } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { ReceiptContent, ReceiptCopy, ReceiptFact } from './content.ts';
import { type ReceiptWords, wordsIn } from './words.ts';

/** Money that no processor took: cash, a check, or other means that were written down on an invoice. */
export interface HandedOverSubject {
  readonly invoice: Invoice;
  readonly payment: InvoicePayment;
  readonly merchant: Merchant;
  readonly copy: ReceiptCopy;
  readonly isSandbox: boolean;
  /** This copy was printed before. */
  readonly isDuplicate: boolean;
}

/** The receipt of money that was handed over (experience 2.4). What is left to pay is as it was right after it, however often it is printed. */
export function handedOverContent(subject: HandedOverSubject): ReceiptContent {
  const { payment, merchant, copy, isSandbox, isDuplicate } = subject;
  const { language } = merchant;
  const words = wordsIn(language);
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

function factsOf({ invoice, payment, merchant }: HandedOverSubject, words: ReceiptWords): ReceiptFact[] {
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
function meansOf({ method, reference }: InvoicePayment, { handedOver: { cash, check, other } }: ReceiptWords): string {
  const name = method === 'cash' ? cash : method === 'check' ? check : other;
  return [name, reference].filter(Boolean).join(' ');
}

/** What was still due once this payment was in. */
function leftAfter({ amount, currency, payments }: Invoice, payment: InvoicePayment): Money {
  const isBy = (other: InvoicePayment) => other.status === 'succeeded' && placeOf(other) <= placeOf(payment);
  const paid = payments.filter(isBy).reduce((sum, other) => add(sum, other.amount), money(0, currency));
  return subtract(amount, paid);
}

const placeOf = ({ createdAt, paymentId }: InvoicePayment) => `${createdAt} ${paymentId}`;
