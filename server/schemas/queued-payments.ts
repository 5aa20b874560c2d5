import { Type } from 'typebox';
import { ChannelIn } from './channel.ts';
import { DiscountIdIn } from './discount.ts';
import { AmountIn, CurrencyIn, CustomerIdIn, DescriptionIn, DiscountIn, MerchantIn, PartsIn, ShopNumberIn, Text } from './fields.ts';
import { LineItemsIn } from './line-item.ts';
import { named } from './named.ts';

export const NewLaterBody = named(
  'NewQueuedPayment',
  Type.Object({
    amount: AmountIn,
    tipAmount: PartsIn.tipAmount,
    surchargeAmount: Type.Optional({ ...PartsIn.surchargeAmount, description: '0; a payment that is charged later has no surcharge' }),
    taxAmount: PartsIn.taxAmount,
    discountAmount: DiscountIn,
    discountId: DiscountIdIn,
    currency: Type.Optional({ ...CurrencyIn, description: 'the currency of the merchant; the default' }),
    customerId: CustomerIdIn,
    paymentMethodId: Type.Optional(
      Text(60, "a payment method of the customer with recorded consent; by default the customer's default one"),
    ),
    orderId: Type.Optional(ShopNumberIn),
    description: Type.Optional(DescriptionIn),
    lineItems: LineItemsIn,
    channel: ChannelIn,
    merchantId: MerchantIn,
  }),
);
