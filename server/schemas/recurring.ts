import { Type } from 'typebox';
import {
  FREQUENCIES,
  type Frequency,
  PERIOD_STATUSES,
  type Subscription,
  type SubscriptionPayment,
  type Summary,
} from '#core/billing/recurring';
import { ServiceError, toNumber } from '#core/kernel';
import { nullable } from '#core/platform/fields';
import { Agreement } from '#core/sales/payments';
import { BankAuthorizationIn } from './channel.ts';
import { MethodFields, StoredCardIn } from './customer.ts';
import { AmountIn, CurrencyIn, Maybe, PART_RANGE, PartsIn, PurchaseOrderIn, Text, Timestamp } from './fields.ts';
import { required } from './input.ts';
import { named } from './named.ts';

const literals = (values: readonly string[]) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description: `one of ${values.join(', ')}` },
  );
const FrequencyIn = literals(FREQUENCIES);
export const SUBSCRIPTION_STATUSES = ['active', 'paused', 'past_due', 'cancelled', 'expired'] as const;

const DayIn = (description: string) =>
  Type.String({
    maxLength: 20,
    description: `${description}, YYYY-MM-DD in the time zone of the merchant`,
    'x-error-code': 'INVALID_DATE',
  });
const Count = Type.Integer({ minimum: 1, maximum: 10_000, description: 'a whole number from 1' });

/** Card of a subscription. Its security code is never stored. */
const SubscriptionCardIn = named(
  'SubscriptionCardInput',
  Type.Object({
    ...StoredCardIn.properties,
    cvv: Type.Optional(
      Text(10, 'security code; goes to the processor with a payment that is charged before the response, and is never stored'),
    ),
  }),
);

/** Fields of a new subscription; `period` is another name of `frequency`. */
export const NewSubscriptionFields = {
  customerId: Text(60),
  planId: Type.Optional(Text(100)),
  amount: AmountIn,
  taxAmount: Type.Optional({ ...PartsIn.taxAmount, description: `${PART_RANGE}; the tax within the amount of each payment` }),
  purchaseOrderNumber: Type.Optional(PurchaseOrderIn),
  currency: Type.Optional(CurrencyIn),
  frequency: Type.Optional(FrequencyIn),
  period: Type.Optional(FrequencyIn),
  startDate: Type.Optional(DayIn('first payment; default today, which is charged immediately')),
  endDate: Type.Optional(DayIn('the last day; a payment due on it is charged')),
  totalPayments: Type.Optional(Count),
  paymentMethodId: Type.Optional(
    Text(60, 'a stored payment method of the customer; without it each payment charges the default payment method'),
  ),
  ...MethodFields,
  bankAuthorization: BankAuthorizationIn,
  card: Type.Optional(SubscriptionCardIn),
};

export const SubscriptionChangeFields = {
  planId: Type.Optional(Maybe(Text(100))),
  amount: Type.Optional(AmountIn),
  taxAmount: Type.Optional({
    ...PartsIn.taxAmount,
    description: `${PART_RANGE}; the tax within the amount of each payment, which 0 removes`,
  }),
  purchaseOrderNumber: Type.Optional(Maybe(PurchaseOrderIn)),
  frequency: Type.Optional(FrequencyIn),
  period: Type.Optional(FrequencyIn),
  startDate: Type.Optional(DayIn('date of the first payment; can be changed before the first payment only')),
  endDate: Type.Optional(Maybe(DayIn('the last day; null means no end'))),
  totalPayments: Type.Optional(Maybe(Count)),
  paymentMethodId: Type.Optional(Maybe(Text(60, 'null uses the default'))),
  ...MethodFields,
  bankAuthorization: BankAuthorizationIn,
  card: Type.Optional(Maybe(SubscriptionCardIn)),
};

export const PreviewFields = {
  frequency: Type.Optional(FrequencyIn),
  period: Type.Optional(FrequencyIn),
  startDate: Type.Optional(DayIn('first payment; default today')),
  endDate: Type.Optional(DayIn('the last day')),
  totalPayments: Type.Optional(Count),
  merchantId: Type.Optional(Text(60)),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 120, description: 'number of dates; default 6' })),
};

/** Returns the frequency under either of its names. @throws REQUIRED_FIELD_MISSING; VALIDATION_ERROR if the names have different values. */
export function frequencyFrom(body: { frequency?: string; period?: string }, field: 'frequency' | 'period'): Frequency {
  if (body.frequency !== undefined && body.period !== undefined && body.frequency !== body.period)
    throw new ServiceError('VALIDATION_ERROR', '`frequency` and `period` are the same field. Send one of them.', { field: 'period' });
  return required(body.frequency ?? body.period, field) as Frequency;
}

