import { useCallback, useMemo } from 'react';
import { useAddress } from '#renderer/address';
import { ADDRESS, filterOf, type TransactionFilter } from './filter.ts';

interface FilterInAddress {
  readonly filter: TransactionFilter;
  readonly page: number;
  /** Another filter begins at its first page. */
  readonly setFilter: (filter: TransactionFilter) => void;
  readonly setPage: (page: number) => void;
  /** Query part of the address, with its question mark. */
  readonly search: string;
}

/** The filter and the page, from the address and into it. */
export function useFilterInAddress(): FilterInAddress {
  const { values, search, go } = useAddress(ADDRESS);
  const filter = useMemo(() => filterOf(values), [values]);
  const setFilter = useCallback((next: TransactionFilter) => go(next, { replace: true }), [go]);
  const setPage = useCallback((page: number) => go({ ...filter, page }), [go, filter]);
  return { filter, page: values.page, setFilter, setPage, search };
}
