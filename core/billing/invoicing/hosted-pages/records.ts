import { Type } from 'typebox';
import { amount, currencyCode, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { HOSTED_PAGE_DELIVERIES } from '#core/processing/gateways';
import { HOSTED_PAGE_PROBLEMS, HOSTED_PAGE_STATUSES } from '../hosted-page-state/schema.ts';

const gateway = text('Name of the gateway', 'Main account');
const delivery = literals(
  HOSTED_PAGE_DELIVERIES,
  'Way to the payer. `link`: an address that can be sent. `form`: opened in a browser of the merchant, within minutes. `email`: the processor emails its own link',
);

/** A payment page at the processor of a gateway. */
export const HostedPage = record('HostedPage', {
  hostedPageId: id('hpg', 'ID of the page'),
  invoiceId: id('inv', 'ID of the invoice or payment link'),
  gateway,
  delivery,
  processorRef: text('Reference of its payments at the processor', 'K3V7Q2M9T4X8B6N1C5D0'),
  amount: amount('Amount that the payer pays', 49.99),
  currency: currencyCode(),
  status: literals(
    HOSTED_PAGE_STATUSES,
    'Status. `overpaid`: the invoice did not need all of its payments; refund those in `overpayments`. `review`: the processor shows payments that are not booked',
  ),
  problem: nullable(literals(HOSTED_PAGE_PROBLEMS, 'Problem that a person should know; null if there is none')),
  url: nullable(
    text('Address of an open page; for a form, of the page of this server that opens it', 'http://127.0.0.1:4801/sandbox/pay/Zk3v9q'),
  ),
  emailedTo: nullable(text('Address to which the processor emails the page', 'ann@customer.example')),
  opensUntil: nullable(time('Time until which the page must be opened')),
  found: list(
    Type.Object({
      reference: text('Reference of the payment at the processor', '60000000001'),
      amount: amount('Amount of the payment', 49.99),
      currency: currencyCode(),
    }),
    'Payments that are not booked',
    [],
  ),
  transactionId: nullable(id('txn', 'First payment on the page that was recorded')),
  overpayments: list(id('txn', 'ID of a payment'), 'Payments on the page that the invoice did not need', []),
  attentionSince: nullable(time('Time from which it waits for a person: for a refund, or because of a payment that is not booked')),
  note: nullable(text('Note of the person who has seen to it', 'Refunded at the gateway')),
  createdBy: text('User or API key that created it', 'admin@demo.example'),
  createdAt: time('Time of creation'),
  checkedAt: nullable(time('Time of the last answer of the processor about its payments')),
  endedAt: nullable(time('Time from which the page no longer waits for the payer')),
});
export type HostedPage = RecordOf<typeof HostedPage>;

/** Payment pages of an invoice, and the gateway that can create one. */
export const InvoiceHostedPages = record('InvoiceHostedPages', {
  offer: nullable(
    Type.Object({ gatewayId: id('gw', 'ID of the gateway'), gateway, delivery }),
    'Gateway on whose page the amount due can be paid; null if no gateway of the merchant has one, or nothing can be paid',
  ),
  pages: list(HostedPage, 'Newest first, at most 20'),
});
export type InvoiceHostedPages = RecordOf<typeof InvoiceHostedPages>;
