import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { TENDER_KINDS } from '#core/sales/tenders';
import { DiscountIdIn } from './discount.ts';
import { AMOUNT_RANGE, AmountIn, CurrencyIn, DiscountIn, EmailIn, Lines, OrderIdIn, OrderLinesIn, PartsIn, Text } from './fields.ts';
import { GiftCardCodeIn, GiftCardPinIn } from './gift-card.ts';
import { LineItemsIn } from './line-item.ts';
import { named } from './named.ts';

const DrawerIn = Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`. The open shift of the drawer counts the payment'));

export const NewTenderBody = named(
  'NewTender',
  Type.Object({
    kind: literals(TENDER_KINDS),
    name: Type.Optional(Text(40, 'for `other`: one of the names in `otherTenders` of the merchant; required')),
    amount: AmountIn,
    currency: Type.Optional(CurrencyIn),
    amountGiven: Type.Optional({
      ...AmountIn,
      description: `${AMOUNT_RANGE}; for cash what the customer gave, at least \`amount\`, and the rest is the change`,
    }),
    checkNumber: Type.Optional(Text(40, 'for a check: its number; required')),
    checkBank: Type.Optional(Text(100, 'for a check: its bank')),
    giftCardCode: Type.Optional(GiftCardCodeIn),
    giftCardPin: Type.Optional(GiftCardPinIn),
    giftCardId: Type.Optional(Text(60, 'for `gift_card`: store credit of `customerId`, in place of a code')),
    customerId: Type.Optional(Text(60)),
    customerEmail: Type.Optional(EmailIn),
    orderId: Type.Optional(OrderIdIn),
    orderLines: OrderLinesIn,
    description: Type.Optional(Lines(500)),
    taxAmount: PartsIn.taxAmount,
    discountAmount: DiscountIn,
    discountId: DiscountIdIn,
    lineItems: LineItemsIn,
    drawer: DrawerIn,
    merchantId: Type.Optional(Text(60)),
  }),
);

export const TenderRefundBody = Type.Object({
  amount: Type.Optional({ ...AmountIn, description: `${AMOUNT_RANGE}; by default the whole remaining amount` }),
  reason: Type.Optional(Text(200)),
  drawer: Type.Optional(Text(40, 'drawer from which cash is taken; by default that of the tender')),
});

export const CheckReturnBody = Type.Object({
  reason: Type.Optional(Text(200, 'reason of the bank, such as `insufficient funds`')),
});
