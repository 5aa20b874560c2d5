import type { Invoice, InvoicePayment, PaymentMethod } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { dayText, sentenceCase } from '#renderer/ui';
import { brandName } from '#shared/card-brands';

const DAY_MS = 86_400_000;

/** "1 line", "3 lines". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

export const moneyOf = (amount: number, { currency }: Pick<Invoice, 'currency'>) => writeMoney(amount, currency);

/** Returns the name of the payer; for a link its purpose. */
export function payerOf({ customer, kind, description, number }: Pick<Invoice, 'customer' | 'kind' | 'description' | 'number'>): string {
  const known = customer?.name ?? customer?.email ?? customer?.phone;
  return known ?? (kind === 'link' ? (description ?? 'Anyone with the link') : number);
}

/** "Invoice INV-000012", "Payment link INV-000013". */
export const titleOf = ({ kind, number }: Pick<Invoice, 'kind' | 'number'>) => `${kind === 'link' ? 'Payment link' : 'Invoice'} ${number}`;

/** Returns the displayed status of an invoice. A link is sent from the start, so it is shown as open until it expires. */
export function shownState(invoice: Pick<Invoice, 'status' | 'kind' | 'expiresAt'>, nowMs: number): string {
  if (isExpired(invoice, nowMs)) return 'expired';
  return invoice.kind === 'link' && invoice.status === 'sent' ? 'open' : invoice.status;
}

const STATUSES: readonly Invoice['status'][] = ['draft', 'sent', 'partially_paid', 'paid', 'overdue', 'cancelled'];

/** Options of the status filter. */
export const STATUS_OPTIONS = STATUSES.map((value) => ({ value, name: sentenceCase(value) }));

/** Returns true if a link has expired, so that its page accepts no payments. */
export function isExpired({ status, expiresAt }: Pick<Invoice, 'status' | 'expiresAt'>, nowMs: number): boolean {
  return expiresAt !== null && (status === 'sent' || status === 'partially_paid') && Date.parse(expiresAt) <= nowMs;
}

/** Returns true if an amount is due. */
export const isOpen = ({ status }: Pick<Invoice, 'status'>) => status !== 'paid' && status !== 'cancelled';

/** Returns the number of days between two dates. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Returns the date some days later, YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** "3 days overdue", "today", "in 5 days"; empty where nothing is due. */
export function dueNote({ dueDate, status }: Pick<Invoice, 'dueDate' | 'status'>, today: string): string {
  if (dueDate === null || status === 'paid' || status === 'cancelled') return '';
  const left = daysBetween(today, dueDate);
  if (left < 0) return `${countText(-left, 'day')} overdue`;
  if (status === 'overdue') return 'overdue';
  return left === 0 ? 'today' : `in ${countText(left, 'day')}`;
}

/** Returns the due date and its distance from today. */
export function dueText(invoice: Pick<Invoice, 'dueDate' | 'status'>, today: string): string {
  if (invoice.dueDate === null) return '';
  const note = dueNote(invoice, today);
  return note.includes('overdue') || note === 'today' ? `${dayText(invoice.dueDate)}, ${note}` : dayText(invoice.dueDate);
}

const METHODS: Readonly<Record<InvoicePayment['method'], string>> = {
  cash: 'Cash',
  check: 'Check',
  card: 'Card',
  ach: 'Bank account',
  token: 'Card on file',
  other: 'Other',
};

/** "Visa 1111", "Bank account 6789", "Check 1042", "Cash". */
export function paidWith({ method, card, bankAccount, reference }: InvoicePayment): string {
  if (card) return `${brandName(card.brand)} ${card.last4}`;
  if (bankAccount) return `Bank account ${bankAccount.last4}`;
  return reference === null ? METHODS[method] : `${METHODS[method]} ${reference}`;
}

/** "Visa 1111, expires 12/39", "Bank account 6789". */
export function methodText({ type, brand, last4, expiryMonth, expiryYear }: PaymentMethod): string {
  const name = `${type === 'ach' ? 'Bank account' : brandName(brand ?? 'Card')} ${last4}`;
  return expiryMonth && expiryYear ? `${name}, expires ${expiryMonth}/${expiryYear.slice(-2)}` : name;
}

/** Chip styles and labels of payment states. */
const PAYMENT_CHIPS: Readonly<Record<InvoicePayment['status'], readonly [state: string, label: string]>> = {
  pending: ['pending', 'Pending'],
  succeeded: ['approved', 'Paid'],
  failed: ['declined', 'Declined'],
  voided: ['voided', 'Voided'],
};

export const paymentChip = ({ status }: Pick<InvoicePayment, 'status'>) => PAYMENT_CHIPS[status];

/** Text while the response of the processor is awaited. */
export const CHECKING = 'Checking with the processor, do not charge again.';
