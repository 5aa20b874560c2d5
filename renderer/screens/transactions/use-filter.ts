import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { filterOf, pageOf, paramsOf, type TransactionFilter } from './filter.ts';

interface FilterInAddress {
  readonly filter: TransactionFilter;
  readonly page: number;
  /** Another filter begins at its first page. */
  readonly setFilter: (filter: TransactionFilter) => void;
  readonly setPage: (page: number) => void;
  /** What follows the path, with its question mark. */
  readonly search: string;
}

/** The filter and the page, from the address and into it. */
export function useFilterInAddress(): FilterInAddress {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterOf(params), [params]);
  const page = pageOf(params);
  const setFilter = useCallback((next: TransactionFilter) => setParams(paramsOf(next), { replace: true }), [setParams]);
  const setPage = useCallback((next: number) => setParams(paramsOf(filter, next)), [setParams, filter]);
  const text = params.toString();
  return { filter, page, setFilter, setPage, search: text === '' ? '' : `?${text}` };
}
