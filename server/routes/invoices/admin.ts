import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { INVOICE_KINDS, INVOICE_STATUSES, Invoice, InvoiceLink, InvoicesSummary, SentInvoice } from '#core/billing/invoicing';
import { literals, text } from '#core/platform/fields';
import { ListTotal } from '#core/platform/list-totals';
import { Transaction } from '#core/sales/payments';
import { Paginated, route, Success, SuccessOrDeclined } from '#server/http';
import {
  CustomerIdIn,
  DateQuery,
  GATEWAY_ERRORS,
  InvoiceChangeFields,
  InvoicePaymentFields,
  MerchantIn,
  NewInvoiceFields,
  NewLinkIn,
  oneOf,
  PageQuery,
  Params,
  pageFrom,
  payInputFrom,
  ReasonIn,
  SALE_ERRORS,
  SendFields,
  sortBy,
  Text,
  withActions,
  withoutPage,
} from '#server/schemas';
import { printedTextsOf, unprintableCharacters } from '#shared/document-scripts';
import { actionsFor } from '../actions.ts';
import { INSTALLMENT_CHANGE } from '../installments/routes.ts';

const shared = { surface: 'admin', tag: 'Invoices', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'invoices:read' } as const;
const write = { ...shared, method: 'POST', permission: 'invoices:write' } as const;
const ACCESS = { update: write, send: write, pay: write, cancel: write, payInInstallments: INSTALLMENT_CHANGE };
const ONE = Params('id');
const MISSING = ['INVOICE_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CLOSED = [...MISSING, 'INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED', 'RESOURCE_CONFLICT'] as const;
const BAD = ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'INVALID_DATE', 'REQUIRED_FIELD_MISSING', 'CUSTOMER_NOT_FOUND'] as const;

const create = route({
  ...write,
  path: '/invoices',
  id: 'admin.createInvoice',
  summary: 'Create an invoice',
  description:
    'A draft until it is sent or paid. `amount` is optional with items; if both are given, they must agree. Numbers have no gaps per merchant.',
  created: true,
  idempotent: true,
  body: Type.Object(NewInvoiceFields),
  response: Success(Invoice),
  errors: [...BAD, 'NOT_FOUND', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, body }) => ({ invoice: await core.invoicing.create(actor, body) }),
  show: ({ invoice }) => invoice,
});

const FILTERS = {
  ...DateQuery,
  view: Type.Optional(
    literals(['to_do'], 'to_do: unpaid invoices that are overdue without a promise for a later day, or promised for today or earlier'),
  ),
  status: oneOf(...INVOICE_STATUSES),
  customerId: Type.Optional(CustomerIdIn),
  kind: oneOf(...INVOICE_KINDS),
  merchantId: MerchantIn,
  q: Type.Optional(Text(200, "a number, an ID, or beginnings of words of the customer's data")),
};

const list = route({
  ...read,
  path: '/invoices',
  id: 'admin.listInvoices',
  summary: 'Invoices and payment links, by default newest first',
  description: 'Payment links are invoices of the kind `link`.',
  query: Type.Object({
    ...PageQuery,
    ...FILTERS,
    sort: sortBy('-createdAt', 'createdAt', 'amount', 'dueDate'),
  }),
  response: Paginated(Invoice),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.invoicing.page(actor, withoutPage(query), pageFrom(query)),
});

const totals = route({
  ...read,
  path: '/invoices/totals',
  id: 'admin.getInvoiceTotals',
  summary: 'Number and amount of the invoices and payment links of a filter, by currency',
  description: 'The filters are those of `GET /invoices`.',
  query: Type.Object(FILTERS),
  response: Success(Type.Array(ListTotal)),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.invoicing.listTotals(actor, query),
});

const summary = route({
  ...read,
  path: '/invoices/summary',
  id: 'admin.invoicesSummary',
  summary: "Outstanding, overdue and paid amounts of 30 days, in the merchant's currency",
  description: 'Invoices in other currencies are not included.',
  query: Type.Object({ merchantId: MerchantIn }),
  response: Success(InvoicesSummary),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.invoicing.summary(actor, query.merchantId),
});

const get = route({
  ...read,
  path: '/invoices/:id',
  id: 'admin.getInvoice',
  summary: 'One invoice with its payments',
  description: 'Returns the invoice with its payments, newest first, and with what the caller can do with it.',
  params: ONE,
  response: Success(withActions('InvoiceDetail', Invoice, ACCESS)),
  errors: MISSING,
  run: async (call) => {
    const { core, actor, params } = call;
    const [{ actions, ...invoice }, payInInstallments] = await Promise.all([
      core.invoicing.getWithActions(actor, params.id),
      core.installments.createAction(actor, params.id),
    ]);
    return { ...invoice, actions: await actionsFor(call, ACCESS, { ...actions, payInInstallments }) };
  },
});

const update = route({
  ...write,
  method: 'PUT',
  path: '/invoices/:id',
  id: 'admin.updateInvoice',
  summary: 'Change a draft',
  description: 'Missing fields stay unchanged; an empty list of items removes them and leaves the amount.',
  params: ONE,
  body: Type.Object(InvoiceChangeFields),
  response: Success(Invoice),
  errors: [...CLOSED, ...BAD],
  run: ({ core, actor, params, body }) => core.invoicing.update(actor, params.id, body),
});

