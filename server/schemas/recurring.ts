import { Type } from 'typebox';
import { FREQUENCIES, type Frequency } from '#core/billing/recurring';
import { ServiceError } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { BankAuthorizationIn } from './channel.ts';
import { MethodFields, StoredCardIn } from './customer.ts';
import { AmountIn, CurrencyIn, CustomerIdIn, Maybe, MerchantIn, PART_RANGE, PartsIn, PurchaseOrderIn, Text } from './fields.ts';
import { required } from './input.ts';
import { named } from './named.ts';

const FrequencyIn = Type.Optional(literals(FREQUENCIES, 'Interval of the payments'));
const PeriodIn = Type.Optional(literals(FREQUENCIES, 'The same as `frequency`'));

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
  Type.Object(
    {
      ...StoredCardIn.properties,
      cvv: Type.Optional(
        Text(10, 'security code; goes to the processor with a payment that is charged before the response, and is never stored'),
      ),
    },
    { description: 'Card' },
  ),
);

/** Fields of a new subscription; `period` is another name of `frequency`. */
export const NewSubscriptionFields = {
  customerId: CustomerIdIn,
  planId: Type.Optional(Text(100, 'ID of the plan in the shop')),
  amount: AmountIn,
  taxAmount: Type.Optional({ ...PartsIn.taxAmount, description: `${PART_RANGE}; the tax within the amount of each payment` }),
  purchaseOrderNumber: Type.Optional(PurchaseOrderIn),
  currency: Type.Optional(CurrencyIn),
  frequency: FrequencyIn,
  period: PeriodIn,
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
  planId: Type.Optional(Maybe(Text(100, 'ID of the plan in the shop'))),
  amount: Type.Optional(AmountIn),
  taxAmount: Type.Optional({
    ...PartsIn.taxAmount,
    description: `${PART_RANGE}; the tax within the amount of each payment, which 0 removes`,
  }),
  purchaseOrderNumber: Type.Optional(Maybe(PurchaseOrderIn)),
  frequency: FrequencyIn,
  period: PeriodIn,
  startDate: Type.Optional(DayIn('date of the first payment; can be changed before the first payment only')),
  endDate: Type.Optional(Maybe(DayIn('the last day; null means no end'))),
  totalPayments: Type.Optional(Maybe(Count)),
  paymentMethodId: Type.Optional(Maybe(Text(60, 'null uses the default'))),
  ...MethodFields,
  bankAuthorization: BankAuthorizationIn,
  card: Type.Optional(Maybe(SubscriptionCardIn)),
};

export const PreviewFields = {
  frequency: FrequencyIn,
  period: PeriodIn,
  startDate: Type.Optional(DayIn('first payment; default today')),
  endDate: Type.Optional(DayIn('the last day')),
  totalPayments: Type.Optional(Count),
  merchantId: MerchantIn,
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 120, description: 'number of dates; default 6' })),
};

/** Returns the frequency under either of its names. @throws REQUIRED_FIELD_MISSING; VALIDATION_ERROR if the names have different values. */
export function frequencyFrom(body: { frequency?: Frequency; period?: Frequency }, field: 'frequency' | 'period'): Frequency {
  if (body.frequency !== undefined && body.period !== undefined && body.frequency !== body.period)
    throw new ServiceError('VALIDATION_ERROR', '`frequency` and `period` are the same field. Send one of them.', { field: 'period' });
  return required(body.frequency ?? body.period, field);
}
