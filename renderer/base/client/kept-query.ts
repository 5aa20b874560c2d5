import { type DataTag, keepPreviousData, type QueryFunction, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { ApiFailure } from './failure.ts';

export interface KeptQuery<Data, Key extends QueryKey> {
  readonly queryKey: DataTag<Key, Data, ApiFailure>;
  readonly queryFn: QueryFunction<Data, Key>;
  readonly placeholderData: typeof keepPreviousData;
}

/** A query whose last result stays in view while that of another key loads, such as the next page of a list. */
export function keptQuery<Data, const Key extends QueryKey>(
  queryKey: Key,
  read: (signal: AbortSignal) => Promise<Data>,
): KeptQuery<Data, Key> {
  const queryFn: QueryFunction<Data, Key> = ({ signal }) => read(signal);
  return {
    queryKey: queryOptions<Data, ApiFailure, Data, Key>({ queryKey, queryFn }).queryKey,
    queryFn,
    placeholderData: keepPreviousData,
  };
}
