import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { LogFilter } from './queries.ts';

const WORDS = ['actor', 'action', 'resource', 'requestId'] as const;
const DAYS = ['startDate', 'endDate'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface FilterInAddress {
  readonly filter: LogFilter;
  readonly page: number;
  /** Another filter begins at its first page. */
  readonly setFilter: (filter: LogFilter) => void;
  readonly setPage: (page: number) => void;
}

/** The filter of the log and the page, from the address and into it. */
export function useLogFilter(): FilterInAddress {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterOf(params), [params]);
  const page = Number(params.get('page') ?? '1');
  const setFilter = useCallback((next: LogFilter) => setParams(paramsOf(next, 1)), [setParams]);
  const setPage = useCallback((next: number) => setParams(paramsOf(filter, next)), [setParams, filter]);
  return { filter, page: Number.isSafeInteger(page) && page > 0 ? page : 1, setFilter, setPage };
}

export function isFiltered(filter: LogFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** Reads the filter of an address; what it does not know it leaves out. */
function filterOf(params: URLSearchParams): LogFilter {
  const words = WORDS.map((name) => [name, params.get(name)?.trim()] as const);
  const days = DAYS.map((name) => [name, params.get(name)] as const).filter(([, day]) => DAY.test(day ?? ''));
  return Object.fromEntries([...words, ...days].filter(([, value]) => value));
}

/** The address of a filter; what is blank and the first page are left unsaid. */
function paramsOf(filter: LogFilter, page: number): URLSearchParams {
  const given = [...WORDS, ...DAYS].map((name) => [name, filter[name]?.trim() ?? '']).filter(([, value]) => value !== '');
  return new URLSearchParams([...given, ...(page > 1 ? [['page', String(page)]] : [])]);
}
