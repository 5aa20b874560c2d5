import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { OutboxFilter } from './queries.ts';
import { CHANNELS, KINDS, STATUSES } from './words.ts';

export interface ViewInAddress {
  readonly filter: OutboxFilter;
  readonly page: number;
  /** What of the address an opened message keeps: "?status=waiting". */
  readonly search: string;
  /** Another filter begins at its first page. */
  readonly change: (next: OutboxFilter) => void;
  readonly setPage: (page: number) => void;
}

/** What is looked at, from the address and into it. */
export function useView(): ViewInAddress {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterOf(params), [params]);
  const page = Number(params.get('page') ?? '1');
  const change = useCallback((next: OutboxFilter) => setParams(searchOf({ ...filter, ...next }, 1)), [setParams, filter]);
  const setPage = useCallback((next: number) => setParams(searchOf(filter, next)), [setParams, filter]);
  const shown = Number.isSafeInteger(page) && page > 0 ? page : 1;
  const search = searchOf(filter, shown).toString();
  return { filter, page: shown, search: search === '' ? '' : `?${search}`, change, setPage };
}

export function isFiltered(filter: OutboxFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

/** Every filter taken off. */
export const UNFILTERED: OutboxFilter = { channel: undefined, status: undefined, kind: undefined, resourceId: undefined, q: undefined };

function filterOf(params: URLSearchParams): OutboxFilter {
  const oneOf = <Value extends string>(name: string, words: readonly { value: Value }[]) =>
    words.find(({ value }) => value === params.get(name))?.value;
  return {
    channel: oneOf('channel', CHANNELS),
    status: oneOf('status', STATUSES),
    kind: oneOf('kind', KINDS),
    resourceId: params.get('resourceId')?.trim() || undefined,
    q: params.get('q')?.trim() || undefined,
  };
}

/** The address of a filter; what is blank and the first page are left unsaid. */
function searchOf(filter: OutboxFilter, page: number): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return new URLSearchParams([...given, ...(page > 1 ? [['page', String(page)]] : [])]);
}
