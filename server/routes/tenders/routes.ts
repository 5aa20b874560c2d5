import { Type } from 'typebox';
import { ListTotal } from '#core/platform/list-totals';
import { TENDER_KINDS, TENDER_STATUSES, Tender, TenderDetail, type TenderFilter, TenderRefund } from '#core/sales/tenders';
import { type Column, Paginated, type Route, route, Success } from '#server/http';
import {
  CheckReturnBody,
  CustomerIdIn,
  DateQuery,
  datedPageFrom,
  IdIn,
  NewTenderBody,
  oneOf,
  PageQuery,
  Params,
  sortBy,
  TenderRefundBody,
  Text,
  withActions,
} from '#server/schemas';
import { forCaller } from '../actions.ts';
import { datedExport } from '../dated-export.ts';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const FILTERS = {
  ...DateQuery,
  kind: oneOf(...TENDER_KINDS),
  status: oneOf(...TENDER_STATUSES),
  shiftId: Type.Optional(IdIn('shf', 'shift')),
  customerId: Type.Optional(CustomerIdIn),
  merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
  q: Type.Optional(Text(200, 'a number, an ID, a check number, an order ID or an email address')),
};

const COLUMNS: readonly Column<Tender>[] = [
  ['tenderId', (tender) => tender.tenderId, 'plain'],
  ['number', (tender) => tender.number, 'plain'],
  ['createdAt', (tender) => tender.createdAt, 'plain'],
  ['merchantId', (tender) => tender.merchantId, 'plain'],
  ['kind', (tender) => tender.kind, 'plain'],
  ['name', (tender) => tender.name],
  ['status', (tender) => tender.status, 'plain'],
  ['amount', (tender) => tender.amount],
  ['currency', (tender) => tender.currency, 'plain'],
  ['refundedAmount', (tender) => tender.refundedAmount],
  ['taxAmount', (tender) => tender.taxAmount],
  ['checkNumber', (tender) => tender.checkNumber],
  ['checkBank', (tender) => tender.checkBank],
  ['customerName', (tender) => tender.customerName],
  ['customerEmail', (tender) => tender.customerEmail],
  ['orderId', (tender) => tender.orderId],
  ['description', (tender) => tender.description],
  ['invoiceId', (tender) => tender.invoiceId, 'plain'],
  ['drawer', (tender) => tender.drawer],
  ['shiftId', (tender) => tender.shiftId, 'plain'],
  ['createdBy', (tender) => tender.createdBy],
  ['discountAmount', (tender) => tender.discountAmount],
  ['discountApprovedBy', (tender) => tender.discountApprovedBy],
  ['returnedAt', (tender) => tender.returnedAt, 'plain'],
  ['returnReason', (tender) => tender.returnReason],
  ['roundingAmount', (tender) => tender.roundingAmount],
];

interface TenderQuery {
  readonly kind?: string;
  readonly status?: string;
  readonly shiftId?: string;
  readonly customerId?: string;
  readonly merchantId?: string;
  readonly q?: string;
}

const filterOf = ({ kind, status, shiftId, customerId, merchantId, q }: TenderQuery): TenderFilter => ({
  ...(status === undefined ? {} : { status: status as Tender['status'] }),
  ...(kind === undefined ? {} : { kind: kind as Tender['kind'] }),
  ...(shiftId === undefined ? {} : { shiftId }),
  ...(customerId === undefined ? {} : { customerId }),
  ...(merchantId === undefined ? {} : { merchantId }),
  ...(q === undefined ? {} : { q }),
});

const tenderTotals = route({
  surface: 'admin',
  tag: 'Register',
  scope: 'merchant',
  method: 'GET',
  permission: 'tenders:read',
  path: '/tenders/totals',
  id: 'admin.getTenderTotals',
  summary: 'Number and net amount of the payments at the counter of a filter, by currency',
  description: 'The filters are those of `GET /tenders`. The amount is what was received, less refunds.',
  query: Type.Object(FILTERS),
  response: Success(Type.Array(ListTotal)),
  errors: ['INVALID_DATE', ...SCOPE],
  run: async ({ core, actor, query }) => core.tenders.totals(actor, filterOf(query), await datedPageFrom(core, actor, query)),
});

