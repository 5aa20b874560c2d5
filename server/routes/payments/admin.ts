import { Type } from 'typebox';
import { ListTotal } from '#core/platform/list-totals';
import { orderIdOf, Payment, type PaymentFilter, type PaymentLine, paymentRecord } from '#core/sales/payment-list';
import { type Column, Paginated, route, Success, sendPages } from '#server/http';
import { LIST_ERRORS, oneOf, PaymentFilters, PaymentListQuery, pageFrom, paymentFilterFrom, Text } from '#server/schemas';
import { TRANSACTION_COLUMNS } from '../export.ts';
import { withLocalDate } from '../local-date.ts';

const tag = 'Transactions';
const shared = { surface: 'admin', scope: 'merchant', method: 'GET', tag, permission: 'transactions:read' } as const;

/** 200 IDs, the largest page, with their commas. */
const IDS_LENGTH = 200 * 31;

const COLUMNS: readonly Column<PaymentLine>[] = [
  ['paymentId', (line) => line.paymentId, 'plain'],
  ...TRANSACTION_COLUMNS,
  ['number', (line) => line.number, 'plain'],
  ['tenderName', (line) => line.tenderName],
  ['checkNumber', (line) => line.checkNumber],
];

const list = route({
  ...shared,
  path: '/payments',
  id: 'admin.listPayments',
  summary: 'Payments of all kinds, newest first',
  description:
    'Transactions and tenders in one list. The filters are those of `GET /transactions`; a tender is an approved sale, and `paymentMethod` may be its kind. `cursor` is the `paymentId` of the last item. Callers without `tenders:read` see the transactions only.',
  rate: 'list-transactions',
  query: PaymentListQuery,
  response: Paginated(Payment),
  errors: LIST_ERRORS,
  run: async ({ core, actor, query }) => {
    const page = await core.paymentList.page(actor, paymentFilterFrom(query), pageFrom(query));
    return { page, orderNumbers: await core.orders.numbersOf(actor.tenantId, page.items.map(orderIdOf)) };
  },
  show: ({ page, orderNumbers }) => ({ ...page, items: page.items.map((payment) => paymentRecord(payment, orderNumbers)) }),
});

const totals = route({
  ...shared,
  path: '/payments/totals',
  id: 'admin.getPaymentTotals',
  summary: 'Number and net amount of the payments of a filter, by currency',
  description: 'The filters are those of `GET /payments`. The amount is what was captured, less refunds.',
  rate: 'list-transactions',
  query: Type.Object(PaymentFilters),
  response: Success(Type.Array(ListTotal)),
  errors: LIST_ERRORS,
  run: ({ core, actor, query }) => core.paymentList.totals(actor, paymentFilterFrom(query)),
});

const exportCsv = route({
  ...shared,
  path: '/payments/export',
  exports: 'transactions',
  id: 'admin.exportPayments',
  summary: 'Payments of all kinds as CSV',
  description:
    'Every transaction and tender of the filter, newest first, streamed. The columns are those of `GET /transactions/export`, followed by the receipt number, the name and the check number of tenders. Callers without `tenders:read` and `tenders:export` get the transactions only.',
  query: Type.Object({
    ...PaymentFilters,
    ids: Type.Optional(Text(IDS_LENGTH, 'IDs of payments, separated by commas: only these')),
    format: oneOf('csv'),
  }),
  contentType: 'text/csv',
  response: Type.String(),
  errors: LIST_ERRORS,
  run: async ({ core, actor, query, reply }) => {
    const { format: _, ids, ...filter } = query;
    const columns = await withLocalDate(core, actor, COLUMNS, ({ createdAt }) => createdAt);
    await sendPages(
      reply,
      'payments.csv',
      columns,
      core.paymentList.lines(actor, { ...paymentFilterFrom(filter), ...(ids && { ids: ids.split(',') }) } satisfies PaymentFilter),
    );
  },
});

export const adminPayments = [list, totals, exportCsv];
