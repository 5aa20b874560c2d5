import { type Currency, type Money, money, ServiceError, step } from '#core/kernel';
import { deadlineOf } from './due-times.ts';
import { endBeforeDispute, stoppedColumns } from './reminders/columns.ts';
import type { InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';

type PaymentChanges = Pick<InvoiceRow, 'paid_minor' | 'status'> & Partial<InvoiceRow>;
type Balance = Pick<InvoiceRow, 'status' | 'currency' | 'amount_minor' | 'paid_minor' | 'pending_minor'>;

/** Returns the amount that can still be paid: neither paid nor reserved by a pending payment. */
export function payableAmount(row: Balance): Money {
  return money(row.amount_minor - row.paid_minor - row.pending_minor, row.currency as Currency);
}

/** Returns the amount that a bank transfer can still pay; null for drafts and links, and if there is none. */
export function unpaidMinor(row: Balance & Pick<InvoiceRow, 'kind'>): number | null {
  const { minor } = payableAmount(row);
  return isUnpaid(row) && minor > 0 ? minor : null;
}

/** Returns true for an invoice that was sent or paid in part. */
export const isUnpaid = ({ kind, status }: Pick<InvoiceRow, 'kind' | 'status'>): boolean =>
  kind === 'invoice' && (status === 'sent' || status === 'partially_paid' || status === 'overdue');

/** Returns the changes of an invoice of which a payment reserves an amount, or no longer reserves it if it is negative. */
export function afterReservation(row: InvoiceRow, amountMinor: number): Pick<InvoiceRow, 'pending_minor' | 'unpaid_minor'> {
  const pending_minor = row.pending_minor + amountMinor;
  return { pending_minor, unpaid_minor: unpaidMinor({ ...row, pending_minor }) };
}

/** Checks that an invoice accepts a payment. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED, PAYMENT_EXCEEDS_DUE. */
export function checkPayable(row: Balance, amount: Money | null): void {
  step(INVOICE_STEPS, row.status, 'pay', { status: row.status });
  const payableNow = payableAmount(row);
  if (amount === null ? payableNow.minor > 0 : amount.minor <= payableNow.minor) return;
  const currency = row.currency as Currency;
  const due = money(row.amount_minor - row.paid_minor, currency);
  const pending = money(row.pending_minor, currency);
  const message =
    payableNow.minor === 0
      ? 'A pending payment covers the full amount due. Wait for its outcome.'
      : 'The payment is more than the amount due.';
  throw new ServiceError('PAYMENT_EXCEEDS_DUE', message, {
    field: 'amount',
    details: { amountDue: due, requestedAmount: amount ?? due, amountPending: pending },
  });
}

/** Returns the changes of an invoice after a successful payment. A payment of a part ends the reminders. */
export function afterPayment(
  row: Balance & Pick<InvoiceRow, 'reminders_stopped_at' | 'reminders_stop_reason' | 'reminders_stop_before_dispute'>,
  amountMinor: number,
  at: string,
): PaymentChanges {
  const paid_minor = row.paid_minor + amountMinor;
  if (paid_minor === row.amount_minor) return { paid_minor, status: 'paid', paid_at: at };
  const stopped = stoppedColumns('payment', 'service', at);
  const isOnlyDisputed = row.reminders_stop_reason === 'dispute' && row.reminders_stop_before_dispute === null;
  return {
    paid_minor,
    status: step(INVOICE_STEPS, row.status, 'pay'),
    ...(row.reminders_stopped_at === null && stopped),
    ...(isOnlyDisputed && endBeforeDispute(stopped)),
  };
}

/** Returns the changes of an invoice after a payment was voided. An invoice past its due date becomes overdue again. */
export function afterVoid(row: InvoiceRow, amountMinor: number, now: number, zone: string): Partial<PaymentChanges> {
  const paid_minor = row.paid_minor - amountMinor;
  if (row.status === 'cancelled') return { paid_minor };
  // An invoice that was never sent becomes a draft again.
  if (paid_minor === 0 && row.sent_at === null && row.kind === 'invoice') return { paid_minor, paid_at: null, status: 'draft' };
  const deadline = deadlineOf(row, zone);
  const open = paid_minor > 0 ? 'partially_paid' : 'sent';
  const isOver = row.overdue_at !== null || (deadline !== null && deadline <= now);
  return { paid_minor, paid_at: null, status: isOver ? 'overdue' : open };
}
