import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  group,
  id,
  list,
  literals,
  nullable,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { shownMethod } from '#core/sales/customers';
import { CHANNELS } from '#shared/channels';
import { ATTEMPT_STATUSES, INTERVALS, PLAN_STATUSES } from './schema.ts';

const transactionId = nullable(id('txn', 'ID of the transaction'));
const createdAt = time('Time of creation');
const number = count('Number of the installment, from 1', 1);
const dueDate = day('Day on which the installment is charged');

const Installment = record('Installment', {
  number,
  dueDate,
  amount: amount('Amount', 49.99),
  amountPaid: amount('Paid amount', 0),
  amountRemaining: amount('Amount that its charge takes: less than `amount` after an early payment', 49.99),
  status: literals(
    ['scheduled', 'processing', 'retrying', 'past_due', 'paid', 'canceled'],
    'Status. `retrying`: an attempt failed, and `nextRetryAt` of the plan is the time of the next one. `processing`: its payment is at the gateway',
  ),
  paidAt: nullable(time('Time of the payment in full')),
  transactionId: nullable(id('txn', 'Payment that paid it; null for a payment without a processor')),
});
export type Installment = RecordOf<typeof Installment>;

/** An attempt to charge an installment. */
const InstallmentAttempt = record('InstallmentAttempt', {
  number,
  attempt: count('Number of the attempt, from 1', 1),
  amount: amount('Amount', 49.99),
  status: literals(ATTEMPT_STATUSES, 'Status'),
  transactionId,
  declineCode: nullable(text('Reason of the decline: a name for cards, a return code for bank accounts', null)),
  declineReason: nullable(text('Explanation of the decline', null)),
  createdAt,
});
export type InstallmentAttempt = RecordOf<typeof InstallmentAttempt>;

/** A plan that pays an invoice in installments. */
export const InstallmentPlan = record('InstallmentPlan', {
  installmentPlanId: text('ID of the installment plan', 'ipl_00000000000000000000000000'),
  merchantId: id('mer', 'ID of the merchant'),
  customerId: id('cus', 'ID of the customer'),
  customer: group('Customer as named for this record', {
    name: nullable(text('Name', 'Harbor Street')),
    email: nullable(text('Email address', 'ann@customer.example')),
  }),
  invoiceId: id('inv', 'ID of the invoice'),
  status: literals(PLAN_STATUSES, '`past_due`: an installment failed and is not retried automatically any more'),
  currency: currencyCode(),
  amount: amount('Sum of the installments', 49.99),
  amountPaid: amount('Paid amount', 0),
  amountRemaining: amount('Amount less amountPaid', 49.99),
  interval: nullable(literals(INTERVALS, 'Interval of the charges; null for dates of the caller')),
  installments: list(Installment, 'Installments in the order of their numbers'),
  nextNumber: nullable(count('Number of the next installment; null if none follows', 1)),
  nextDueDate: nullable(day('Date of the next installment')),
  nextRetryAt: nullable(time('Time of the next retry; null if none is scheduled')),
  failedAttempts: count('Failed attempts of the next installment', 0),
  lastDeclineCode: nullable(text('Decline code of the last failed attempt', 'insufficient_funds')),
  lastReason: nullable(text('Reason of the last failure', null)),
  paymentMethodId: nullable(id('pm', 'Null after the payment method was removed')),
  method: nullable(shownMethod('InstallmentPaymentMethod'), 'Payment method that is charged; null after it was removed'),
  consentText: text('Text that the customer agreed to', 'I agree to be charged every month.'),
  consentAt: time('Time of the consent of the customer'),
  agreementChannel: nullable(literals(CHANNELS, 'How the customer agreed; null if it was not recorded')),
  paymentInProgress: flag('True while a payment is sent to the gateway', false),
  pauseReason: nullable(literals(['person', 'payment_voided'], 'Why it is paused: by a person, or because a payment was voided')),
  pastDueAt: nullable(time('Time at which an installment failed finally; null otherwise')),
  completedAt: nullable(time('Time at which the last installment was paid')),
  canceledAt: nullable(time('Time of the cancellation')),
  canceledBy: nullable(text('Person or program that canceled it', 'owner@example.com')),
  cancelReason: nullable(text('Text of the caller, `invoice_canceled` or `customer_deleted`', null)),
  createdBy: text('Name of the creator', 'admin@demo.example'),
  attempts: list(InstallmentAttempt, 'Attempts to charge installments, oldest first'),
  createdAt,
  updatedAt: time('Time of the last change'),
});
export type InstallmentPlan = RecordOf<typeof InstallmentPlan>;

const ScheduledInstallment = Type.Object({ number, dueDate, amount: amount('Amount', 49.99) });
export type ScheduledInstallment = RecordOf<typeof ScheduledInstallment>;

export const InstallmentPreview = record('InstallmentPreview', {
  installments: list(ScheduledInstallment, 'Installments in the order of their numbers'),
});
