import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/client';
import { withConfirmation } from '#renderer/confirmation';

export const PAGE_SIZE = 50;
const REQUESTS_EVERY_MS = 5_000;
/** Number of rows that the table shows at once. */
export const REQUESTS_PAGE = 100;

export function keysQuery(page: number) {
  return queryOptions({
    queryKey: ['api-keys', page],
    queryFn: () => takePage(api.GET('/api/v1/api-keys', { params: { query: { page, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
}

export function requestsQuery(failed: boolean, page: number) {
  return queryOptions({
    queryKey: ['request-log', failed, page],
    queryFn: () =>
      takePage(
        api.GET('/api/v1/request-log', { params: { query: { page, limit: REQUESTS_PAGE, ...(failed && { failed: 'true' as const }) } } }),
      ),
    refetchInterval: REQUESTS_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

interface NewKeyForm {
  readonly name: string;
  readonly scope: 'merchant' | 'tenant';
  readonly merchantId: string;
  /** undefined gives all that its maker may. */
  readonly permissions: string[] | undefined;
  /** ISO 8601; undefined is for ever. */
  readonly expiresAt: string | undefined;
}

export function createKey({ name, scope, merchantId, permissions, expiresAt }: NewKeyForm) {
  const body = {
    name,
    scope,
    ...(scope === 'merchant' && { merchantId }),
    ...(permissions && { permissions }),
    ...(expiresAt && { expiresAt }),
  };
  return withConfirmation((given) => takeData(api.POST('/api/v1/api-keys', { body: { ...body, ...given } })));
}

export type MadeKey = Awaited<ReturnType<typeof createKey>>;

const on = (id: string) => ({ params: { path: { id } } });
export const changeKey = (id: string, body: { name?: string; permissions?: string[]; expiresAt?: string | null }) =>
  withConfirmation((given) => takeData(api.PUT('/api/v1/api-keys/{id}', { ...on(id), body: { ...body, ...given } })));
export const revokeKey = (id: string) => takeData(api.DELETE('/api/v1/api-keys/{id}', on(id)));
export const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });

/** Result of testing a key. */
interface Tried {
  readonly isGood: boolean;
  readonly words: string;
}

/** Tries a key as a program would, without the credential of the session. */
export async function tryKey(key: string, tenantId: string): Promise<Tried> {
  const response = await fetch('/api/v1/public/testConnection', { method: 'POST', headers: { 'x-api-key': key, 'X-Tenant-ID': tenantId } });
  const body = (await response.json()) as { data?: { merchantId: string; environment: string }; error?: { message: string; code: string } };
  if (body.data) return { isGood: true, words: `The key is good: ${body.data.environment}, merchant ${body.data.merchantId}.` };
  return { isGood: false, words: `${response.status} ${body.error?.code}: ${body.error?.message}` };
}
