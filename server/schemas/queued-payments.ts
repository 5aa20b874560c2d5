import { Type } from 'typebox';
import type { QueuedPayment } from '#core/billing/queued-payments';
import { toNumber } from '#core/kernel';
import { amount, literals } from '#core/platform/fields';
import { ChannelIn, PaymentChannelOut } from './channel.ts';
import { DiscountApprovedByOut, DiscountIdIn } from './discount.ts';
import { AmountIn, CurrencyIn, DiscountIn, Lines, Maybe, PartsIn, Text, Timestamp } from './fields.ts';
import { LineItemsIn, LineItemsOut } from './line-item.ts';
import { named } from './named.ts';

export const LATER_STATUSES = ['waiting', 'sending', 'paid', 'declined', 'expired', 'cancelled', 'replaced'] as const;

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
    customerId: Text(60),
    paymentMethodId: Type.Optional(
      Text(60, "a payment method of the customer with recorded consent; by default the customer's default one"),
    ),
    orderId: Type.Optional(Text(100)),
    description: Type.Optional(Lines(500)),
    lineItems: LineItemsIn,
    channel: ChannelIn,
    merchantId: Type.Optional(Text(60)),
  }),
);

/** A payment with a saved card or bank account that is charged when the gateway answers. */
export const QueuedPaymentOut = named(
  'QueuedPayment',
  Type.Object({
    queuedPaymentId: Type.String({ examples: ['qpy_00000000000000000000000000'] }),
    merchantId: Type.String(),
    status: literals(
      LATER_STATUSES,
      '`waiting`: it leaves in its turn; `sending`: its payment is at the gateway; `declined` and `expired`: a person decides; `replaced`: a payment link was created instead',
    ),
    amount: Type.Number({ description: 'with tip and tax, in major units', examples: [49.99] }),
    tipAmount: Type.Number(),
    taxAmount: Type.Number(),
    discountAmount: amount('Discount that was taken off before the amount', 5),
    discountApprovedBy: DiscountApprovedByOut,
    currency: Type.String(),
    customerId: Type.String(),
    customerName: Maybe(Type.String()),
    paymentMethodId: Type.String(),
    card: Maybe(Type.Object({ brand: Type.String(), last4: Type.String() }, { description: 'null for a bank account' })),
    bankAccount: Maybe(Type.Object({ last4: Type.String() }, { description: 'null for a card' })),
    orderId: Maybe(Type.String()),
    description: Maybe(Type.String()),
    lineItems: LineItemsOut,
    channel: PaymentChannelOut,
    transactionId: Maybe(Type.String({ description: 'its last payment; null if none was sent' })),
    declineCode: Maybe(Type.String()),
    declineReason: Maybe(Type.String()),
    invoiceId: Maybe(Type.String({ description: 'payment link that replaced it' })),
    createdBy: Type.String(),
    changedBy: Maybe(Type.String({ description: 'who released, canceled or replaced it last' })),
    expiresAt: Timestamp,
    concludedAt: Maybe(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

export const queuedPaymentRecord = ({ amount, tipAmount, taxAmount, discountAmount, lineItems, ...rest }: QueuedPayment) => ({
  ...rest,
  amount: toNumber(amount),
  tipAmount: toNumber(tipAmount),
  taxAmount: toNumber(taxAmount),
  discountAmount,
  lineItems,
});
