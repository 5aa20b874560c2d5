import type { FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { Principal } from '#core/access/identity';
import { type Permission, ServiceError } from '#core/kernel';
import { isOpenByPin, type Route } from '#server/http';
import { loginContextOf } from './credential.ts';

/** The rules of a route about its callers. */
export type RouteAccess = Pick<Route, 'permission' | 'exports' | 'live' | 'scope' | 'method' | 'clientToken' | 'byPin'>;

/**
 * Checks a caller against the access rules of a route; runs for every request with a credential. Permissions are checked before the scope, so
 * that who lacks one learns nothing about the merchant.
 * @throws PERMISSION_DENIED without the permission, and for changes on a live account by a key whose spending limits exclude them;
 * MERCHANT_NOT_AUTHORIZED if a caller with access to one merchant changes something tenant-wide.
 */
export async function checkAccess(route: RouteAccess, principal: Principal, core: Core): Promise<void> {
  const { permission, exports, live, scope, method, clientToken } = route;
  // A client token has no permissions; it is valid only on routes that accept client tokens.
  if (permission === undefined || (clientToken && principal.kind === 'client-token')) return;
  if (principal.byPin && !isOpenByPin(route))
    throw new ServiceError('PERMISSION_DENIED', 'A session by PIN cannot do this. Sign in with your password.', {
      details: { reason: 'pin_session' },
    });
  if (permission !== 'session') requirePermission(principal, permission);
  if (exports !== undefined) requirePermission(principal, `${exports}:export`);
  if (live !== undefined && isLive(core, principal)) requirePermission(principal, live);
  if (method !== 'GET' && principal.spendingLimits?.liveWrites === false && isLive(core, principal))
    throw new ServiceError('PERMISSION_DENIED', 'This API key has spending limits and may not change anything on a live account.', {
      details: { reason: 'key_live_writes' },
    });
  if (method === 'GET' || (scope !== 'tenant' && scope !== 'installation')) return;
  if (principal.merchantId !== null)
    throw new ServiceError(
      'MERCHANT_NOT_AUTHORIZED',
      'This operation changes the whole account, and you have access to one merchant only. Ask a user with access to the whole account.',
    );
  if (scope === 'installation') await core.identity.installationAdmins.requireFirstTenant(principal);
}

function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return;
  const message = permission.startsWith('owner:')
    ? `Only an owner can do this. It requires the permission \`${permission}\`.`
    : `This requires the permission \`${permission}\`.`;
  throw new ServiceError('PERMISSION_DENIED', message, { details: { permission } });
}

const isLive = (core: Core, { tenantId }: Pick<Principal, 'tenantId'>) => core.identity.tenants.environmentOf(tenantId) === 'live';

/** Time after a sign-in with the password during which it confirms operations. */
const RECENT_MS = 15 * 60_000;
/** Time after a sign-in at the company's provider during which it takes the place of the password, which its users do not have. */
const FRESH_MS = 5 * 60_000;

/** Returns true if the sign-in of a session confirms operations. */
export const isSignInRecent = (principal: Pick<Principal, 'passwordSignInMs'>): boolean => signedInWithin(principal, RECENT_MS);

const signedInWithin = ({ passwordSignInMs }: Pick<Principal, 'passwordSignInMs'>, ms: number): boolean =>
  passwordSignInMs !== null && ms > 0 && Math.abs(Date.now() - passwordSignInMs) < ms;

/**
 * Checks the confirmation that the route requires, and returns the body without its fields. A password in the body is always checked.
 * @throws PERMISSION_DENIED with the reason `confirmation_required`; REQUIRED_FIELD_MISSING if the route accepts only the password;
 * VALIDATION_ERROR on `currentPassword` or `currentCode`.
 */
export async function confirmCaller(
  { confirms, summary }: Route,
  core: Core,
  principal: Principal,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const body = (request.body ?? {}) as Record<string, unknown>;
  if (!confirms || principal.kind !== 'user') return body;
  const { currentPassword, currentCode, ...rest } = body;
  const isOfSelf = (request.params as { readonly userId?: string }).userId === principal.userId;
  const level = isOfSelf && (await confirms.passwordOfSelf?.(core, principal, rest)) ? 'password' : confirms.level;
  if ((confirms.accounts === 'live' && !isLive(core, principal)) || confirms.when?.(rest) === false) return rest;
  if (typeof currentPassword !== 'string' || currentPassword === '') {
    const confirmsMs = level === 'recent' ? RECENT_MS : principal.byCompany ? FRESH_MS : 0;
    if (signedInWithin(principal, confirmsMs)) return rest;
    if (principal.byCompany)
      throw new ServiceError(
        'PERMISSION_DENIED',
        `This must be confirmed by a sign-in at your company’s provider less than ${confirmsMs / 60_000} minutes ago. Sign out, sign in there again, and repeat it.`,
        { details: { reason: 'confirmation_required', operation: summary } },
      );
    if (level === 'password')
      throw new ServiceError('REQUIRED_FIELD_MISSING', '`currentPassword` is required. Send your own password to confirm this change.', {
        field: 'currentPassword',
      });
    throw new ServiceError(
      'PERMISSION_DENIED',
      'This must be confirmed, because you signed in with your password more than 15 minutes ago, or with a PIN. Send your password in `currentPassword`, or sign in again.',
      { details: { reason: 'confirmation_required', operation: summary } },
    );
  }
  const confirmation = { password: currentPassword, code: typeof currentCode === 'string' ? currentCode : undefined };
  request.isConfirmed = await core.identity.signIn.confirm(
    principal.tenantId,
    principal.userId ?? '',
    confirmation,
    loginContextOf(request),
  );
  return rest;
}
