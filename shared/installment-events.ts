import {
  amount,
  common,
  commonOrNull,
  count,
  DECLINED,
  day,
  dayOf,
  event,
  object,
  orNull,
  TRANSACTION_ID,
  text,
  time,
} from './event-schemas.ts';

const installmentPlan = {
  installmentPlanId: text('ID of the installment plan'),
  ...common('invoiceId', 'customerId', 'amount', 'amountPaid'),
  amountRemaining: amount('Amount that remains to be paid'),
  ...common('currency', 'status'),
  nextDueDate: orNull(day('Date of the next installment; null if none follows')),
};
const planAt = (at: string, status: string, amountPaid: number) => ({
  installmentPlanId: 'ipl_00000000000000000000000000',
  invoiceId: 'inv_00000000000000000000000000',
  customerId: 'cus_00000000000000000000000000',
  amount: 300,
  amountPaid,
  amountRemaining: 300 - amountPaid,
  currency: 'USD',
  status,
  nextDueDate: amountPaid === 300 || status === 'canceled' ? null : dayOf(at),
});

/** Event types of installment plans. */
export const INSTALLMENT_EVENTS = {
  'installment_plan.created': event('Installments', object(installmentPlan), (at) => planAt(at, 'active', 0)),
  'installment_plan.completed': event('Installments', object(installmentPlan), (at) => planAt(at, 'completed', 300)),
  'installment_plan.past_due': event('Installments', object(installmentPlan), (at) => planAt(at, 'past_due', 100)),
  'installment_plan.canceled': event('Installments', object({ ...installmentPlan, ...commonOrNull('reason') }), (at) => ({
    ...planAt(at, 'canceled', 100),
    reason: 'invoice_canceled',
  })),
  'installment.paid': event(
    'Installments',
    object({
      ...installmentPlan,
      number: count('Number of the installment, from 1'),
      ...common('dueDate', 'installmentAmount'),
      ...commonOrNull('transactionId'),
    }),
    (at) => ({ ...planAt(at, 'active', 100), number: 1, dueDate: dayOf(at), installmentAmount: 100, transactionId: TRANSACTION_ID }),
  ),
  'installment.failed': event(
    'Installments',
    object({
      ...installmentPlan,
      number: count('Number of the installment, from 1'),
      ...common('installmentAmount'),
      ...commonOrNull('transactionId'),
      ...common('attempt'),
      nextRetryAt: orNull(time('Time of the next retry; null if none is scheduled')),
      ...common('declineCode', 'declineReason'),
    }),
    (at) => ({
      ...planAt(at, 'active', 100),
      number: 2,
      installmentAmount: 100,
      transactionId: TRANSACTION_ID,
      attempt: 1,
      nextRetryAt: at,
      ...DECLINED,
    }),
  ),
};
