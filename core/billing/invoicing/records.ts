import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  id,
  list,
  literals,
  nullable,
  number,
  one,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { CustomerAddress } from '#core/sales/customers';
import { Transaction } from '#core/sales/payments';
import { INVOICE_KINDS, INVOICE_PAYMENT_STATUSES, INVOICE_STATUSES, RECORDED_METHODS, REMINDER_STOP_REASONS } from './schema.ts';
import { ASK_FOR_TIP } from './tips.ts';

const CARD = Transaction.properties;
const note = nullable(text('Note', 'Agreed with the customer.'));
const createdAt = time('Time of creation');
const shortUrl = text('Short address of the payment page', 'http://127.0.0.1:4801/p/7k2mq9xw');
const messageId = id('msg', 'ID of the message');

/** A payment of an invoice, or an attempt to pay it. */
const InvoicePayment = record('InvoicePayment', {
  paymentId: id('ivp', 'ID of the payment of the invoice'),
  method: literals(RECORDED_METHODS, 'Kind of the payment; `bank_transfer` by the match of a bank line'),
  amount: amount('Amount that pays the invoice; tip and surcharge come in addition'),
  taxAmount: amount('Share of the tax of the invoice within the amount', 4.25),
  tipAmount: amount('Tip, in addition to the amount', 8),
  surchargeAmount: amount('Surcharge, in addition to the amount', 0),
  status: literals(INVOICE_PAYMENT_STATUSES, 'Status'),
  transactionId: nullable(id('txn', 'Null for a payment without a processor')),
  tenderId: nullable(id('tnd', 'Tender of a payment in cash, by check or otherwise without a processor')),
  card: nullable(
    Type.Object({ brand: text('Brand of the card', 'visa'), last4: text('Last four digits', '1111') }),
    'Card; null for other payment methods',
  ),
  bankAccount: nullable(Type.Object({ last4: text('Last four digits', '1111') }), 'Bank account; null for cards', null),
  reference: nullable(text('Reference, such as the number of a check', '1042')),
  note,
  origin: literals(
    ['desk', 'page'],
    '`desk`: recorded or charged by the merchant or its program; `page`: made by the payer on the pay page',
  ),
  actor: text('User, API key or job that did it', 'admin@demo.example'),
  declineCode: CARD.declineCode,
  declineReason: CARD.declineReason,
  refundedAmount: amount('Refunded amount; a refund does not reopen the invoice', 0),
  roundingAmount: amount('Cash that was received less the amount, by rounding to the smallest coin, less that of refunds', 0),
  createdAt,
});
export type InvoicePayment = RecordOf<typeof InvoicePayment>;

/** One line of an invoice. */
const InvoiceItem = Type.Object({
  itemId: nullable(id('itm', 'Item that the line was filled from; null for a line of its own')),
  description: text('Description', 'Repair'),
  quantity: number('Number of units', 1),
  unitPrice: amount('Price of a unit', 80),
  amount: amount('Amount', 49.99),
});
export type InvoiceItem = RecordOf<typeof InvoiceItem>;

/** Customer of an invoice, as it was when the invoice was written. */
const InvoiceCustomer = Type.Object({
  name: nullable(text('Name', 'Harbor Street')),
  email: nullable(text('Email address', 'ann@customer.example')),
  phone: nullable(text('Phone number with country code', '+12075550142')),
  company: nullable(text('Company', 'Marsh & Co')),
  address: nullable(CustomerAddress, 'Postal address', null),
});
export type InvoiceCustomer = RecordOf<typeof InvoiceCustomer>;

