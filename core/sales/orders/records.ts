import { Type } from 'typebox';
import { amount, count, currencyCode, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { IssuedGiftCard, OrderGiftCard } from '#core/sales/gift-cards';
import { LineItem } from '#core/sales/items';
import { ORDER_STATUSES } from './schema.ts';

/** A payment of an order, with its share of the order. */
export const OrderPayment = record('OrderPayment', {
  paymentId: text('ID of the transaction or of the tender', 'txn_00000000000000000000000000'),
  kind: literals(['card', 'ach', 'cash', 'check', 'other', 'gift_card'], 'Kind of the payment'),
  state: literals(
    ['reserved', 'paid', 'released'],
    '`reserved` until the outcome is known; `paid` if it was approved; `released` if it was not, so that its share can be paid again',
  ),
  amount: amount('Amount of the payment, with tip and surcharge', 29.99),
  shareAmount: amount('Share of the order that the payment covers', 24.99),
  tipAmount: amount('Tip that the payment adds', 5),
  surchargeAmount: amount('Surcharge that the payment adds', 0),
  taxAmount: amount('Tax within the share', 2.12),
  discountAmount: amount('Share of the discount of the order', 0),
  returnedAmount: amount(
    'Part of the share that the order is owed again, by a void, a returned payment, or a refund before it was paid',
    0,
  ),
  refundedAmount: amount('Amount that was refunded, with tip and surcharge', 0),
  roundingAmount: amount('Cash that was received less the amount, by rounding to the smallest coin, less that of refunds', 0),
  card: nullable(
    record('OrderCard', { brand: text('Brand of the card', 'visa'), last4: text('Last four digits', '1111') }),
    'Card; null for other payments',
  ),
  authCode: nullable(text('Authorization code of the issuer; null for other payments', 'A1B2C3')),
  number: nullable(text('Receipt number of a tender; null for card and bank payments', null)),
  lines: list(
    record('OrderPaymentLine', {
      line: count('Position of the line in `lineItems` of the order, from 0', 0),
      amount: amount('Amount of the line that the payment pays or reserves', 24.99),
    }),
    'Lines that the payment pays; empty if it named none in `orderLines`, or if it gave them back',
  ),
  createdAt: time('Time of the payment'),
});
export type OrderPayment = RecordOf<typeof OrderPayment>;

/** A sale that several payments can pay. */
export const Order = record('Order', {
  orderId: id('ord', 'ID of the order; payments name it in `orderId`'),
  number: text('Number of the order, per merchant', 'O-000001'),
  merchantId: id('mer', 'ID of the merchant'),
  status: literals(
    ORDER_STATUSES,
    'Status. `parked`: put aside, and takes no payment until it is resumed; `paid`: nothing remains to be paid',
  ),
  amount: amount('Total to be paid, without tips and surcharges of its payments', 49.99),
  currency: currencyCode(),
  taxAmount: amount('Sales tax within the amount', 4.25),
  discountAmount: amount('Discount that was taken off before the amount', 0),
  discountApprovedBy: nullable(text('Person who approved the discount as the second one; null if it needed no approval', null)),
  paidAmount: amount('Shares of approved payments, less the returned parts', 24.99),
  reservedAmount: amount('Shares of payments whose outcome is not known yet', 0),
  remainingAmount: amount('Amount that a payment can still take; 0 unless the status is `open` or `parked`', 25),
  refundedAmount: amount('Shares that were refunded after the order was paid', 0),
  name: nullable(text('Name by which the order is found', 'Table 4')),
  reference: nullable(text('Order number of the shop', 'order-1001')),
  description: nullable(text('Description', 'Repair')),
  customerId: nullable(id('cus', 'ID of the customer')),
  customerName: nullable(text('Name of the customer', 'Ann Marsh')),
  lineItems: list(LineItem, 'Lines of the sale; empty if it is not itemized'),
  createdBy: text('Name of the creator', 'admin@demo.example'),
  parkedAt: nullable(time('Time at which the order was parked; null unless it is parked', null)),
  parkedBy: nullable(text('Person who parked the order last', null)),
  resumedBy: nullable(
    text(
      'Person who resumed the order last, and who has it while it is open; null again after a payment of a paid order was returned',
      null,
    ),
  ),
  paidAt: nullable(time('Time at which nothing remained to be paid', null)),
  canceledAt: nullable(time('Time of the cancellation', null)),
  canceledBy: nullable(text('Person who canceled the order', null)),
  cancelReason: nullable(text('Reason of the cancellation', null)),
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
});
export type Order = RecordOf<typeof Order>;

/** A new order with the codes of the gift cards that it sells. */
export const CreatedOrder = record('CreatedOrder', {
  ...Order.properties,
  giftCards: list(
    record('NewOrderGiftCardOut', { ...OrderGiftCard.properties, code: IssuedGiftCard.properties.code }),
    'Gift cards that the order sells; a new code is shown only here, and the card is `pending` until the order is paid',
  ),
});
export type CreatedOrder = RecordOf<typeof CreatedOrder>;

/** An order with its payments. */
export const OrderDetail = record('OrderDetail', {
  ...Order.properties,
  tipAmount: amount('Tips that approved payments added', 5),
  surchargeAmount: amount('Surcharges that approved payments added', 0),
  lineItems: list(
    record('OrderLine', {
      ...LineItem.properties,
      remainingAmount: amount('Amount of the line that no payment has named in `orderLines`; 0 unless the order is `open` or `parked`', 25),
      paidBy: list(Type.String(), 'IDs of the payments that pay the line or a part of it', ['txn_00000000000000000000000000']),
    }),
    'Lines of the sale; empty if it is not itemized',
  ),
  payments: list(OrderPayment, 'Payments, oldest first'),
  giftCards: list(OrderGiftCard, 'Gift cards that the order sells'),
});
export type OrderDetail = RecordOf<typeof OrderDetail>;

/** Proposed refund of one payment of an order. */
const ProposedRefund = record('ProposedRefund', {
  paymentId: OrderPayment.properties.paymentId,
  kind: OrderPayment.properties.kind,
  amount: amount('Amount to refund, at most what remains of the payment', 24.99),
  refundableAmount: amount('Amount of the payment that can still be refunded', 24.99),
});

/** Proposal for the refund of an order. Nothing is refunded. */
export const RefundProposal = record('OrderRefundProposal', {
  orderId: Order.properties.orderId,
  currency: currencyCode(),
  amount: amount('Amount to refund', 49.99),
  refundableAmount: amount('Largest amount that can be refunded', 49.99),
  refunds: list(ProposedRefund, 'Refunds by payment; together they are the amount'),
});
export type RefundProposal = RecordOf<typeof RefundProposal>;

/** Refund of a payment, or of the payments of an order, to a gift card or to store credit. */
export const StoreCreditRefund = record('StoreCreditRefund', {
  amount: amount('Sum of the refunds', 24.99),
  currency: currencyCode(),
  refunds: list(
    record('StoreCreditRefundPart', {
      refundId: text('ID of the refund', 'ref_00000000000000000000000000'),
      paymentId: OrderPayment.properties.paymentId,
      amount: amount('Amount', 24.99),
    }),
    'Refunds by payment',
  ),
  giftCard: IssuedGiftCard,
});
export type StoreCreditRefund = RecordOf<typeof StoreCreditRefund>;
