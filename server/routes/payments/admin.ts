import { Type } from 'typebox';
import { Payment, type PaymentFilter, type PaymentLine, paymentRecord } from '#core/sales/payment-list';
import { type Column, Paginated, route, sendPages } from '#server/http';
import { LIST_ERRORS, oneOf, PaymentFilters, PaymentListQuery, pageFrom, paymentFilterFrom } from '#server/schemas';
import { TRANSACTION_COLUMNS } from '../export.ts';
import { withLocalDate } from '../local-date.ts';

const tag = 'Transactions';
const shared = { surface: 'admin', scope: 'merchant', method: 'GET', tag, permission: 'transactions:read' } as const;

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
  run: ({ core, actor, query }) => core.paymentList.page(actor, paymentFilterFrom(query), pageFrom(query)),
  show: (page) => ({ ...page, items: page.items.map(paymentRecord) }),
});

const exportCsv = route({
  ...shared,
  path: '/payments/export',
  exports: 'transactions',
  id: 'admin.exportPayments',
  summary: 'Payments of all kinds as CSV',
  description:
    'Every transaction and tender of the filter, newest first, streamed. The columns are those of `GET /transactions/export`, followed by the receipt number, the name and the check number of tenders. Callers without `tenders:read` and `tenders:export` get the transactions only.',
  query: Type.Object({ ...PaymentFilters, format: oneOf('csv') }),
  contentType: 'text/csv',
  response: Type.String(),
  errors: LIST_ERRORS,
  run: async ({ core, actor, query, reply }) => {
    const { format: _, ...filter } = query;
    const columns = await withLocalDate(core, actor, COLUMNS, ({ createdAt }) => createdAt);
    await sendPages(reply, 'payments.csv', columns, core.paymentList.lines(actor, paymentFilterFrom(filter) satisfies PaymentFilter));
  },
});

export const adminPayments = [list, exportCsv];
