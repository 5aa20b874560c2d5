import { useCallback, useMemo } from 'react';
import { useAddress } from '#renderer/base/address';
import { ADDRESS, filterOf, type TransactionFilter } from './filter.ts';

interface FilterInAddress {
  readonly filter: TransactionFilter;
  readonly page: number;
  /** Sets the filter and returns to the first page. */
  readonly setFilter: (filter: TransactionFilter) => void;
  readonly setPage: (page: number) => void;
  /** Query part of the URL, including the question mark. */
  readonly search: string;
}

/** Filter and page of the list, stored in the URL. */
export function useFilterInAddress(): FilterInAddress {
  const { values, search, go } = useAddress(ADDRESS);
  const filter = useMemo(() => filterOf(values), [values]);
  const setFilter = useCallback((next: TransactionFilter) => go(next, { replace: true }), [go]);
  const setPage = useCallback((page: number) => go({ ...filter, page }), [go, filter]);
  return { filter, page: values.page, setFilter, setPage, search };
}
