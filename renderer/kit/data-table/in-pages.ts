import type { QueryState } from '#renderer/kit/ui';
import type { ListQuery } from './record-list.tsx';

/** Returns the query for a page of rows that are all loaded. A page behind the last one is the last one. */
export function inPages<Data, Row>(
  query: QueryState<Data>,
  rowsOf: (data: Data) => readonly Row[],
  page: number,
  limit: number,
): ListQuery<Row> {
  const { data, error, refetch, isPending } = query;
  const rows = data && rowsOf(data);
  const start = (Math.min(page, Math.max(1, Math.ceil((rows?.length ?? 0) / limit))) - 1) * limit;
  return {
    data: rows && { items: rows.slice(start, start + limit), total: rows.length, limit },
    error,
    refetch,
    isPending,
    isPlaceholderData: false,
  };
}
