import { Type } from 'typebox';
import { ScreenLanguage } from '#core/access/identity';
import { Invoice, InvoiceReminders, ReminderChoice, ReminderPreview } from '#core/billing/invoicing';
import { literals } from '#core/platform/fields';
import { route, Success } from '#server/http';
import { Maybe, Params, SECTION_CHANGES } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Invoices', scope: 'merchant', params: Params('id') } as const;
const read = { ...shared, method: 'GET', permission: 'invoices:read' } as const;
const write = { ...shared, method: 'POST', permission: 'invoices:write' } as const;
const MISSING = ['INVOICE_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const NO_CUSTOMER = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

const get = route({
  ...read,
  path: '/invoices/:id/reminders',
  id: 'admin.getInvoiceReminders',
  summary: 'Reminders of an invoice',
  description: 'Sent reminders with the answer of the mail server, and the next one.',
  response: Success(InvoiceReminders),
  errors: MISSING,
  run: ({ core, actor, params }) => core.invoicing.reminders.get(actor, params.id),
});

const stop = route({
  ...write,
  path: '/invoices/:id/reminders/stop',
  id: 'admin.stopInvoiceReminders',
  summary: 'End the reminders of an invoice',
  description: 'A payment, a dispute of a payment and an installment plan end them, too.',
  body: Type.Object({
    reason: Type.Optional(literals(['manual', 'dispute'], '`dispute` if the customer disputes the invoice; by default `manual`')),
  }),
  response: Success(Invoice),
  errors: [...MISSING, 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.invoicing.reminders.stop(actor, params.id, body.reason ?? 'manual'),
});

const resume = route({
  ...write,
  path: '/invoices/:id/reminders/resume',
  id: 'admin.resumeInvoiceReminders',
  summary: 'Continue the reminders of an invoice',
  description: 'The next reminder of the schedule follows; missed ones are not sent.',
  body: Type.Object({}),
  response: Success(Invoice),
  errors: [...MISSING, 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.invoicing.reminders.resume(actor, params.id),
});

const promise = route({
  ...write,
  method: 'PUT',
  path: '/invoices/:id/promise',
  id: 'admin.promiseInvoice',
  summary: 'Record a promise to pay',
  description: 'No reminder is sent until the day has passed. A new promise replaces the earlier one. Publishes `invoice.promised`.',
  body: Type.Object({
    date: Type.String({
      maxLength: 20,
      description: 'day by which the customer pays, YYYY-MM-DD, from today to a year later',
      'x-error-code': 'INVALID_DATE',
    }),
    by: Type.String({ pattern: '^(?=.*\\S)[^\\p{Cc}]{1,100}$', description: 'the name of a person, 1 to 100 characters' }),
  }),
  response: Success(Invoice),
  errors: [...MISSING, 'RESOURCE_CONFLICT', 'INVALID_DATE'],
  run: ({ core, actor, params, body }) => core.invoicing.reminders.promise(actor, params.id, body),
});

const withdraw = route({
  ...write,
  method: 'DELETE',
  path: '/invoices/:id/promise',
  id: 'admin.withdrawInvoicePromise',
  summary: 'Remove a promise to pay',
  description: 'Reminders continue.',
  response: Success(Invoice),
  errors: [...MISSING, 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.invoicing.reminders.withdrawPromise(actor, params.id),
});

const preview = route({
  ...write,
  path: '/merchants/:id/reminder-settings/dry-run',
  permission: 'invoices:read',
  id: 'admin.tryReminderSettings',
  idempotent: false,
  summary: 'Preview the reminders of a merchant',
  description:
    'Uses the saved settings with the given fields replaced: the reminders of one invoice with their texts, and the unpaid invoices that are reminded first. Nothing is saved or sent.',
  query: Type.Object({
    dueInDays: Type.Optional(Type.String({ pattern: '^\\d{1,3}$', description: 'a number of days; by default 30' })),
  }),
  body: SECTION_CHANGES['reminder-settings'],
  response: Success(ReminderPreview),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params, query, body }) =>
    core.invoicing.reminders.preview(actor, params.id, body, query.dueInDays === undefined ? undefined : Number(query.dueInDays)),
});

const choice = route({
  ...read,
  tag: 'Customers',
  permission: 'customers:read',
  path: '/customers/:id/reminders',
  id: 'admin.getCustomerReminders',
  summary: 'Reminders of a customer',
  description: 'Whether the customer gets reminders of invoices, and in which language.',
  response: Success(ReminderChoice),
  errors: NO_CUSTOMER,
  run: ({ core, actor, params }) => core.invoicing.reminders.choiceOf(actor, params.id),
});

const choose = route({
  ...write,
  tag: 'Customers',
  method: 'PUT',
  path: '/customers/:id/reminders',
  id: 'admin.changeCustomerReminders',
  summary: 'Change the reminders of a customer',
  description:
    'Fields that are left out keep their values. Without reminders, no unpaid invoice of the customer is reminded; switched on again, those of later days follow.',
  body: Type.Object({
    enabled: Type.Optional(Type.Boolean({ description: 'false: the customer gets no reminders' })),
    language: Type.Optional(Maybe(ScreenLanguage)),
  }),
  response: Success(ReminderChoice),
  errors: NO_CUSTOMER,
  run: ({ core, actor, params, body }) => core.invoicing.reminders.choose(actor, params.id, body),
});

export const adminReminders = [get, stop, resume, promise, withdraw, preview, choice, choose];
