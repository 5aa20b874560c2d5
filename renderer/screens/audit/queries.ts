import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiFailure, type AuditQuery, api, queryClient, take, takeData, takePage, type UserSession } from '#renderer/base/client';

/** Rows on a page. */
export const PAGE_SIZE = 50;
/** Rows that the service returns at once. */
const PAGE_MAX = 200;
const SESSIONS_MAX = 2_000;
const NOT_FOUND = 404;

/** Filter of the log, stored in the address. */
export type LogFilter = Pick<AuditQuery, 'actor' | 'action' | 'resource' | 'requestId' | 'startDate' | 'endDate' | 'archive'>;

/** One page of the log. The previous page stays on screen while the next is fetched. */
export function logQuery(filter: LogFilter, page: number) {
  return queryOptions({
    queryKey: ['audit', 'log', filter, page],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/audit-logs', { params: { query: { ...filter, page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Years of the log whose entries are in archives, newest first. */
export const archivedYearsQuery = queryOptions({
  queryKey: ['audit', 'archives'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/audit-logs/archives', { signal })),
});

export const verifyChain = () => takeData(api.GET('/api/v1/audit-logs/verify'));

/** Address that receives the last entry of the log every day. */
export const anchorsQuery = queryOptions({
  queryKey: ['audit', 'anchors'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/audit-logs/anchors', { signal })),
  staleTime: 0,
  gcTime: 0,
});

export type AnchorSettings = Awaited<ReturnType<typeof changeAnchors>>;
export const changeAnchors = (email: string | null) => takeData(api.PUT('/api/v1/audit-logs/anchors', { body: { email } }));

/** All active sessions, newest first: to revoke all of them, all must be known. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const sessions: UserSession[] = [];
    let cursor: string | undefined;
    do {
      const { data, pagination } = await take(api.GET('/api/v1/user-sessions', { params: { query: { cursor, limit: PAGE_MAX } }, signal }));
      sessions.push(...data);
      cursor = pagination.nextCursor ?? undefined;
    } while (cursor !== undefined && sessions.length < SESSIONS_MAX);
    return sessions;
  },
  staleTime: 0,
});

/** Ends sessions one after the other; a session that has ended already is skipped. */
export async function revokeSessions(sessions: readonly UserSession[]): Promise<void> {
  for (const { id } of sessions) {
    try {
      await takeData(api.DELETE('/api/v1/user-sessions/{id}', { params: { path: { id } } }));
    } catch (failure) {
      if (!(failure instanceof ApiFailure && failure.status === NOT_FOUND)) throw failure;
    }
  }
}

export async function refreshSessions(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['audit'] });
  await queryClient.invalidateQueries({ queryKey: ['sessions'] });
}