const send = route({
  ...write,
  path: '/invoices/:id/send',
  id: 'admin.sendInvoice',
  summary: 'Send an invoice or a link by email, text message or both',
  description: "Goes to the customer's address and number unless others are given. Sent again, it is a reminder.",
  params: ONE,
  body: Type.Object(SendFields),
  response: Success(SentInvoice),
  errors: [...CLOSED, 'REQUIRED_FIELD_MISSING', 'INVALID_EMAIL', 'INVALID_PHONE', 'MERCHANT_NOT_FOUND'],
  run: ({ core, actor, params, body }) => core.invoicing.send(actor, params.id, body),
  show: ({ invoice, messageIds }) => ({ ...invoice, messageIds, unprintableCharacters: unprintableCharacters(printedTextsOf(invoice)) }),
});

const pay = route({
  ...write,
  path: '/invoices/:id/payment',
  id: 'admin.payInvoice',
  takesDrawer: true,
  summary: 'Record a payment, or charge a payment method',
  description:
    'cash, check and other are recorded immediately; card, ach and token are charged, and a decline is HTTP 200 with success false. `amount` is required; `amountDue` less `amountPending` pays the invoice in full. Pending payments reduce the amount that can be paid. After GATEWAY_TIMEOUT the payment stays pending until an inquiry finds its outcome: read the invoice, do not charge again.',
  rate: 'create-transaction',
  idempotent: true,
  params: ONE,
  body: Type.Object(InvoicePaymentFields),
  response: SuccessOrDeclined(Invoice, Transaction),
  errors: [
    ...CLOSED,
    ...SALE_ERRORS,
    'PAYMENT_EXCEEDS_DUE',
    'REQUIRED_FIELD_MISSING',
    'NOT_FOUND',
    'CUSTOMER_NOT_FOUND',
    'MERCHANT_NOT_FOUND',
    'DUPLICATE_TRANSACTION',
    ...GATEWAY_ERRORS,
  ],
  run: ({ core, actor, params, body }) => core.invoicing.pay(actor, params.id, payInputFrom(body)),
  show: ({ invoice, transaction }) => (transaction?.status === 'declined' ? { declined: transaction } : { done: invoice }),
});

const cancel = route({
  ...write,
  path: '/invoices/:id/cancel',
  id: 'admin.cancelInvoice',
  summary: 'Cancel an invoice',
  description: 'Its payments stay. Refused while a payment is pending.',
  params: ONE,
  body: Type.Object({ reason: Type.Optional(ReasonIn) }),
  response: Success(Invoice),
  errors: CLOSED,
  run: ({ core, actor, params, body }) => core.invoicing.cancel(actor, params.id, body.reason),
});

const acceptsPng = ({ headers }: FastifyRequest) => (headers.accept ?? '').split(',').some((type) => type.trim().startsWith('image/png'));

const qrCode = route({
  ...read,
  path: '/invoices/:id/qr-code',
  otherContentTypes: ['image/png'],
  id: 'admin.invoiceQrCode',
  summary: "QR code of an invoice's page",
  description: 'The address with a PNG as a data URL; with `Accept: image/png` the PNG itself.',
  params: ONE,
  response: Success(
    Type.Object({ url: text('Address', 'http://127.0.0.1:4801/pay/Zk3v9q'), qrCode: Type.String({ description: 'a PNG as a data URL' }) }),
  ),
  errors: MISSING,
  run: async ({ core, actor, params, request, reply }) => {
    const { url, png } = await core.invoicing.qrCode(actor, params.id);
    if (acceptsPng(request)) await reply.type('image/png').send(png);
    return { url, qrCode: `data:image/png;base64,${png.toString('base64')}` };
  },
});

const pdf = route({
  ...read,
  path: '/invoices/:id/pdf',
  id: 'admin.invoicePdf',
  summary: 'Invoice as PDF',
  description: 'The file has the language and branding of the merchant.',
  params: ONE,
  contentType: 'application/pdf',
  response: Type.String(),
  errors: MISSING,
  run: async ({ core, actor, params, reply }) => {
    const { filename, content } = await core.invoicing.pdf(actor, params.id);
    await reply.type('application/pdf').header('content-disposition', `attachment; filename="${filename}"`).send(content);
  },
});

const createLink = route({
  ...write,
  path: '/payment-links',
  id: 'admin.createPaymentLink',
  summary: 'Create a payment link',
  description:
    'An invoice of kind `link` that counts as sent. Its page accepts payments until `expiresAt`. With `sendVia` it is sent to `customerEmail` and `phone`; if a channel is not set up on a live account, no link is created.',
  created: true,
  idempotent: true,
  body: NewLinkIn,
  response: Success(InvoiceLink),
  errors: [...BAD, 'INVALID_EMAIL', 'INVALID_PHONE', 'NOT_FOUND', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.invoicing.createLink(actor, body),
  show: ({ invoice, messageIds }) => ({ ...invoice, messageIds }),
});

export const adminInvoices = [create, list, totals, summary, get, update, send, pay, cancel, qrCode, pdf, createLink];
