import { isoTime, newId } from '#core/kernel';
import type { AuditActor } from '#core/records/audit';
import type { LoginContext } from './dependencies.ts';
import type { UserRow } from './schema.ts';

/** Password of a user who signs in at the provider of the company only. No text has this hash. */
export const NO_PASSWORD = 'company';

/** Returns the row of a new user who can sign in with the given password hash; an empty one means an open invitation. */
export function newUserRow(
  tenantId: string,
  user: Pick<UserRow, 'email' | 'name' | 'role'> & Partial<Pick<UserRow, 'phone' | 'permissions' | 'merchant_id'>>,
  password_hash: string,
  nowMs = Date.now(),
): UserRow {
  return {
    tenant_id: tenantId,
    id: newId('usr', nowMs),
    language: null,
    failed_logins: 0,
    locked_until_ms: 0,
    failed_confirmations: 0,
    confirmations_locked_until_ms: 0,
    two_factor: 'off',
    phone: null,
    permissions: null,
    merchant_id: null,
    company_link_until_ms: null,
    last_seen_at: null,
    created_at: isoTime(nowMs),
    ...user,
    password_hash,
  };
}

/** Returns the actor of an operation before anyone is signed in: the user, if the user is known. */
export const actorOf = (
  tenantId: string,
  user: Pick<UserRow, 'id' | 'email'> | null,
  { ip, requestId, userAgent }: Omit<LoginContext, 'kind'>,
): AuditActor => ({ tenantId, credentialId: user?.id ?? 'nobody', name: user?.email ?? 'nobody', ip, requestId, userAgent });
