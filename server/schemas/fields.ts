import { type TSchema, Type } from 'typebox';
import { EMAIL_MAX, EMAIL_PATTERN, type ErrorCode } from '#core/kernel';
import { CODE, described, EXAMPLE, EXAMPLE_DAY, EXAMPLE_ID, Lines, Text } from '#core/platform/fields';
import { NOT_FREE_TEXT, pageBody, successBody, ZERO_ALLOWED } from '#server/http';
import { named } from './named.ts';

export { CurrencyIn, Lines, Text } from '#core/platform/fields';

/** The ID of a record in a request. */
export const IdIn = (prefix: string, what: string) => Text(60, `ID of the ${what}`, `${prefix}_${EXAMPLE_ID}`);
export const MerchantIdIn = IdIn('mer', 'merchant');
/** Merchant of a request. */
export const MerchantIn = Type.Optional(MerchantIdIn);
export const CustomerIdIn = IdIn('cus', 'customer');
export const TransactionIdIn = IdIn('txn', 'transaction');
export const InvoiceIdIn = IdIn('inv', 'invoice');
export const TokenIn = Text(60, 'Token of the card or bank account; can be charged again', `tok_${EXAMPLE_ID}`);
export const ReasonIn = Text(200, 'Reason');
export const DescriptionIn = Lines(500, 'Description');
/** A field of a response that only says that it was done. */
export const AlwaysTrue = Type.Literal(true, { description: 'Always true' });
export const NoteIn = Lines(500, 'Note', 'Agreed with the customer.');

const coded = (code: ErrorCode, description: string) => ({ [CODE]: code, description });

/** Beginning of the description of an amount, which is the whole sentence of the error. */
export const AMOUNT_RANGE = 'an amount greater than 0 with at most the decimals of the currency';
/** An amount of a request: a JSON number or a decimal string. */
export const AmountIn = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  ...coded('INVALID_AMOUNT', AMOUNT_RANGE),
  examples: [49.99],
});
/** Beginning of the description of a part of an amount, which is the whole sentence of the error. */
export const PART_RANGE = '0 or more, with at most the decimals of the currency';
/** A part of the amount of a request, which may be 0. */
const PartIn = (part: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
      [ZERO_ALLOWED]: true,
      ...coded('INVALID_AMOUNT', `${PART_RANGE}; the ${part} that \`amount\` contains`),
      examples: [2.5],
    }),
  );
/** Parts of the amount of a request. */
export const PartsIn = { tipAmount: PartIn('tip'), surchargeAmount: PartIn('surcharge'), taxAmount: PartIn('sales tax') };
/** Discount of a sale, which is no part of its amount. */
export const DiscountIn = Type.Optional(
  Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
    [ZERO_ALLOWED]: true,
    ...coded(
      'INVALID_AMOUNT',
      `${PART_RANGE}; the discount that was taken off before \`amount\`, which stays the total that is charged. With lines it is the sum of their discounts, and computed if it is not sent`,
    ),
    examples: [5],
  }),
);
/** The new tip of a payment; 0 for none. */
export const TipIn = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  [ZERO_ALLOWED]: true,
  ...coded('INVALID_AMOUNT', `${PART_RANGE}; the tip to add to the amount`),
  examples: [8],
});
export const EmailIn = (description = 'Email address') =>
  Type.String({ [CODE]: 'INVALID_EMAIL', ...described(description, 'ann@customer.example'), maxLength: EMAIL_MAX, pattern: EMAIL_PATTERN });