/** Declares the routes of tenders, which are the same on the Public and the Admin surface. */
export function tenderRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Register' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'tenders:read' } as const;
  const refund = { ...shared, method: 'POST', permission: 'tenders:refund' } as const;
  const access = { refund, return: refund };
  const params = Params('id');
  return [
    ...(surface === 'admin' ? [tenderTotals] : []),
    route({
      ...shared,
      method: 'POST',
      permission: 'tenders:write',
      path: '/tenders',
      id: `${surface}.createTender`,
      summary: 'Record cash, a check or another payment at the counter',
      description:
        'No processor takes part, so the payment is never settled or reconciled. It gets the next number of the merchant and belongs to the open shift of its drawer. RESOURCE_CONFLICT for cash without an open shift, if `cashRequiresShift` of the merchant is true.',
      created: true,
      idempotent: true,
      body: NewTenderBody,
      response: Success(Tender),
      errors: [
        ...SCOPE,
        'INVALID_AMOUNT',
        'INVALID_CURRENCY',
        'INVALID_EMAIL',
        'REQUIRED_FIELD_MISSING',
        'CUSTOMER_NOT_FOUND',
        'NOT_FOUND',
        'RESOURCE_CONFLICT',
        'RATE_LIMIT_EXCEEDED',
      ],
      run: async ({ core, actor, body }) => ({ tender: await core.tenders.create(actor, body) }),
      show: ({ tender }) => tender,
    }),
    route({
      ...read,
      path: '/tenders',
      id: `${surface}.listTenders`,
      summary: 'Cash, checks and other payments at the counter, by default newest first',
      description: 'Refunds are part of each tender: `refundedAmount` here, and the single refunds in the tender itself.',
      query: Type.Object({ ...PageQuery, ...FILTERS, sort: sortBy('-createdAt', 'createdAt', 'amount') }),
      response: Paginated(Tender),
      errors: ['INVALID_DATE', ...SCOPE],
      run: async ({ core, actor, query }) => core.tenders.page(actor, filterOf(query), await datedPageFrom(core, actor, query)),
    }),
    datedExport({
      ...read,
      path: '/tenders',
      id: `${surface}.exportTenders`,
      exports: 'tenders',
      summary: 'Tenders as CSV',
      noun: 'tender',
      filters: FILTERS,
      columns: COLUMNS,
      timeOf: ({ createdAt }) => createdAt,
      fileName: 'tenders.csv',
      filterOf,
      lines: (core, actor, filter, created) => core.tenders.lines(actor, filter, created),
    }),
    route({
      ...read,
      path: '/tenders/:id',
      id: `${surface}.getTender`,
      summary: 'One tender with its refunds',
      description: 'Returns the tender with its refunds, oldest first, and with what the caller can do with it.',
      params,
      response: Success(withActions('TenderDetail', TenderDetail, access)),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: (call) => forCaller(call, access, call.core.tenders.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...refund,
      path: '/tenders/:id/refund',
      id: `${surface}.refundTender`,
      approvable: true,
      summary: 'Refund a tender',
      description:
        'The money goes back as it came: cash from the drawer, a check as a check. The sum of all refunds never exceeds the amount; INVALID_AMOUNT contains `availableToRefund`. Each refund has a number of the same series as the tenders.',
      created: true,
      idempotent: true,
      params,
      body: TenderRefundBody,
      response: Success(TenderRefund),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_AMOUNT', 'ALREADY_REFUNDED', 'NOT_REFUNDABLE', 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, params: { id }, body }) => ({ tenderRefund: await core.tenders.refund(actor, id, body) }),
      show: ({ tenderRefund }) => tenderRefund,
    }),
    route({
      ...refund,
      path: '/tenders/:id/return',
      id: `${surface}.returnCheck`,
      approvable: true,
      summary: 'Record a returned check',
      description:
        'The bank did not pay the check. What was not refunded before is taken off the books, and an invoice that the check paid is open again. RESOURCE_CONFLICT with `details.reason` `not_a_check` for other tenders, and `already_returned` for a second return.',
      idempotent: true,
      params,
      body: CheckReturnBody,
      response: Success(Tender),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, params: { id }, body }) => ({ tender: await core.tenders.returnCheck(actor, id, body) }),
      show: ({ tender }) => tender,
    }),
  ];
}
