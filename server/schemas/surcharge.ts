import { Type } from 'typebox';
import { group } from '#core/platform/fields';
import { NOT_FREE_TEXT } from '#server/http';
import { AmountIn, CurrencyIn, MerchantIn, PartsIn, Text } from './fields.ts';

/** First digits of a card, which tell its brand and type. A whole card number is refused. */
export const FirstDigitsIn = Type.String({
  [NOT_FREE_TEXT]: 'protected',
  pattern: '^\\d{6,8}$',
  description: 'the first six to eight digits of the card; eight are best. A whole card number is refused',
  examples: ['41111111'],
});

export const SurchargeQuoteBody = Type.Object({
  amount: AmountIn,
  tipAmount: PartsIn.tipAmount,
  taxAmount: PartsIn.taxAmount,
  currency: Type.Optional(CurrencyIn),
  firstDigits: Type.Optional(FirstDigitsIn),
  token: Type.Optional(Text(60, 'token of a stored card or bank account')),
  customerId: Type.Optional(Text(60, 'a customer; without firstDigits or token, the default payment method is meant')),
  paymentMethodId: Type.Optional(Text(60, 'token of the stored payment method of the customer')),
  terminalId: Type.Optional(
    Text(60, 'card reader that will read the card: the quote is the highest surcharge, which only a credit card has'),
  ),
  billing: Type.Optional(
    group('Billing address', { state: Type.Optional(Text(50, 'State or province')), zip: Type.Optional(Text(20, 'ZIP or postal code')) }),
  ),
  cardPresent: Type.Optional(Type.Boolean({ description: 'true for a card that is swiped: then only the state of the merchant counts' })),
  merchantId: MerchantIn,
});

/** Errors of a quote. */
export const SURCHARGE_QUOTE_ERRORS = [
  'INVALID_AMOUNT',
  'INVALID_CURRENCY',
  'REQUIRED_FIELD_MISSING',
  'MERCHANT_NOT_FOUND',
  'MERCHANT_NOT_AUTHORIZED',
  'CUSTOMER_NOT_FOUND',
  'NOT_FOUND',
] as const;
