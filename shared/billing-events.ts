import {
  amount,
  CUSTOMER,
  common,
  commonOrNull,
  count,
  customer,
  DECLINED,
  day,
  dayOf,
  event,
  object,
  orNull,
  payer,
  SAMPLE_AMOUNT,
  TRANSACTION_ID,
  text,
} from './event-schemas.ts';

const subscription = {
  subscriptionId: text('ID of the subscription'),
  ...common('customerId', 'amount', 'status'),
  nextPaymentDate: orNull(day('Day of the next payment')),
};
const subscriptionAt = (at: string, status: string) => ({
  subscriptionId: 'sub_00000000000000000000000000',
  customerId: 'cus_00000000000000000000000000',
  amount: SAMPLE_AMOUNT,
  status,
  nextPaymentDate: dayOf(at),
});

const invoice = object({
  ...common('invoiceId'),
  ...commonOrNull('transactionId'),
  ...common('amountPaid', 'amountDue', 'status'),
  customer,
});
const invoiceOf = (status: string, amountPaid: number) => ({
  invoiceId: 'inv_00000000000000000000000000',
  transactionId: TRANSACTION_ID,
  amountPaid,
  amountDue: Math.round((SAMPLE_AMOUNT - amountPaid) * 100) / 100,
  status,
  customer: CUSTOMER,
});

const openInvoice = {
  ...common('invoiceId'),
  number: text('Number'),
  ...commonOrNull('dueDate'),
  ...common('amountDue', 'currency', 'status'),
  customer,
};
const lateFee = {
  ...openInvoice,
  lateFeeId: text('ID of the late fee'),
  period: count('Number of the late fee of the invoice, from 1'),
  feeAmount: amount('Late fee'),
  ...commonOrNull('reason'),
};
const openInvoiceAt = (at: string) => ({
  invoiceId: 'inv_00000000000000000000000000',
  number: 'INV-000042',
  dueDate: dayOf(at),
  amountDue: SAMPLE_AMOUNT,
  currency: 'USD',
  status: 'overdue',
  customer: CUSTOMER,
});
const lateFeeAt = (at: string, reason: string | null) => ({
  ...openInvoiceAt(at),
  lateFeeId: 'lfe_00000000000000000000000000',
  period: 1,
  feeAmount: 5,
  reason,
});

/** Event types of subscriptions and invoices. */
export const BILLING_EVENTS = {
  'subscription.created': event('Subscriptions', object(subscription), (at) => subscriptionAt(at, 'active')),
  'subscription.payment_succeeded': event(
    'Subscriptions',
    object({ ...subscription, ...commonOrNull('transactionId'), customer: payer }),
    (at) => ({ ...subscriptionAt(at, 'active'), transactionId: TRANSACTION_ID, customer: CUSTOMER }),
  ),
  'subscription.payment_failed': event(
    'Subscriptions',
    object({ ...subscription, ...commonOrNull('transactionId', 'declineCode', 'declineReason'), ...common('attempt') }, common('returned')),
    (at) => ({ ...subscriptionAt(at, 'past_due'), transactionId: TRANSACTION_ID, ...DECLINED, attempt: 1 }),
  ),
  'subscription.payment_abandoned': event(
    'Subscriptions',
    object({
      ...subscription,
      ...common('dueDate'),
      periods: count('Number of periods that end unpaid'),
      attempts: count('Number of attempts'),
    }),
    (at) => ({
      ...subscriptionAt(at, 'past_due'),
      dueDate: dayOf(at),
      periods: 1,
      attempts: 3,
    }),
  ),
  'subscription.cancelled': event('Subscriptions', object({ ...subscription, ...commonOrNull('reason', 'cancelledAt') }), (at) => ({
    ...subscriptionAt(at, 'cancelled'),
    reason: 'test',
    cancelledAt: at,
  })),
  'subscription.expired': event('Subscriptions', object(subscription), (at) => subscriptionAt(at, 'expired')),
  'invoice.paid': event('Invoices', invoice, () => invoiceOf('paid', SAMPLE_AMOUNT)),
  'invoice.partially_paid': event('Invoices', invoice, () => invoiceOf('partially_paid', 20)),
  'invoice.overdue': event('Invoices', invoice, () => invoiceOf('overdue', 0)),
  'invoice.reminder_sent': event(
    'Invoices',
    object({
      ...openInvoice,
      days: count('Days from the due date; negative before it'),
      channel: text('Email or text message: email, sms'),
      messageId: text('ID of the message'),
    }),
    (at) => ({
      ...openInvoiceAt(at),
      days: 7,
      channel: 'email',
      messageId: 'msg_00000000000000000000000000',
    }),
  ),
  'invoice.promised': event(
    'Invoices',
    object({
      ...openInvoice,
      promisedDate: orNull(day('Day by which the customer promised to pay')),
      promisedBy: orNull(text('Person who promised to pay')),
    }),
    (at) => ({
      ...openInvoiceAt(at),
      promisedDate: dayOf(at),
      promisedBy: 'Ines Brandt',
    }),
  ),
  'invoice.late_fee_charged': event('Invoices', object(lateFee), (at) => lateFeeAt(at, null)),
  'invoice.late_fee_reversed': event('Invoices', object(lateFee), (at) => lateFeeAt(at, 'Agreed with the customer')),
} as const;
