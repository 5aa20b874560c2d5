import { queryOptions } from '@tanstack/react-query';
import { api, type JournalAccounts, type PeriodClose, queryClient, takeData, takePage } from '#renderer/base/client';

const BASE = ['settlement', 'close'] as const;

const isDay = (period: string) => period.length === 10;
/** Returns the period as parameters of the API. */
export const periodParams = (period: string): { date: string } | { month: string } =>
  isDay(period) ? { date: period } : { month: period };

export const closeQuery = (merchantId: string, period: string) =>
  queryOptions({
    queryKey: [...BASE, 'figures', merchantId, period],
    queryFn: () => takeData(api.GET('/api/v1/settlement/close', { params: { query: { merchantId, ...periodParams(period) } } })),
    staleTime: 0,
  });

export type Figure = PeriodClose['figures'][number];
export type Side = 'ledger' | 'processor' | 'bank';

/** A figure whose lines are shown. */
export interface OpenFigure {
  readonly name: Figure['name'];
  readonly side: Side;
  readonly currency: string;
}

export const figureLinesQuery = (merchantId: string, period: string, { name, side, currency }: OpenFigure) =>
  queryOptions({
    queryKey: [...BASE, 'lines', merchantId, period, name, side, currency],
    queryFn: () =>
      takeData(
        api.GET('/api/v1/settlement/close/lines', {
          params: { query: { merchantId, ...periodParams(period), figure: name, side, currency } },
        }),
      ),
    staleTime: 0,
  });

export const closePeriod = (merchantId: string, period: string) =>
  takeData(api.POST('/api/v1/settlement/close', { body: { merchantId, date: period } }));

export const reopenPeriod = (merchantId: string, period: string, reason: string) =>
  takeData(api.POST('/api/v1/settlement/reopen', { body: { merchantId, date: period, reason } }));

export const journalAccountsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: [...BASE, 'journal-accounts', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/reporting/journal/accounts', { params: { query: { merchantId } } })),
  });

export const saveJournalAccounts = (merchantId: string, body: JournalAccounts) =>
  takeData(api.PUT('/api/v1/reporting/journal/accounts', { params: { query: { merchantId } }, body }));

const JOURNAL_EXPORTS = [...BASE, 'journal-exports'] as const;

export const journalExportsQuery = (merchantId: string, limit: number) =>
  queryOptions({
    queryKey: [...JOURNAL_EXPORTS, merchantId, limit],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/reporting/journal/exports', { params: { query: { merchantId, limit } }, signal })),
    staleTime: 0,
  });

export const createJournalExport = (
  body: { readonly merchantId: string; readonly startDate: string; readonly endDate: string; readonly only?: 'new' },
  key: string,
) => takeData(api.POST('/api/v1/reporting/journal/exports', { params: { header: { 'Idempotency-Key': key } }, body }));

export const refreshJournalExports = () => void queryClient.invalidateQueries({ queryKey: JOURNAL_EXPORTS });

export const refreshClose = () => queryClient.invalidateQueries({ queryKey: ['settlement'] });
