import { queryOptions } from '@tanstack/react-query';
import { api, type Invoice, keptQuery, queryClient, take, takeData, takePage } from '#renderer/base/client';

export const PAGE_SIZE = 50;
/** Page size above the number of cards that one customer can have on file. */
const METHODS_MAX = 100;
/** Polling interval of an invoice while a payment is pending. */
const CHECK_MS = 2_000;

interface InvoiceFilter {
  readonly kind: Invoice['kind'] | undefined;
  readonly view: 'to_do' | undefined;
  readonly status: Invoice['status'] | undefined;
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
  readonly q: string;
  readonly sort: 'createdAt' | '-createdAt' | 'amount' | '-amount' | 'dueDate' | '-dueDate';
  readonly page: number;
}

/** Filter in the form of the API. */
interface FilterQuery {
  readonly merchantId: string;
  readonly kind?: Invoice['kind'];
  readonly view?: 'to_do';
  readonly status?: Invoice['status'];
  readonly startDate?: string;
  readonly endDate?: string;
  readonly q?: string;
}

const queryOf = (merchantId: string, { kind, view, status, startDate, endDate, q }: Omit<InvoiceFilter, 'sort' | 'page'>): FilterQuery => ({
  merchantId,
  ...(kind && { kind }),
  ...(view && { view }),
  ...(status && { status }),
  ...(startDate && { startDate }),
  ...(endDate && { endDate }),
  ...(q && { q }),
});

/** A page of the invoices and links of a merchant. */
export function invoicesQuery(merchantId: string, filter: InvoiceFilter) {
  const query = { ...queryOf(merchantId, filter), sort: filter.sort, page: filter.page, limit: PAGE_SIZE };
  return keptQuery(['invoices', 'list', query], (signal) => takePage(api.GET('/api/v1/invoices', { params: { query }, signal })));
}

/** Totals of a filter by currency. */
export function totalsQuery(merchantId: string, filter: InvoiceFilter) {
  const query = queryOf(merchantId, filter);
  return keptQuery(['invoices', 'totals', query], (signal) => takeData(api.GET('/api/v1/invoices/totals', { params: { query }, signal })));
}

/** Outstanding and overdue amounts, and payments of the last 30 days. */
export function summaryQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['invoices', 'summary', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/invoices/summary', { params: { query: { merchantId } } })),
  });
}

const pathOf = (id: string) => ({ params: { path: { id } } });

/** One invoice, polled while a payment is pending. */
export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: ['invoices', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/invoices/{id}', pathOf(id))),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.amountPending > 0 ? CHECK_MS : false),
  });
}

/** Sent reminders of an invoice, and the next one. */
export function remindersQuery(id: string) {
  return queryOptions({
    queryKey: ['invoices', 'one', id, 'reminders'],
    queryFn: () => takeData(api.GET('/api/v1/invoices/{id}/reminders', pathOf(id))),
    staleTime: 0,
  });
}

/** Charged late fees of an invoice, and the next one. */
export function lateFeesQuery(id: string) {
  return queryOptions({
    queryKey: ['invoices', 'one', id, 'late-fees'],
    queryFn: () => takeData(api.GET('/api/v1/invoices/{id}/late-fees', pathOf(id))),
    staleTime: 0,
  });
}

/** Polling interval of an invoice while a payment page of a gateway is open. */
const CHECK_PAGE_MS = 5_000;

/** Payment pages of an invoice at the gateways, and the gateway that can create one. */
export function hostedPagesQuery(id: string) {
  return queryOptions({
    queryKey: ['invoices', 'one', id, 'hosted-pages'],
    queryFn: () => takeData(api.GET('/api/v1/invoices/{id}/hosted-pages', pathOf(id))),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ endedAt }) => endedAt === null) ? CHECK_PAGE_MS : false),
  });
}

/** QR code of the pay page. */
export function qrCodeQuery(id: string) {
  return queryOptions({
    queryKey: ['invoices', 'qr-code', id],
    queryFn: () => takeData(api.GET('/api/v1/invoices/{id}/qr-code', pathOf(id))),
  });
}

/** Stored payment methods of a customer. */
export function methodsQuery(customerId: string) {
  return queryOptions({
    queryKey: ['invoices', 'methods', customerId],
    queryFn: async () =>
      (
        await takePage(
          api.GET('/api/v1/customers/{id}/payment-methods', { params: { path: { id: customerId }, query: { limit: METHODS_MAX } } }),
        )
      ).items,
    staleTime: 0,
  });
}

/** Branding of the merchant's documents and pages. */
export function brandingQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settings', merchantId, 'branding'],
    queryFn: () => take(api.GET('/api/v1/merchants/{id}/branding', pathOf(merchantId))),
  });
}

/** Refreshes the lists after a change, or after a refusal that shows a change by another user. */
export const refreshInvoices = () => queryClient.invalidateQueries({ queryKey: ['invoices'] });
