import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { route, success } from '#server/http';
import {
  DateQuery,
  GATEWAY_ERRORS,
  INVOICE_KINDS,
  INVOICE_STATUSES,
  InvoiceChangeFields,
  InvoiceOut,
  InvoicePaymentFields,
  InvoicesSummaryOut,
  invoiceRecord,
  invoicesSummaryRecord,
  LinkOut,
  NewInvoiceFields,
  NewLinkIn,
  newLinkFrom,
  oneOf,
  PageQuery,
  Paginated,
  PaidInvoiceOut,
  Params,
  pageFrom,
  paginated,
  payInputFrom,
  SALE_ERRORS,
  SendFields,
  SentInvoiceOut,
  Success,
  showInvoice,
  showLink,
  showPaidInvoice,
  Text,
  withoutPage,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Invoices', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'invoices:read' } as const;
const write = { ...shared, method: 'POST', permission: 'invoices:write' } as const;
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
  response: Success(InvoiceOut),
  errors: [...BAD, 'NOT_FOUND', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, body }) => ({ invoice: await core.invoicing.create(actor, body) }),
  show: showInvoice,
});

const list = route({
  ...read,
  path: '/invoices',
  id: 'admin.listInvoices',
  summary: 'Invoices and payment links, newest first',
  description: 'Payment links are invoices of the kind `link`.',
  query: Type.Object({
    ...PageQuery,
    ...DateQuery,
    status: oneOf(...INVOICE_STATUSES),
    customerId: Type.Optional(Text(60)),
    kind: oneOf(...INVOICE_KINDS),
    merchantId: Type.Optional(Text(60)),
    q: Type.Optional(Text(200, "a number, an ID, or beginnings of words of the customer's data")),
  }),
  response: Paginated(InvoiceOut),
  errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => {
    const { kind, ...filter } = withoutPage(query);
    return core.invoicing.page(actor, { ...filter, kind: kind as 'invoice' | 'link' | undefined }, pageFrom(query));
  },
  show: (page) => paginated(page, invoiceRecord),
});

const summary = route({
  ...read,
  path: '/invoices/summary',
  id: 'admin.invoicesSummary',
  summary: "Outstanding, overdue and paid amounts of 30 days, in the merchant's currency",
  description: 'Invoices in other currencies are not included.',
  query: Type.Object({ merchantId: Type.Optional(Text(60)) }),
  response: Success(InvoicesSummaryOut),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.invoicing.summary(actor, query.merchantId),
  show: (found) => success(invoicesSummaryRecord(found)),
});

const get = route({
  ...read,
  path: '/invoices/:id',
  id: 'admin.getInvoice',
  summary: 'One invoice with its payments',
  description: 'Returns the invoice with its payments, newest first.',
  params: ONE,
  response: Success(InvoiceOut),
  errors: MISSING,
  run: async ({ core, actor, params }) => ({ invoice: await core.invoicing.get(actor, params.id) }),
  show: showInvoice,
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
  response: Success(InvoiceOut),
  errors: [...CLOSED, ...BAD],
  run: async ({ core, actor, params, body }) => ({ invoice: await core.invoicing.update(actor, params.id, body) }),
  show: showInvoice,
});

const send = route({
  ...write,
  path: '/invoices/:id/send',
  id: 'admin.sendInvoice',
  summary: 'Send an invoice or a link by email, text message or both',
  description: "Goes to the customer's address and number unless others are given. Sent again, it is a reminder.",
  params: ONE,
  body: Type.Object(SendFields),
  response: Success(SentInvoiceOut),
  errors: [...CLOSED, 'REQUIRED_FIELD_MISSING', 'INVALID_EMAIL', 'INVALID_PHONE', 'MERCHANT_NOT_FOUND'],
  run: ({ core, actor, params, body }) => {
    const { sendVia, ...rest } = body;
    return core.invoicing.send(actor, params.id, { ...rest, sendVia: sendVia as ('email' | 'sms')[] | undefined });
  },
  show: ({ invoice, messageIds }) => success({ ...invoiceRecord(invoice), messageIds }),
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
  response: PaidInvoiceOut,
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
  show: showPaidInvoice,
});

const cancel = route({
  ...write,
  path: '/invoices/:id/cancel',
  id: 'admin.cancelInvoice',
  summary: 'Cancel an invoice',
  description: 'Its payments stay. Refused while a payment is pending.',
  params: ONE,
  body: Type.Object({ reason: Type.Optional(Text(200)) }),
  response: Success(InvoiceOut),
  errors: CLOSED,
  run: async ({ core, actor, params, body }) => ({ invoice: await core.invoicing.cancel(actor, params.id, body.reason) }),
  show: showInvoice,
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
  response: Success(Type.Object({ url: Type.String(), qrCode: Type.String({ description: 'a PNG as a data URL' }) })),
  errors: MISSING,
  run: async ({ core, actor, params, request, reply }) => {
    const { url, png } = await core.invoicing.qrCode(actor, params.id);
    if (acceptsPng(request)) await reply.type('image/png').send(png);
    return { url, qrCode: `data:image/png;base64,${png.toString('base64')}` };
  },
  show: success,
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
  response: Success(LinkOut),
  errors: [...BAD, 'INVALID_EMAIL', 'INVALID_PHONE', 'NOT_FOUND', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.invoicing.createLink(actor, newLinkFrom(body)),
  show: showLink,
});

export const adminInvoices = [create, list, summary, get, update, send, pay, cancel, qrCode, pdf, createLink];