export const CardNumberIn = Type.String({
  ...coded('INVALID_CARD_NUMBER', 'a card number'),
  [EXAMPLE]: '4111111111111111',
  [NOT_FREE_TEXT]: 'protected',
  maxLength: 40,
});
export const ExpiryIn = Type.String({ ...coded('INVALID_EXPIRY', 'digits of the expiry date'), maxLength: 10, examples: ['1231'] });
/** The month of an expiry date. */
export const ExpiryMonthIn = Type.String({ ...coded('INVALID_EXPIRY', 'digits of the expiry month'), maxLength: 10, examples: ['12'] });
/** The year of an expiry date. */
export const ExpiryYearIn = Type.String({ ...coded('INVALID_EXPIRY', 'digits of the expiry year'), maxLength: 10, examples: ['2031'] });
export const CvvIn = Type.String({
  ...coded('INVALID_CVV', '3 or 4 digits'),
  [NOT_FREE_TEXT]: 'security-code',
  maxLength: 10,
  examples: ['123'],
});
/** A bank account number or a secret. It is stored encrypted or hashed, or not at all. */
export const ProtectedText = (maxLength: number, description: string, example?: string) =>
  Type.String({ [NOT_FREE_TEXT]: 'protected', maxLength, ...described(description, example) });
/** Purchase order number (Level 2), at most as long as the processors accept it. */
export const PurchaseOrderIn = Text(25, 'purchase order number of a business customer, at most 25 characters');
export const MetadataIn = Type.Record(Type.String(), Type.Unknown(), { description: 'at most 50 keys and 4 KB' });
/** Order that a payment pays, or an order number of the shop. */
export const OrderIdIn = Text(100, 'ID of the order that the payment pays (`POST /orders`), or the order number of the shop as text');
/** More lines than an order has, with its gift cards. */
const ORDER_LINES_MAX = 200;
/** Lines of the order that a payment pays. */
export const OrderLinesIn = Type.Optional(
  Type.Array(Type.Integer({ minimum: 0, maximum: ORDER_LINES_MAX - 1 }), {
    maxItems: ORDER_LINES_MAX,
    description:
      'lines of the order in `orderId` that the payment pays, by their position in `lineItems`, from 0. No other payment can pay them meanwhile; `amount` without tip and surcharge is at most what remains of them',
    examples: [[0, 2]],
  }),
);
/** Order number of the shop on a payment that cannot pay an order. */
export const ShopNumberIn = Type.String({
  maxLength: 100,
  pattern: '^(?!ord_[0-9a-z]{26}$)',
  description: 'an order number of the shop; this payment cannot pay an order of Paydesk',
});
/** Fields of a request by which the merchant recognizes a payment, in camelCase. */
export const OwnFieldsIn = {
  orderId: Type.Optional(OrderIdIn),
  description: Type.Optional(DescriptionIn),
  metadata: Type.Optional(MetadataIn),
};

export const CardIn = named(
  'CardInput',
  Type.Object(
    { number: CardNumberIn, expiryMonth: ExpiryMonthIn, expiryYear: ExpiryYearIn, cvv: Type.Optional(CvvIn) },
    { description: 'Card' },
  ),
);

/** A calendar date. */
export const DateIn = (description: string) =>
  Type.String({ ...coded('INVALID_DATE', description), [EXAMPLE]: EXAMPLE_DAY, maxLength: 20 });

/** A calendar date or an ISO 8601 time, which `timeFrom` reads. */
export const MomentIn = (description: string) =>
  Text(40, `${description}: YYYY-MM-DD in the time zone of the merchant, or an ISO 8601 time`);

const textQuery = (description: string) => Type.Optional(Type.String({ description, maxLength: 200 }));
/** Page parameters of every list. */
export const PageQuery = {
  page: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,8}$', description: 'a whole number from 1' })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,8}$', description: 'a whole number from 1; values above 200 count as 200' })),
  cursor: textQuery('`nextCursor` of the previous page; replaces `page`'),
};
export const DateQuery = {
  startDate: Type.Optional(DateIn('first day, YYYY-MM-DD in the time zone of the merchant')),
  endDate: Type.Optional(DateIn('last day, inclusive')),
};

export const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The success envelope around a schema, which `show()` fills. */
export const Success = successBody;
/** A page of a list, which `show()` fills. */
export const Paginated = pageBody;
export const Params = <Names extends string>(...names: Names[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.String({ maxLength: 200 })])) as Record<Names, ReturnType<typeof Type.String>>,
  );

/** Address to which the purchase is delivered. It is stored encrypted, and returned by reads of a single payment and in evidence. */
export const ShippingAddressIn = Lines(300, 'address of delivery in one text; kept encrypted as evidence for disputes');
