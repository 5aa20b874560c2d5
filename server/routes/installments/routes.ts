import { Type } from 'typebox';
import { InstallmentPlan, InstallmentPreview, PLAN_STATUSES } from '#core/billing/installments';
import { Paginated, type Route, route, Success } from '#server/http';
import {
  CustomerIdIn,
  DateQuery,
  datedPageFrom,
  InstallmentPreviewBody,
  InvoiceIdIn,
  NewInstallmentPlanBody,
  oneOf,
  PageQuery,
  Params,
  PlanMethodBody,
  ReasonIn,
  Text,
  withActions,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const INVOICE = ['INVOICE_NOT_FOUND', 'INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED', 'RESOURCE_CONFLICT'] as const;
const SCHEDULE = ['INVALID_AMOUNT', 'INVALID_DATE', 'REQUIRED_FIELD_MISSING'] as const;

/** Rules about callers that create or change an installment plan. */
export const INSTALLMENT_CHANGE = { method: 'POST', permission: 'recurring:write', scope: 'merchant' } as const;
const ACCESS = {
  pause: INSTALLMENT_CHANGE,
  resume: INSTALLMENT_CHANGE,
  cancel: INSTALLMENT_CHANGE,
  update: INSTALLMENT_CHANGE,
  retry: INSTALLMENT_CHANGE,
};

/** Declares the routes of installment plans, which are the same on the Public and the Admin surface (decision record 108). */
export function installmentRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Installments' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'recurring:read' } as const;
  const write = { ...shared, ...INSTALLMENT_CHANGE };
  const params = Params('id');
  // Customers of a shop agree on its pages. Otherwise, the channel of the merchant's Sell screen applies.
  const surfaceDefaults = surface === 'public' ? ({ agreementChannel: 'internet' } as const) : {};
  const act = { ...write, params, response: Success(InstallmentPlan) } as const;
  return [
    route({
      ...write,
      path: '/installment-plans',
      id: `${surface}.createInstallmentPlan`,
      summary: 'Create an installment plan',
      rate: 'create-transaction',
      description:
        'Divides the amount due of an invoice into dated automatic charges of a stored card or bank account. `invoice` creates the invoice in the same step, for a sale. An installment of today is charged before the response; a decline is not an error. RESOURCE_CONFLICT has the reasons `no_consent`, `installment_plan` (the invoice has an open plan), `no_customer` and `payment_in_progress`.',
      created: true,
      idempotent: true,
      body: NewInstallmentPlanBody,
      response: Success(InstallmentPlan),
      errors: [
        ...INVOICE,
        ...SCHEDULE,
        'INVALID_CURRENCY',
        'NOT_FOUND',
        'CUSTOMER_NOT_FOUND',
        'MERCHANT_NOT_FOUND',
        'MERCHANT_NOT_AUTHORIZED',
      ],
      run: async ({ core, actor, body }) => ({ installmentPlan: await core.installments.create(actor, { ...surfaceDefaults, ...body }) }),
      show: ({ installmentPlan }) => installmentPlan,
    }),
    route({
      ...read,
      method: 'POST',
      path: '/installment-plans/preview',
      id: `${surface}.previewInstallmentPlan`,
      idempotent: false,
      summary: 'Preview the installments of an invoice',
      description: 'Returns the dates and amounts that the same input would create, and stores nothing.',
      body: InstallmentPreviewBody,
      response: Success(InstallmentPreview),
      errors: [...INVOICE, ...SCHEDULE, 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, body }) => core.installments.preview(actor, body),
      show: (installments) => ({ installments }),
    }),
    route({
      ...read,
      path: '/installment-plans',
      id: `${surface}.listInstallmentPlans`,
      summary: 'Installment plans, newest first',
      description: 'Completed and canceled plans are included.',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        status: oneOf(...PLAN_STATUSES),
        customerId: Type.Optional(CustomerIdIn),
        invoiceId: Type.Optional(InvoiceIdIn),
        merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
        q: Type.Optional(Text(200, 'beginnings of the names, the email address or the phone number of the customer')),
      }),
      response: Paginated(InstallmentPlan),
      errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: async ({ core, actor, query }) => {
        return core.installments.page(actor, query, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...read,
      path: '/installment-plans/:id',
      id: `${surface}.getInstallmentPlan`,
      summary: 'One installment plan',
      description: 'Returns the plan with its installments and the attempts to charge them, and with what the caller can do with it.',
      params,
      response: Success(withActions('InstallmentPlanDetail', InstallmentPlan, ACCESS)),
      errors: MISSING,
      run: (call) => forCaller(call, ACCESS, call.core.installments.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...act,
      path: '/installment-plans/:id/pause',
      id: `${surface}.pauseInstallmentPlan`,
      summary: 'Pause an installment plan',
      description: 'Nothing is charged until it is resumed. Payments of the invoice still count.',
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params: { id } }) => core.installments.pause(actor, id),
    }),
    route({
      ...act,
      path: '/installment-plans/:id/resume',
      id: `${surface}.resumeInstallmentPlan`,
      summary: 'Resume a paused installment plan',
      description: 'Dates stay. Installments whose date has passed are charged one after the other, the first one immediately.',
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params: { id } }) => core.installments.resume(actor, id),
    }),
    route({
      ...act,
      method: 'PUT',
      path: '/installment-plans/:id/payment-method',
      id: `${surface}.changeInstallmentPlanMethod`,
      summary: 'Charge another stored payment method',
      description: 'A failed installment is retried with it immediately.',
      body: PlanMethodBody,
      errors: [...MISSING, 'CUSTOMER_NOT_FOUND', 'RESOURCE_CONFLICT', 'REQUIRED_FIELD_MISSING'],
      run: ({ core, actor, params: { id }, body }) => core.installments.changeMethod(actor, id, { ...surfaceDefaults, ...body }),
    }),
    route({
      ...act,
      path: '/installment-plans/:id/retry',
      id: `${surface}.retryInstallment`,
      summary: 'Retry the failed installment now',
      rate: 'create-transaction',
      description: 'The response shows the result. RESOURCE_CONFLICT if no installment failed, and while a payment is pending.',
      idempotent: true,
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, params: { id } }) => ({ installmentPlan: await core.installments.retryNow(actor, id) }),
      show: ({ installmentPlan }) => installmentPlan,
    }),
    route({
      ...act,
      path: '/installment-plans/:id/cancel',
      id: `${surface}.cancelInstallmentPlan`,
      summary: 'Cancel an installment plan',
      description: 'Nothing is charged any more; the rest of the invoice stays due. A pending payment still counts.',
      body: Type.Object({ reason: Type.Optional(ReasonIn) }),
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params: { id }, body }) => core.installments.cancel(actor, id, body.reason),
    }),
  ];
}