/** An invoice with its payments. A payment link has the kind `link`. */
export const Invoice = record('Invoice', {
  invoiceId: id('inv', 'ID of the invoice'),
  number: text('Consecutive number per merchant, without gaps', 'INV-000042'),
  kind: literals(INVOICE_KINDS, 'Kind'),
  merchantId: id('mer', 'ID of the merchant'),
  customerId: nullable(id('cus', 'ID of the customer')),
  customer: nullable(InvoiceCustomer, 'Customer as named for this record'),
  amount: amount('Amount', 49.99),
  taxAmount: amount('Tax within the amount', 4.25),
  amountPaid: amount('Paid amount', 0),
  amountPending: amount('Amount reserved by pending payments', 0),
  amountDue: amount('Amount less amountPaid', 49.99),
  currency: currencyCode(),
  dueDate: nullable(day('Day on which the payment is due')),
  items: list(InvoiceItem, 'Lines'),
  note,
  description: nullable(text('Description', 'Repair')),
  purchaseOrderNumber: nullable(text('Purchase order number of a business customer; null if there is none', 'PO-2291')),
  allowPartial: flag('True if the payer may pay a part', false),
  collectShippingAddress: flag('True if the page asks the payer for a shipping address', false),
  askForTip: literals(ASK_FOR_TIP, 'Whether the page of a link asks for a tip; `default` follows `pageTips` of the merchant'),
  status: literals(INVOICE_STATUSES, 'Status'),
  delivery: nullable(
    Type.Object({
      channel: literals(['email', 'sms'], 'Email or text message'),
      status: literals(['waiting', 'queued', 'sent', 'failed', 'expired'], 'Status'),
    }),
    'Whether a provider has accepted a message with it; `waiting` means that its channel is not set up, and null that there is no message',
  ),
  sentAt: nullable(time('Time at which it was sent; null while unsent')),
  paidAt: nullable(time('Time of the payment in full')),
  overdueAt: nullable(time('Time at which the invoice became overdue')),
  cancelledAt: nullable(time('Time of the cancellation')),
  cancelReason: nullable(text('Reason of the cancellation', null)),
  promise: nullable(
    Type.Object({
      date: day('Day by which the customer promised to pay'),
      by: text('Person who promised it', 'Ines Brandt'),
      at: time('Time at which it was recorded'),
      recordedBy: text('User or API key that recorded it', 'admin@demo.example'),
    }),
    'Promise of the customer to pay; no reminder is sent until its day has passed',
  ),
  remindersStopped: nullable(
    Type.Object({
      at: time('Time from which no reminder is sent'),
      by: text('User, API key or job that ended them', 'admin@demo.example'),
      reason: literals(REMINDER_STOP_REASONS, 'Reason'),
    }),
    'End of the reminders of this invoice; null if they were not ended',
    null,
  ),
  expiresAt: nullable(time('Time until which the payment link can be paid; null for invoices')),
  url: text('Address of the payment page', 'http://127.0.0.1:4801/pay/Zk3v9q'),
  shortUrl,
  isLocalOnly: flag('Whether the addresses can be opened on this computer only'),
  payments: list(InvoicePayment, 'Oldest first; of the payments that failed on the page, only the newest 20'),
  createdAt,
  updatedAt: time('Time of the last change'),
});
export type Invoice = RecordOf<typeof Invoice>;

/** An invoice with the IDs of its messages in the outbox. */
export const SentInvoice = record('SentInvoice', {
  ...Invoice.properties,
  messageIds: list(messageId, 'IDs of the messages that were queued'),
  unprintableCharacters: list(
    text('A character'),
    'Characters of the names, the items and the note in scripts that the PDF cannot show; it has boxes in their place',
    [],
  ),
});
export type SentInvoice = RecordOf<typeof SentInvoice>;

/** A payment link, with the IDs of its messages in the outbox. */
export const InvoiceLink = record('InvoiceLink', {
  invoiceId: id('inv', 'ID of the invoice'),
  url: text('Address', 'http://127.0.0.1:4801/pay/Zk3v9q'),
  shortUrl,
  isLocalOnly: flag('Whether the addresses can be opened on this computer only'),
  messageIds: list(messageId, 'Messages with the link in the outbox; empty without `sendVia`'),
});

/** A payment as the page shows it to the payer. */
export type PagePayment = Pick<
  InvoicePayment,
  'paymentId' | 'amount' | 'tipAmount' | 'surchargeAmount' | 'status' | 'declineCode' | 'transactionId' | 'createdAt'
>;

const InvoiceSum = record('InvoiceSum', { count: count('Number of invoices', 3), amount: amount('Amount', 49.99) });
export type InvoiceSum = RecordOf<typeof InvoiceSum>;

/** Totals of invoices in the merchant's currency. */
export const InvoicesSummary = record('InvoicesSummary', {
  currency: currencyCode(),
  outstanding: one(InvoiceSum, 'Invoices that were sent and are not fully paid, without expired links'),
  overdue: one(InvoiceSum, 'Outstanding invoices whose due date has passed'),
  paidIn30Days: one(InvoiceSum, 'Invoices that were paid in the last 30 days'),
});
export type InvoicesSummary = RecordOf<typeof InvoicesSummary>;
