import { createHmac } from 'node:crypto';
import type { Work } from '#core/database';
import { isoTime, newId, ServiceError } from '#core/kernel';
import { checkAddress } from './address-check.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { endSessions } from './end-sessions.ts';
import { lockVerified, resetGuesses } from './guesses.ts';
import type { SignedIn } from './records.ts';
import { SESSIONS, type SessionRow, USERS, type UserRow } from './schema.ts';
import { currentSigningKey } from './signing-keys.ts';
import { ACCESS_TOKEN_SECONDS, hashSecret, REFRESH_TOKEN_MS, signAccessToken } from './tokens.ts';
import { actorOf } from './user-row.ts';

/** Columns of a session that describe the sign-in at its provider. */
export type CompanySession = Pick<
  SessionRow,
  'company_identity_id' | 'company_sid' | 'company_token' | 'company_checked_ms' | 'company_auth_ms'
>;

/** Columns of a session that did not begin at a provider. */
const NO_COMPANY: CompanySession = {
  company_identity_id: null,
  company_sid: null,
  company_token: null,
  company_checked_ms: null,
  company_auth_ms: null,
};

const USER_AGENT_MAX = 300;

export async function answer(deps: Dependencies, user: UserRow, sessionId: string, refreshToken: string): Promise<SignedIn> {
  const { tenant_id: tenantId, id: userId, email } = user;
  const token = await signAccessToken(await currentSigningKey(deps, tenantId), { tenantId, userId, sessionId });
  const role = (await deps.access.roles.find(tenantId, user.role))?.name ?? user.role;
  return { token, refreshToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS, user: { userId, email, role, tenantId } };
}

/**
 * Returns the refresh token of a session's generation. Its secret is derived from the session ID and the generation, so that every token
 * ever issued can be recognized.
 */
export function refreshTokenOf(
  deps: Dependencies,
  sessionId: string,
  generation: number,
): { readonly secret: string; readonly hash: string } {
  const mac = createHmac('sha256', deps.codeKey).update(`refresh|${sessionId}|${generation}`).digest('base64url');
  const secret = `${sessionId}.${generation}.${mac}`;
  return { secret, hash: hashSecret(secret) };
}

export const sessionResource = (id: string) => `user-sessions/${id}`;

/**
 * Starts a session. `by` is the session that the person takes over with a PIN. @throws ServiceError INVALID_CREDENTIALS if the user's password or second
 * factor was changed since the user was read.
 */
export async function startSession(
  deps: Dependencies,
  user: UserRow,
  context: LoginContext,
  by: PinOrigin | null = null,
  atProvider: CompanySession = NO_COMPANY,
): Promise<SignedIn> {
  const allowedAddresses = await deps.access.roles.addressesOf(user.tenant_id, user.role);
  const credential = { tenantId: user.tenant_id, credentialId: user.id, name: user.email, merchantId: user.merchant_id };
  await checkAddress(deps, { ...credential, kind: 'user', allowedAddresses }, context);
  const now = Date.now();
  const sessionId = newId('ses', now);
  const { secret, hash } = refreshTokenOf(deps, sessionId, 1);
  const userAgent = context.userAgent?.slice(0, USER_AGENT_MAX) ?? null;
  await deps.database.unitOfWork.transaction(user.tenant_id, async (work) => {
    await lockVerified(work, user);
    await work.update(USERS, { id: user.id }, { last_seen_at: isoTime(now) });
    // A PIN is no proof that the person knows the password.
    if (by === null) await resetGuesses(work, user.id, 'sign-in');
    const isKnownDevice = await hasUsed(work, user.id, userAgent);
    if (by !== null) {
      const current = await work.lockOne(SESSIONS, { id: by.sessionId });
      if (current?.revoked_at !== null) throw sessionEnded();
      await endSessions(deps, work, { tenantId: user.tenant_id, sessionId: by.sessionId, reason: 'switched' });
    }
    work.insert(SESSIONS, {
      tenant_id: user.tenant_id,
      id: sessionId,
      user_id: user.id,
      refresh_hash: hash,
      expires_ms: by === null ? now + REFRESH_TOKEN_MS : by.expiresMs,
      revoked_at: null,
      end_reason: null,
      kind: context.kind,
      by_pin: by === null ? 0 : 1,
      merchant_id: by === null ? null : by.merchantId,
      ip: context.ip,
      user_agent: userAgent,
      ...atProvider,
      last_seen_ms: now,
      created_at: isoTime(now),
    });
    const actor = actorOf(user.tenant_id, user, context);
    if (!isKnownDevice)
      deps.audit(work, { actor, action: 'session.new_device', resource: sessionResource(sessionId), after: { kind: context.kind } });
    const after = {
      kind: context.kind,
      ...(by !== null && { pin: true, previousUser: by.userName }),
      ...(atProvider.company_identity_id !== null && { company: true }),
    };
    deps.audit(work, { actor, action: 'session.started', resource: sessionResource(sessionId), after });
  });
  return answer(deps, user, sessionId, secret);
}

/** Returns true if one of the user's sessions that are still stored has the same user agent. */
async function hasUsed(work: Work, userId: string, userAgent: string | null): Promise<boolean> {
  return (await work.find(SESSIONS, { user_id: userId, user_agent: userAgent }, { limit: 1 })).length > 0;
}

/** The session that a person takes over with a PIN, and the limits that the new session inherits. */
interface PinOrigin {
  readonly sessionId: string;
  readonly merchantId: string | null;
  readonly expiresMs: number;
  readonly userName: string;
}

export const sessionEnded = () =>
  new ServiceError('TOKEN_INVALID', 'The session of this workstation has ended. Sign in with the password.');
