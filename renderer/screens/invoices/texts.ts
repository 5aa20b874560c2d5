import type { Invoice, InvoicePayment, PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { accountText, cardText, methodText } from '#renderer/base/payment-methods';
import { dayText, statusStyle } from '#renderer/kit/ui';

const DAY_MS = 86_400_000;

export const moneyOf = (amount: number, { currency }: Pick<Invoice, 'currency'>) => writeMoney(amount, currency);

/** Returns the name of the payer; for a link its purpose. */
export function payerOf({ customer, kind, description, number }: Pick<Invoice, 'customer' | 'kind' | 'description' | 'number'>): string {
  const known = customer?.name ?? customer?.email ?? customer?.phone;
  return known ?? (kind === 'link' ? (description ?? t('Anyone with the link')) : number);
}

/** "Invoice INV-000012", "Payment link INV-000013". */
export const titleOf = ({ kind, number }: Pick<Invoice, 'kind' | 'number'>) =>
  kind === 'link' ? t('Payment link {{number}}', { number }) : t('Invoice {{number}}', { number });

/** Says that the messages of an invoice or a link are on their way, or what they wait for. */
export function sentText(sent: Pick<Invoice, 'kind' | 'number' | 'delivery'>, recipients: string): string {
  const texts = { invoice: titleOf(sent), recipients };
  if (sent.delivery?.status !== 'waiting') return t('{{invoice}} is being sent to {{recipients}}.', texts);
  return sent.delivery.channel === 'email'
    ? t('{{invoice}} for {{recipients}} waits in the outbox: email isn’t set up.', texts)
    : t('{{invoice}} for {{recipients}} waits in the outbox: text messages aren’t set up.', texts);
}

const STATUSES: readonly Invoice['status'][] = ['draft', 'sent', 'partially_paid', 'paid', 'overdue', 'cancelled'];

/** Options of the status filter. */
export const STATUS_OPTIONS = STATUSES.map((value) => ({ value, name: statusStyle(value, 'invoice').label }));

/** Returns true if an amount is due. */
export const isOpen = ({ status }: Pick<Invoice, 'status'>) => status !== 'paid' && status !== 'cancelled';

/** Returns the number of days between two dates. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Returns true if an amount is due and its date has passed. */
export function isOverdue({ dueDate, status }: Pick<Invoice, 'dueDate' | 'status'>, today: string): boolean {
  return dueDate !== null && isOpen({ status }) && (status === 'overdue' || dueDate < today);
}

/** "3 days overdue", "today", "in 5 days"; empty where nothing is due. */
export function dueNote({ dueDate, status }: Pick<Invoice, 'dueDate' | 'status'>, today: string): string {
  if (dueDate === null || !isOpen({ status })) return '';
  const left = daysBetween(today, dueDate);
  if (left < 0) return t('{{count, number}} days overdue', { count: -left });
  if (status === 'overdue') return t('overdue');
  return left === 0 ? t('today') : t('in {{count, number}} days', { count: left });
}

/** Returns the due date and its distance from today. */
export function dueText(invoice: Pick<Invoice, 'dueDate' | 'status'>, today: string): string {
  const { dueDate } = invoice;
  if (dueDate === null) return '';
  const isNoted = isOverdue(invoice, today) || (isOpen(invoice) && dueDate === today);
  return isNoted ? `${dayText(dueDate)}, ${dueNote(invoice, today)}` : dayText(dueDate);
}

const METHODS: Readonly<Record<InvoicePayment['method'], string>> = {
  cash: t('Cash'),
  check: t('Check'),
  card: t('Card'),
  ach: t('Bank account'),
  token: t('Card on file'),
  bank_transfer: t('Bank transfer'),
  other: t('Other'),
};

/** "Visa ••1111", "Bank account ••6789", "Check 1042", "Cash". */
export function paidWith({ method, card, bankAccount, reference }: InvoicePayment): string {
  if (card) return cardText(card);
  if (bankAccount) return accountText(bankAccount);
  return reference === null ? METHODS[method] : `${METHODS[method]} ${reference}`;
}

/** "Visa ••1111, expires 12/39", "Bank account ••6789". */
export function methodWithExpiry(method: PaymentMethod): string {
  const { expiryMonth, expiryYear } = method;
  const name = methodText(method);
  return expiryMonth && expiryYear
    ? t('{{card}}, expires {{month}}/{{year}}', { card: name, month: expiryMonth, year: expiryYear.slice(-2) })
    : name;
}

/** Chip styles and labels of payment states. */
const PAYMENT_CHIPS: Readonly<Record<InvoicePayment['status'], readonly [state: string, label: string]>> = {
  pending: ['pending', t('Pending')],
  succeeded: ['approved', t('Paid')],
  failed: ['declined', t('Declined')],
  voided: ['voided', t('Voided')],
};

export const paymentChip = ({ status }: Pick<InvoicePayment, 'status'>) => PAYMENT_CHIPS[status];

/** Text while the response of the processor is awaited. */
export const CHECKING = t('Checking with the processor, do not charge again.');
