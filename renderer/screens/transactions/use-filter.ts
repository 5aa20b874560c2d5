import { useCallback, useMemo } from 'react';
import { useAddress } from '#renderer/base/address';
import { ADDRESS, filterOf, type Sort, type TransactionFilter } from './filter.ts';

interface FilterInAddress {
  readonly filter: TransactionFilter;
  readonly page: number;
  /** Sets the filter and returns to the first page. */
  readonly setFilter: (filter: TransactionFilter) => void;
  readonly setPage: (page: number) => void;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  /** Query part of the URL, including the question mark. */
  readonly search: string;
}

/** Filter and page of the list, stored in the URL. */
export function useFilterInAddress(): FilterInAddress {
  const { values, search, go } = useAddress(ADDRESS);
  const { sort } = values;
  const filter = useMemo(() => filterOf(values), [values]);
  const setFilter = useCallback((next: TransactionFilter) => go({ ...next, sort }, { replace: true }), [go, sort]);
  const setPage = useCallback((page: number) => go({ ...filter, sort, page }), [go, filter, sort]);
  const setSort = useCallback((next: Sort) => go({ ...filter, sort: next }), [go, filter]);
  return { filter, page: values.page, setFilter, setPage, sort, setSort, search };
}
