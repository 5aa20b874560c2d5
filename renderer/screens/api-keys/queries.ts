import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';

export const PAGE_SIZE = 50;
const REQUESTS_EVERY_MS = 5_000;
/** Rows per page. */
const REQUESTS_PAGE = 100;

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

/** Requests of the signed-in user against the limits of the account's tier. */
export const rateLimitQuery = queryOptions({
  queryKey: ['rate-limit'],
  queryFn: () => takeData(api.GET('/api/v1/rate-limit/status')),
  refetchInterval: REQUESTS_EVERY_MS,
});

/** Tier of a sandbox account, which decides its request limits. */
export const sandboxTierQuery = queryOptions({
  queryKey: ['sandbox-tier'],
  queryFn: () => takeData(api.GET('/api/v1/sandbox/tier')),
});

export type SandboxTier = Awaited<ReturnType<typeof setSandboxTier>>['tier'];

export async function setSandboxTier(tier: 'sandbox' | 'standard' | 'professional' | 'enterprise') {
  const changed = await takeData(api.PUT('/api/v1/sandbox/tier', { body: { tier } }));
  queryClient.setQueryData(sandboxTierQuery.queryKey, changed);
  await queryClient.invalidateQueries(rateLimitQuery);
  return changed;
}

/** Limits in a request; an amount of null means no limit. */
interface SpendingLimits {
  readonly currency: string;
  readonly perPayment: string | null;
  readonly perDay: string | null;
  readonly liveWrites: boolean;
  readonly overLimit: 'refuse' | 'ask';
}

interface NewKeyForm {
  readonly name: string;
  readonly scope: 'merchant' | 'tenant';
  readonly merchantId: string;
  /** Undefined grants all permissions of the creator. */
  readonly permissions: string[] | undefined;
  /** ISO 8601; undefined never expires. */
  readonly expiresAt: string | undefined;
  readonly spendingLimits: SpendingLimits | null;
  readonly allowedOrigins: readonly string[];
  readonly allowedAddresses: readonly string[];
}

export function createKey({ name, scope, merchantId, permissions, expiresAt, spendingLimits, ...allowed }: NewKeyForm) {
  const body = {
    name,
    scope,
    ...(scope === 'merchant' && { merchantId }),
    ...(permissions && { permissions }),
    ...(expiresAt && { expiresAt }),
    ...(spendingLimits && { spendingLimits }),
    allowedOrigins: [...allowed.allowedOrigins],
    allowedAddresses: [...allowed.allowedAddresses],
  };
  return takeData(api.POST('/api/v1/api-keys', { body }));
}

export type CreatedKey = Awaited<ReturnType<typeof createKey>>;

const pathParams = (id: string) => ({ params: { path: { id } } });
export const changeKey = (
  id: string,
  body: {
    name?: string;
    permissions?: string[];
    expiresAt?: string | null;
    spendingLimits?: SpendingLimits | null;
    allowedOrigins?: string[];
    allowedAddresses?: string[];
  },
) => takeData(api.PUT('/api/v1/api-keys/{id}', { ...pathParams(id), body }));
export const revokeKey = (id: string) => takeData(api.DELETE('/api/v1/api-keys/{id}', pathParams(id)));
export const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });

/** Result of testing a key. */
interface TestResult {
  readonly isValid: boolean;
  readonly message: string;
}

/** Tests a key as a program would use it, without the credential of the session. */
export async function testKey(key: string, tenantId: string): Promise<TestResult> {
  const response = await fetch('/api/v1/public/testConnection', { method: 'POST', headers: { 'x-api-key': key, 'X-Tenant-ID': tenantId } });
  const body = (await response.json()) as { data?: { merchantId: string; environment: string }; error?: { message: string; code: string } };
  if (body.data) {
    const values = { merchant: body.data.merchantId };
    const message =
      body.data.environment === 'live'
        ? t('The key works: live, merchant {{merchant}}.', values)
        : t('The key works: sandbox, merchant {{merchant}}.', values);
    return { isValid: true, message };
  }
  return { isValid: false, message: `${response.status} ${body.error?.code}: ${serviceText(body.error?.message ?? '')}` };
}
