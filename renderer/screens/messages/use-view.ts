import { useCallback, useMemo } from 'react';
import { addressSchema, oneOf, text, useAddress } from '#renderer/base/address';
import type { OutboxFilter } from './queries.ts';
import { CHANNELS, KINDS, STATUSES } from './texts.ts';

const ADDRESS = addressSchema({
  channel: oneOf(CHANNELS.map(({ value }) => value)),
  status: oneOf(STATUSES.map(({ value }) => value)),
  kind: oneOf(KINDS.map(({ value }) => value)),
  resourceId: text,
  q: text,
});

export interface ViewInAddress {
  readonly filter: OutboxFilter;
  readonly page: number;
  /** Query part of the address that an open message keeps: "?status=waiting". */
  readonly search: string;
  /** Changes the filter and returns to the first page. */
  readonly change: (next: OutboxFilter) => void;
  readonly setPage: (page: number) => void;
}

/** State of the list in its address. */
export function useView(): ViewInAddress {
  const { values, search, go } = useAddress(ADDRESS);
  const filter = useMemo((): OutboxFilter => {
    const { page: _, resourceId, q, ...words } = values;
    return { ...words, resourceId: resourceId || undefined, q: q || undefined };
  }, [values]);
  const change = useCallback((next: OutboxFilter) => go({ ...filter, ...next }), [go, filter]);
  const setPage = useCallback((page: number) => go({ ...filter, page }), [go, filter]);
  return { filter, page: values.page, search, change, setPage };
}

export function isFiltered(filter: OutboxFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

/** The filter without any restriction. */
export const UNFILTERED: OutboxFilter = { channel: undefined, status: undefined, kind: undefined, resourceId: undefined, q: undefined };
