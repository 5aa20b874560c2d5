import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { TENDER_KINDS } from '#core/sales/tenders';
import { DiscountIdIn } from './discount.ts';
import {
  AMOUNT_RANGE,
  AmountIn,
  CurrencyIn,
  CustomerIdIn,
  DescriptionIn,
  DiscountIn,
  EmailIn,
  MerchantIn,
  OrderIdIn,
  OrderLinesIn,
  PartsIn,
  ReasonIn,
  Text,
} from './fields.ts';
import { GiftCardCodeIn, GiftCardPinIn } from './gift-card.ts';
import { LineItemsIn } from './line-item.ts';
import { named } from './named.ts';

const DrawerIn = Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`. The open shift of the drawer counts the payment'));

export const NewTenderBody = named(
  'NewTender',
  Type.Object({
    kind: literals(TENDER_KINDS, 'Kind'),
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
    customerId: Type.Optional(CustomerIdIn),
    customerEmail: Type.Optional(EmailIn('Email address of the customer')),
    orderId: Type.Optional(OrderIdIn),
    orderLines: OrderLinesIn,
    description: Type.Optional(DescriptionIn),
    taxAmount: PartsIn.taxAmount,
    discountAmount: DiscountIn,
    discountId: DiscountIdIn,
    lineItems: LineItemsIn,
    drawer: DrawerIn,
    merchantId: MerchantIn,
  }),
);

export const TenderRefundBody = Type.Object({
  amount: Type.Optional({ ...AmountIn, description: `${AMOUNT_RANGE}; by default the whole remaining amount` }),
  reason: Type.Optional(ReasonIn),
  drawer: Type.Optional(Text(40, 'drawer from which cash is taken; by default that of the tender')),
});

export const CheckReturnBody = Type.Object({
  reason: Type.Optional(Text(200, 'reason of the bank, such as `insufficient funds`')),
});
