import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type AuditEntry, type AuditQuery, api, queryClient, takeData, takePage } from '#renderer/client';

export const PAGE_SIZE = 50;
const BLOCK = 200;
const EXPORTED_MAX = 10_000;
const SESSIONS_MAX = 100;

/** What narrows the log; it lives in the address. */
export type LogFilter = Pick<AuditQuery, 'actor' | 'action' | 'resource' | 'requestId' | 'startDate' | 'endDate'>;

export function logQuery(filter: LogFilter, page: number) {
  return queryOptions({
    queryKey: ['audit', 'log', filter, page],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/audit-logs', { params: { query: { ...filter, page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export const verifyChain = () => takeData(api.GET('/api/v1/audit-logs/verify'));

/** Every entry that the filter names, newest first, as far as a file of them is of use. */
export async function everyEntry(filter: LogFilter): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let page = 1; entries.length < EXPORTED_MAX; page += 1) {
    const { items, total } = await takePage(api.GET('/api/v1/audit-logs', { params: { query: { ...filter, page, limit: BLOCK } } }));
    entries.push(...items);
    if (entries.length >= total || items.length === 0) break;
  }
  return entries;
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => takePage(api.GET('/api/v1/user-sessions', { params: { query: { limit: SESSIONS_MAX } } })),
  staleTime: 0,
});

export const revokeSession = (id: string) => takeData(api.DELETE('/api/v1/user-sessions/{id}', { params: { path: { id } } }));

export function refreshSessions(): void {
  void queryClient.invalidateQueries({ queryKey: ['sessions'] });
  void queryClient.invalidateQueries({ queryKey: ['audit'] });
}
