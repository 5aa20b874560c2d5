import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, keptQuery, queryClient, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';

export const PAGE_SIZE = 50;

/** Tabs of the queue with the status filter of each. */
export const TABS = [
  { id: 'needs-you', name: t('Needs attention', { context: 'refunds' }), status: 'failed' },
  { id: 'waiting', name: t('Retrying'), status: 'open' },
  { id: 'closed', name: t('Closed', { context: 'refunds' }), status: 'closed' },
] as const;
type Tab = (typeof TABS)[number];

export const PERIODS = [
  { value: '7d', name: t('7 days') },
  { value: '30d', name: t('30 days') },
  { value: '90d', name: t('90 days') },
  { value: '365d', name: t('365 days') },
  { value: 'all', name: t('All time') },
] as const;
export type Period = (typeof PERIODS)[number]['value'];

export function queueQuery(status: Tab['status'], page: number) {
  return keptQuery(['refund-queue', 'list', status, page], (signal) =>
    takePage(api.GET('/api/v1/refund-decline-queue', { params: { query: { status, page, limit: PAGE_SIZE } }, signal })),
  );
}

export function statsQuery(period: Period) {
  return queryOptions({
    queryKey: ['refund-queue', 'stats', period],
    queryFn: () => takeData(api.GET('/api/v1/refund-decline-queue/stats', { params: { query: { period } } })),
    placeholderData: keepPreviousData,
  });
}

export function entryQuery(entryId: string) {
  return queryOptions({
    queryKey: ['refund-queue', 'one', entryId],
    queryFn: () => takeData(api.GET('/api/v1/refund-decline-queue/{entryId}', { params: { path: { entryId } } })),
    staleTime: 0,
  });
}

const pathOf = (entryId: string) => ({ params: { path: { entryId } } });

export const retry = (entryId: string) => takeData(api.POST('/api/v1/refund-decline-queue/{entryId}/retry', pathOf(entryId)));

interface Resolution {
  readonly notes?: string;
  readonly refundMethod?: string;
  readonly refundDate?: string;
}

export const resolve = (entryId: string, body: Resolution) =>
  takeData(api.POST('/api/v1/refund-decline-queue/{entryId}/resolve', { ...pathOf(entryId), body, keepalive: true }));

export const cancel = (entryId: string, body: { reason?: string; notes?: string }) =>
  takeData(api.POST('/api/v1/refund-decline-queue/{entryId}/cancel', { ...pathOf(entryId), body, keepalive: true }));

/** Refreshes the lists after a change, or after a refusal that shows a change by another user. */
export const refreshQueue = () => queryClient.invalidateQueries({ queryKey: ['refund-queue'] });
