import { Type } from 'typebox';
import { toNumber } from '#core/kernel';
import type { Discount } from '#core/sales/discounts';
import { AMOUNT_RANGE, AmountIn, CurrencyIn, Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const DISCOUNT_ID = 'dct_00000000000000000000000000';

/** Discount that a payment uses, granted before. */
export const DiscountIdIn = Type.Optional(
  Type.String({
    maxLength: 60,
    description:
      'discount that was granted with POST /discounts. Required if the approval rule `discountAbovePercent` applies; one payment can use it',
    examples: [DISCOUNT_ID],
  }),
);
export const DiscountApprovedByOut = Maybe(
  Type.String({
    description: 'person who approved the discount as the second one; null if it needed no approval',
    examples: ['manager@shop.example'],
  }),
);

export const NewDiscountBody = Type.Object({
  merchantId: Type.Optional(Text(60)),
  currency: Type.Optional(CurrencyIn),
  price: {
    ...AmountIn,
    description: `${AMOUNT_RANGE}; the price before the discount is the sum of quantity times price of the lines, with the prices of their items where a line is below; without lines the amount plus the discount, without tip and surcharge`,
    examples: [50],
  },
  discountAmount: {
    ...AmountIn,
    description: `${AMOUNT_RANGE}; everything that is taken off the price, at most the price, with the difference to the prices of items`,
    examples: [10],
  },
  reason: Type.Optional(Text(200, 'reason for the person who approves, at most 200 characters')),
});

export const DiscountGrantOut = named(
  'Discount',
  Type.Object({
    discountId: Type.String({ description: 'ID that the payment names in `discountId`', examples: [DISCOUNT_ID] }),
    merchantId: Type.String({ examples: ['mer_00000000000000000000000000'] }),
    price: Type.Number({ description: 'price before the discount, in major units', examples: [50] }),
    discountAmount: Type.Number({ description: 'largest discount of the payment, in major units', examples: [10] }),
    currency: Type.String({ examples: ['USD'] }),
    reason: Maybe(Type.String({ examples: ['Damaged box'] })),
    status: Type.Union([Type.Literal('open'), Type.Literal('used')], { description: '`open` until a payment uses it' }),
    requestedBy: Type.String({ description: 'email address of the user, or name of the API key, which alone may use it' }),
    approvedBy: DiscountApprovedByOut,
    expiresAt: { ...Timestamp, description: 'end of the 15 minutes in which a payment can use it' },
  }),
);

export const discountRecord = ({ price, discountAmount, ...rest }: Discount) => ({
  ...rest,
  price: toNumber(price),
  discountAmount: toNumber(discountAmount),
});
