import { queryOptions } from '@tanstack/react-query';
import { api, type ToDoItem, takeData } from '#renderer/base/client';

const REFETCH_MS = 60_000;

/** Work that waits for a person at a merchant, the most urgent first: all kinds, or more items of one kind. System problems and deadlines change without an event. */
export function toDoQuery(merchantId: string, kind?: ToDoItem['kind']) {
  return queryOptions({
    queryKey: ['to-do', merchantId, kind],
    queryFn: ({ signal }) => takeData(api.GET('/api/v1/to-do', { params: { query: { merchantId, kind } }, signal })),
    refetchInterval: REFETCH_MS,
  });
}
