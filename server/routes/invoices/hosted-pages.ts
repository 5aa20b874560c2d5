import { Type } from 'typebox';
import { HostedPage, InvoiceHostedPages } from '#core/billing/invoicing';
import { route, Success } from '#server/http';
import { EmailIn, Params } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Invoices', scope: 'merchant', params: Params('id') } as const;
const write = { ...shared, method: 'POST', permission: 'invoices:write' } as const;
const MISSING = ['INVOICE_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

const list = route({
  ...shared,
  method: 'GET',
  permission: 'invoices:read',
  path: '/invoices/:id/hosted-pages',
  id: 'admin.listHostedPages',
  summary: 'Payment pages of an invoice or payment link at the processors',
  description: 'Also names the gateway on whose page the amount due can be paid now.',
  response: Success(InvoiceHostedPages),
  errors: MISSING,
  run: ({ core, actor, params }) => core.invoicing.hostedPages.list(actor, params.id),
});

const create = route({
  ...write,
  path: '/invoices/:id/hosted-pages',
  id: 'admin.createHostedPage',
  idempotent: false,
  summary: 'Create the payment page of an invoice or payment link at the processor',
  description:
    'For the amount due, at the first gateway of the routing that has payment pages. Returns the open page if there is one. A page of the delivery `email` is emailed by the processor to `email`, by default to the address of the customer.',
  body: Type.Object({ email: Type.Optional(EmailIn()) }),
  response: Success(HostedPage),
  errors: [
    ...MISSING,
    'MERCHANT_NOT_FOUND',
    'INVOICE_ALREADY_PAID',
    'INVOICE_CANCELLED',
    'PAYMENT_EXCEEDS_DUE',
    'RESOURCE_CONFLICT',
    'REQUIRED_FIELD_MISSING',
    'INVALID_EMAIL',
    'GATEWAY_ERROR',
    'GATEWAY_UNAVAILABLE',
  ],
  run: ({ core, actor, params, body }) => core.invoicing.hostedPages.create(actor, params.id, body),
});

const check = route({
  ...write,
  path: '/invoices/:id/hosted-pages/check',
  id: 'admin.checkHostedPage',
  idempotent: false,
  summary: 'Ask the processor about the newest payment page of an invoice',
  description: 'A payment that is found is recorded before the response. Paydesk also asks on a schedule.',
  body: Type.Object({}),
  response: Success(HostedPage),
  errors: [...MISSING, 'NOT_FOUND'],
  run: ({ core, actor, params }) => core.invoicing.hostedPages.check(actor, params.id),
});

const close = route({
  ...write,
  path: '/invoices/:id/hosted-pages/close',
  id: 'admin.closeHostedPage',
  idempotent: false,
  summary: 'Close the newest payment page of an invoice',
  description:
    'A page that the processor does not confirm as closed keeps its status with the problem `not_closed`, and closing is repeated. A form cannot be closed at its processor: it ends by its time. Late payments are found for some time.',
  body: Type.Object({}),
  response: Success(HostedPage),
  errors: [...MISSING, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.invoicing.hostedPages.close(actor, params.id),
});

const note = route({
  ...write,
  permission: 'settlement:write',
  path: '/invoices/:id/hosted-pages/:hostedPageId/note',
  params: Params('id', 'hostedPageId'),
  id: 'admin.noteHostedPage',
  idempotent: false,
  summary: 'Note that a person has seen to a payment page',
  description:
    'Removes a page with `attentionSince` from the list of work. A payment that appears on it later makes it wait again. Money is not moved.',
  body: Type.Object({ note: Type.String({ pattern: '^(?=.*\\S)[^\\p{Cc}]{1,500}$', description: 'a text of 1 to 500 characters' }) }),
  response: Success(HostedPage),
  errors: [...MISSING, 'NOT_FOUND'],
  run: ({ core, actor, params, body }) => core.invoicing.hostedPages.note(actor, params.id, params.hostedPageId, body.note),
});

export const adminHostedPages = [list, create, check, close, note];
