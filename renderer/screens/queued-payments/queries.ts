import { queryOptions } from '@tanstack/react-query';
import { api, keptQuery, queryClient, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';

export const PAGE_SIZE = 50;

/** Lists of the screen. */
export const TABS = [
  { id: 'open', name: t('Open', { context: 'payments' }), status: 'open' },
  { id: 'paid', name: t('Paid', { context: 'payments' }), status: 'paid' },
  { id: 'all', name: t('All'), status: undefined },
] as const;

export function queuedPaymentsQuery(merchantId: string, status: 'open' | 'paid' | undefined, page: number) {
  const query = { merchantId, page, limit: PAGE_SIZE, ...(status && { status }) };
  return keptQuery(['queued-payments', 'list', query], (signal) =>
    takePage(api.GET('/api/v1/queued-payments', { params: { query }, signal })),
  );
}

export function queuedPaymentQuery(id: string) {
  return queryOptions({
    queryKey: ['queued-payments', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/queued-payments/{id}', { params: { path: { id } } })),
  });
}

export const release = (id: string) => takeData(api.POST('/api/v1/queued-payments/{id}/release', { params: { path: { id } } }));
export const cancel = (id: string) => takeData(api.POST('/api/v1/queued-payments/{id}/cancel', { params: { path: { id } } }));
export const replaceByLink = (id: string) => takeData(api.POST('/api/v1/queued-payments/{id}/link', { params: { path: { id } } }));

export const refreshQueuedPayments = () => queryClient.invalidateQueries({ queryKey: ['queued-payments'] });
