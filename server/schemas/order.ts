import { Type } from 'typebox';
import { DiscountIdIn } from './discount.ts';
import { AMOUNT_RANGE, AmountIn, CurrencyIn, DescriptionIn, DiscountIn, MerchantIn, PartsIn, ReasonIn, Text } from './fields.ts';
import { OrderGiftCardsIn } from './gift-card.ts';
import { LineItemsIn } from './line-item.ts';
import { named } from './named.ts';

const NameIn = Type.Optional(Text(60, 'name by which the order is found, such as `Table 4`'));

export const NewOrderBody = named(
  'NewOrder',
  Type.Object({
    amount: Type.Optional({ ...AmountIn, description: `${AMOUNT_RANGE}; by default the sum of the lines` }),
    currency: Type.Optional(CurrencyIn),
    taxAmount: PartsIn.taxAmount,
    discountAmount: DiscountIn,
    discountId: DiscountIdIn,
    lineItems: LineItemsIn,
    giftCards: OrderGiftCardsIn,
    name: NameIn,
    reference: Type.Optional(Text(100, 'order number of the shop')),
    description: Type.Optional(DescriptionIn),
    customerId: Type.Optional(Text(60, 'customer of the order; its payments name the customer themselves')),
    merchantId: MerchantIn,
  }),
);
export const ParkOrderBody = Type.Object({ name: NameIn });
export const ResumeOrderBody = Type.Object({
  takeOverFrom: Type.Optional(
    Text(200, 'the person who has an open order, as `details.heldBy` names them; without it, only a parked order is resumed'),
  ),
});
export const CancelOrderBody = Type.Object({ reason: Type.Optional(ReasonIn) });
