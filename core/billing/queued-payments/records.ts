import { Type } from 'typebox';
import { amount, currencyCode, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { LineItem } from '#core/sales/items';
import { CHANNELS } from '#shared/channels';
import { QUEUE_STATUSES } from './schema.ts';

const last4 = text('Last four digits', '1111');

/** A payment with a saved card or bank account that is charged when the gateway answers. */
export const QueuedPayment = record('QueuedPayment', {
  queuedPaymentId: text('ID of the payment that is charged later', 'qpy_00000000000000000000000000'),
  merchantId: id('mer', 'ID of the merchant'),
  status: literals(
    QUEUE_STATUSES,
    '`waiting`: it leaves in its turn; `sending`: its payment is at the gateway; `declined` and `expired`: a person decides; `replaced`: a payment link was created instead',
  ),
  amount: amount('Amount with tip and tax', 49.99),
  tipAmount: amount('Tip within the amount', 8),
  taxAmount: amount('Sales tax within the amount', 4.25),
  discountAmount: amount('Discount that was taken off before the amount', 5),
  discountApprovedBy: nullable(
    text('Person who approved the discount as the second one; null if it needed no approval', 'manager@shop.example'),
  ),
  currency: currencyCode(),
  customerId: id('cus', 'ID of the customer'),
  customerName: nullable(text('Name of the customer', 'Ann Marsh')),
  paymentMethodId: id('pm', 'ID of the stored payment method'),
  card: nullable(Type.Object({ brand: text('Brand of the card', 'visa'), last4 }), 'Null for a bank account'),
  bankAccount: nullable(Type.Object({ last4 }), 'Null for a card', null),
  orderId: nullable(text('Order number of the shop', 'order-1001')),
  description: nullable(text('Description', 'Repair')),
  lineItems: list(LineItem, 'Lines of the sale; empty if it is not itemized'),
  channel: literals(CHANNELS, 'How the payment reached the merchant'),
  transactionId: nullable(id('txn', 'Its last payment; null if none was sent')),
  declineCode: nullable(text('Reason of the decline: a name for cards, a return code for bank accounts', null)),
  declineReason: nullable(text('Explanation of the decline', null)),
  invoiceId: nullable(text('Payment link that replaced it', null)),
  createdBy: text('Name of the creator', 'admin@demo.example'),
  changedBy: nullable(text('Person or program that released, canceled or replaced it last', null)),
  expiresAt: time('Time at which it expires unless it is charged before'),
  concludedAt: nullable(time('Time at which the outcome became known', null)),
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
});
export type QueuedPayment = RecordOf<typeof QueuedPayment>;
