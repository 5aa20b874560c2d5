import { Type } from 'typebox';
import { CustomerLateFees, Invoice, InvoiceLateFees, LateFeePreview } from '#core/billing/invoicing';
import { route, Success } from '#server/http';
import { Params, SECTION_CHANGES } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Invoices', scope: 'merchant', params: Params('id') } as const;
const read = { ...shared, method: 'GET', permission: 'invoices:read' } as const;
const write = { ...shared, method: 'PUT', permission: 'invoices:write' } as const;
const MISSING = ['INVOICE_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const NO_CUSTOMER = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const Choice = Type.Object({ enabled: Type.Optional(Type.Boolean({ description: 'false: no late fee is charged' })) });

const get = route({
  ...read,
  path: '/invoices/:id/late-fees',
  id: 'admin.getInvoiceLateFees',
  summary: 'Late fees of an invoice',
  description: 'Charged fees, and the next one.',
  response: Success(InvoiceLateFees),
  errors: MISSING,
  run: ({ core, actor, params }) => core.invoicing.lateFees.get(actor, params.id),
});

const choose = route({
  ...write,
  path: '/invoices/:id/late-fees',
  id: 'admin.changeInvoiceLateFees',
  summary: 'Exempt an invoice from late fees',
  description: 'Charged fees stay.',
  body: Choice,
  response: Success(InvoiceLateFees),
  errors: MISSING,
  run: ({ core, actor, params, body }) => core.invoicing.lateFees.exemptInvoice(actor, params.id, body.enabled),
});

const reverse = route({
  ...write,
  method: 'POST',
  path: '/invoices/:id/late-fees/:lateFeeId/reverse',
  params: Params('id', 'lateFeeId'),
  id: 'admin.reverseLateFee',
  summary: 'Take a late fee off an invoice',
  description: 'An unpaid fee only; its period is not charged again. Publishes `invoice.late_fee_reversed`.',
  idempotent: true,
  body: Type.Object({ reason: Type.String({ pattern: '^(?=.*\\S)[^\\p{Cc}]{1,500}$', description: 'a text of 1 to 500 characters' }) }),
  response: Success(Invoice),
  errors: [...MISSING, 'NOT_FOUND', 'INVOICE_CANCELLED', 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, params, body }) => ({
    invoice: await core.invoicing.lateFees.reverse(actor, params.id, params.lateFeeId, body.reason),
  }),
  show: ({ invoice }) => invoice,
});

const preview = route({
  ...shared,
  method: 'POST',
  permission: 'invoices:read',
  path: '/merchants/:id/late-fee-settings/dry-run',
  id: 'admin.tryLateFeeSettings',
  idempotent: false,
  summary: 'Preview the late fees of a merchant',
  description: 'Uses the saved settings with the given fields replaced. Nothing is saved or charged.',
  body: SECTION_CHANGES['late-fee-settings'],
  response: Success(LateFeePreview),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params, body }) => core.invoicing.lateFees.preview(actor, params.id, body),
});

const ofCustomer = route({
  ...read,
  tag: 'Customers',
  permission: 'customers:read',
  path: '/customers/:id/late-fees',
  id: 'admin.getCustomerLateFees',
  summary: 'Late fees of a customer',
  description: 'Whether the customer is charged late fees.',
  response: Success(CustomerLateFees),
  errors: NO_CUSTOMER,
  run: ({ core, actor, params }) => core.invoicing.lateFees.ofCustomer(actor, params.id),
});

const chooseOfCustomer = route({
  ...write,
  tag: 'Customers',
  path: '/customers/:id/late-fees',
  id: 'admin.changeCustomerLateFees',
  summary: 'Exempt a customer from late fees',
  description: 'Charged fees stay.',
  body: Choice,
  response: Success(CustomerLateFees),
  errors: NO_CUSTOMER,
  run: ({ core, actor, params, body }) => core.invoicing.lateFees.exemptCustomer(actor, params.id, body.enabled),
});

export const adminLateFees = [get, choose, reverse, preview, ofCustomer, chooseOfCustomer];
