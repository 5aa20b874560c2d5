import { amount, event, object, orNull, SAMPLE_AMOUNT, text, titled } from './event-schemas.ts';

const order = titled(
  'OrderEventData',
  object({
    orderId: { ...text, description: 'ID of the order.' },
    number: { ...text, description: 'Number of the order.' },
    status: { ...text, description: 'Status: open, parked, paid or canceled.' },
    amount,
    paidAmount: amount,
    remainingAmount: amount,
    currency: text,
    name: orNull(text),
    reference: orNull(text),
    customerId: orNull(text),
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
