import { amount, common, commonOrNull, event, object, orNull, SAMPLE_AMOUNT, text, titled } from './event-schemas.ts';

const order = titled(
  'OrderEventData',
  object({
    orderId: text('ID of the order'),
    number: text('Number of the order'),
    status: text('Status: open, parked, paid or canceled'),
    ...common('amount'),
    paidAmount: amount('Amount paid so far'),
    remainingAmount: amount('Amount that remains to be paid'),
    ...common('currency'),
    ...commonOrNull('name'),
    reference: orNull(text('Reference, such as the number of a check')),
    ...commonOrNull('customerId'),
  }),
);

const orderEvent = (status: string, paidAmount: number) =>
  event('Orders', order, () => ({
    orderId: 'ord_00000000000000000000000000',
    number: 'O-000001',
    status,
    amount: SAMPLE_AMOUNT,
    paidAmount,
    remainingAmount: status === 'open' || status === 'parked' ? Math.round((SAMPLE_AMOUNT - paidAmount) * 100) / 100 : 0,
    currency: 'USD',
    name: 'Table 4',
    reference: 'order-1003',
    customerId: 'cus_00000000000000000000000000',
  }));

/** Events about orders, which several payments can pay. */
export const ORDER_EVENTS = {
  'order.created': orderEvent('open', 0),
  'order.parked': orderEvent('parked', 0),
  'order.resumed': orderEvent('open', 0),
  'order.paid': orderEvent('paid', SAMPLE_AMOUNT),
  'order.reopened': orderEvent('open', 20),
  'order.canceled': orderEvent('canceled', 0),
};
