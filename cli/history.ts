import type { Requests } from './connection.ts';

/** An event of the history as the API returns it. */
export interface HistoryEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly resourceId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tenantId: string;
  readonly merchantId: string | null;
}

interface HistoryQuery {
  readonly after?: string;
  readonly types?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
  readonly wait?: number;
}

/** Returns events of the history, newest last. `surface` is `/public` for API keys. */
export const readEvents = (
  requests: Requests,
  surface: '' | '/public',
  query: HistoryQuery,
  signal?: AbortSignal,
): Promise<HistoryEvent[]> => requests.get(`${surface}/webhooks/events`, { query, ...(signal === undefined ? {} : { signal }) });

/** Returns the text that endpoints receive for an event. */
export function bodyOf({ id, type, createdAt, data, tenantId, merchantId }: HistoryEvent): string {
  return JSON.stringify({ id, type, createdAt, data, tenantId, merchantId });
}

/** Returns an event as a line for people. */
export const lineOf = ({ id, type, createdAt, resourceId }: HistoryEvent) => `${createdAt}  ${type.padEnd(30)}  ${id}  ${resourceId}`;
