import { useCallback, useMemo } from 'react';
import { addressSchema, day, matching, text, useAddress } from '#renderer/base/address';
import type { LogFilter } from './queries.ts';

const ADDRESS = addressSchema({
  actor: text,
  action: text,
  resource: text,
  requestId: text,
  startDate: day,
  endDate: day,
  archive: matching(/^\d{4}$/),
});

interface FilterInAddress {
  readonly filter: LogFilter;
  readonly page: number;
  /** Sets a filter and returns to the first page. */
  readonly setFilter: (filter: LogFilter) => void;
  readonly setPage: (page: number) => void;
}

/** Reads and writes filter and page of the log in the address. */
export function useLogFilter(): FilterInAddress {
  const { values, go } = useAddress(ADDRESS);
  const filter = useMemo((): LogFilter => {
    const { page: _, ...given } = values;
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
  }, [values]);
  const setPage = useCallback((page: number) => go({ ...filter, page }), [go, filter]);
  return { filter, page: values.page, setFilter: go, setPage };
}

export function isFiltered(filter: LogFilter): boolean {
  return Object.keys(filter).length > 0;
}
