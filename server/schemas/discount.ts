import { Type } from 'typebox';
import { AMOUNT_RANGE, AmountIn, CurrencyIn, MerchantIn, Text } from './fields.ts';

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
export const NewDiscountBody = Type.Object({
  merchantId: MerchantIn,
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