/** Major units. */
const Amount = Type.Number({ description: 'major units' });
const ShownMethod = named(
  'SubscriptionPaymentMethod',
  Type.Object({
    paymentMethodId: Type.String(),
    type: Type.Union([Type.Literal('card'), Type.Literal('ach')]),
    brand: Maybe(Type.String()),
    last4: Type.String(),
    expiryMonth: Maybe(Type.String()),
    expiryYear: Maybe(Type.String()),
  }),
);

/** A subscription. */
export const SubscriptionOut = named(
  'Subscription',
  Type.Object({
    subscriptionId: Type.String(),
    merchantId: Type.String(),
    customerId: Type.String(),
    customer: Type.Object({ name: Maybe(Type.String()), email: Maybe(Type.String()) }),
    planId: Maybe(Type.String()),
    amount: Amount,
    taxAmount: Type.Number({ description: 'tax within the amount of each payment, in major units' }),
    currency: Type.String(),
    purchaseOrderNumber: Maybe(Type.String()),
    agreement: nullable(Agreement, 'Agreement of the customer to later charges', null),
    frequency: FrequencyIn,
    status: literals(SUBSCRIPTION_STATUSES),
    startDate: Type.String(),
    endDate: Maybe(Type.String()),
    totalPayments: Maybe(Type.Integer()),
    paymentsMade: Type.Integer(),
    nextPaymentDate: Maybe(Type.String({ description: 'date of the next attempt after a failure, else of the next period' })),
    paymentMethodId: Maybe(Type.String({ description: "own payment method; null uses the customer's default" })),
    card: Maybe(ShownMethod),
    failedAttempts: Type.Integer({ description: 'failed attempts of the present period by the retry schedule' }),
    unpaidAmount: Maybe(Type.Number({ description: 'amount of the unpaid period, which changes do not affect; null unless past due' })),
    nextRetryAt: Maybe(Timestamp),
    lastPaymentAt: Maybe(Timestamp),
    lastResult: Maybe(literals(['succeeded', 'failed'])),
    lastReason: Maybe(Type.String()),
    paymentInProgress: Type.Boolean(),
    pausedAt: Maybe(Timestamp),
    cancelledAt: Maybe(Timestamp),
    cancelledBy: Maybe(Type.String()),
    cancelReason: Maybe(Type.String()),
    expiredAt: Maybe(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

/** An attempt to charge a period, or skipped periods. */
export const SubscriptionPaymentOut = named(
  'SubscriptionPayment',
  Type.Object({
    id: Type.String(),
    subscriptionId: Type.String(),
    transactionId: Maybe(Type.String()),
    dueDate: Type.String({ description: 'the date of the period' }),
    periods: Type.Integer({ description: 'number of periods, starting with dueDate, that it covers' }),
    attempt: Type.Integer({ description: 'number of the attempt within the period, from 1' }),
    amount: Amount,
    currency: Type.String(),
    status: literals(PERIOD_STATUSES),
    declineCode: Maybe(Type.String({ description: 'decline code of the payment, or the return code of a returned bank payment' })),
    declineReason: Maybe(Type.String()),
    createdAt: Timestamp,
    concludedAt: Maybe(Timestamp),
  }),
);

export const DatesOut = named('PaymentDates', Type.Object({ dates: Type.Array(Type.String()) }));
export const UpcomingOut = named(
  'UpcomingPayments',
  Type.Object({
    ...DatesOut.properties,
    afterSkip: Maybe(Type.String({ description: 'first date if the next one were skipped' })),
  }),
);

export const SummaryOut = named(
  'RecurringSummary',
  Type.Object({
    counts: Type.Object(Object.fromEntries(SUBSCRIPTION_STATUSES.map((status) => [status, Type.Integer()]))),
    expected: Type.Array(Type.Object({ currency: Type.String(), amount: Amount }), {
      description: 'expected payments of active subscriptions within `days` days, by currency',
    }),
    days: Type.Integer(),
  }),
);

export function subscriptionRecord(subscription: Subscription) {
  const { card } = subscription;
  const shown = card && {
    paymentMethodId: card.paymentMethodId,
    type: card.type,
    brand: card.brand,
    last4: card.last4,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
  };
  const { unpaidAmount } = subscription;
  return {
    ...subscription,
    amount: toNumber(subscription.amount),
    taxAmount: toNumber(subscription.taxAmount),
    unpaidAmount: unpaidAmount && toNumber(unpaidAmount),
    card: shown,
  };
}

export function subscriptionPaymentRecord(payment: SubscriptionPayment) {
  return { ...payment, amount: toNumber(payment.amount) };
}

export function summaryRecord({ counts, expected, days }: Summary) {
  return { counts, expected: expected.map((sum) => ({ currency: sum.currency, amount: toNumber(sum) })), days };
}
