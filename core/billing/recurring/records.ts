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
import { Agreement } from '#core/sales/payments';
import { FREQUENCIES } from './calendar.ts';
import { PERIOD_STATUSES, SUBSCRIPTION_STATUSES } from './schema.ts';

const createdAt = time('Time of creation');

const ShownMethod = shownMethod('SubscriptionPaymentMethod');

export const Subscription = record('Subscription', {
  subscriptionId: id('sub', 'ID of the subscription'),
  merchantId: id('mer', 'ID of the merchant'),
  customerId: id('cus', 'ID of the customer'),
  customer: group('Customer as named for this record', {
    name: nullable(text('Name', 'Harbor Street')),
    email: nullable(text('Email address', 'ann@customer.example')),
  }),
  planId: nullable(text('ID of the plan in the shop', 'gold')),
  amount: amount('Amount', 49.99),
  taxAmount: amount('Tax within the amount of each payment', 4.25),
  currency: currencyCode(),
  purchaseOrderNumber: nullable(text('Purchase order number of a business customer; null if there is none', 'PO-2291')),
  agreement: nullable(Agreement, 'Agreement of the customer to later charges', null),
  frequency: literals(FREQUENCIES, 'Interval of the payments'),
  status: literals(SUBSCRIPTION_STATUSES, 'Status'),
  startDate: day('Date of the first payment, in the time zone of the merchant'),
  endDate: nullable(day('Last day, inclusive')),
  totalPayments: nullable(count('Number of payments after which the subscription expires; null for no end', null)),
  paymentsMade: count('Number of payments so far', 2),
  nextPaymentDate: nullable(day('Date of the next attempt after a failure, else of the next period; null if there is no further payment')),
  paymentMethodId: nullable(id('pm', "Own payment method; null uses the customer's default")),
  card: nullable(ShownMethod, 'Card or bank account of the next payment'),
  failedAttempts: count('Failed attempts of the present period by the retry schedule', 0),
  unpaidAmount: nullable(amount('Amount of the unpaid period, which changes do not affect; null unless past due', null)),
  nextRetryAt: nullable(time('Time of the next retry; null if none is scheduled')),
  lastPaymentAt: nullable(time('Time of the last successful payment')),
  lastResult: nullable(literals(['succeeded', 'failed'], 'Result of the last payment')),
  lastReason: nullable(text('Reason of the last failure', null)),
  paymentInProgress: flag('True while a payment is sent to the gateway', false),
  pausedAt: nullable(time('Time at which the subscription was paused')),
  cancelledAt: nullable(time('Time of the cancellation')),
  cancelledBy: nullable(text('Name of the person who canceled it', null)),
  cancelReason: nullable(text('Reason of the cancellation', null)),
  expiredAt: nullable(time('Time at which the subscription reached its end date or its last payment')),
  createdAt,
  updatedAt: time('Time of the last change'),
});
export type Subscription = RecordOf<typeof Subscription>;

/** An attempt to charge a period, or skipped periods. */
export const SubscriptionPayment = record('SubscriptionPayment', {
  id: id('sbp', 'ID of the attempt'),
  subscriptionId: id('sub', 'ID of the subscription'),
  transactionId: nullable(id('txn', 'ID of the transaction')),
  dueDate: day('The date of the period'),
  periods: count('Number of periods, starting with dueDate, that it covers', 1),
  attempt: count('Number of the attempt within the period, from 1', 1),
  amount: amount('Amount', 49.99),
  currency: currencyCode(),
  status: literals(PERIOD_STATUSES, 'Status'),
  declineCode: nullable(text('Decline code of the payment, or the return code of a returned bank payment', null)),
  declineReason: nullable(text('Explanation of the decline', null)),
  createdAt,
  concludedAt: nullable(time('Time at which the outcome became known')),
});
export type SubscriptionPayment = RecordOf<typeof SubscriptionPayment>;

export const PaymentDates = record('PaymentDates', { dates: list(Type.String(), 'Dates of the payments', ['2026-11-21', '2026-12-21']) });

/** Upcoming payments of a subscription without further changes; of a paused one, those after resuming it now. */
export const Upcoming = record('UpcomingPayments', {
  ...PaymentDates.properties,
  afterSkip: nullable(text('First date if the next one were skipped', '2026-12-21')),
});
export type Upcoming = RecordOf<typeof Upcoming>;

/** Number of subscriptions by status, and the expected payments of the active ones. */
export const Summary = record('RecurringSummary', {
  counts: group('Number of subscriptions by status', {
    active: count('Number of active subscriptions', 8),
    paused: count('Number of paused subscriptions', 1),
    past_due: count('Number of subscriptions with a failed payment', 1),
    cancelled: count('Number of canceled subscriptions', 0),
    expired: count('Number of expired subscriptions', 2),
  }),
  expected: list(
    Type.Object({ currency: currencyCode(), amount: amount('Amount', 49.99) }),
    'Expected payments of active subscriptions within `days` days, by currency',
  ),
  days: count('Number of days', 30),
});
export type Summary = RecordOf<typeof Summary>;

/** Result of a run over the past due subscriptions. */
export const RetriesRun = Type.Object({
  processed: count('Number of processed subscriptions', 3),
  succeeded: count('Number of successful payments', 2),
  failed: count('Number that failed', 0),
  cancelled: count('Number of canceled subscriptions', 0),
});
export type RetriesRun = RecordOf<typeof RetriesRun>;
