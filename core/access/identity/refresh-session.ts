import { ServiceError } from '#core/kernel';
import { recheck } from './company/sessions.ts';
import { settingsRow } from './company/settings.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { endSessions } from './end-sessions.ts';
import { verifyPin } from './pins.ts';
import type { SignedIn } from './records.ts';
import { SESSIONS, type SessionRow, USERS } from './schema.ts';
import { findSigningKey } from './signing-keys.ts';
import { answer, refreshTokenOf, sessionEnded, sessionResource, startSession } from './start-session.ts';
import { hashSecret, REFRESH_TOKEN_MS, readAccessToken } from './tokens.ts';
import { actorOf } from './user-row.ts';

/** Idle time after which a session of the screens is not refreshed. */
const IDLE_MS = 15 * 60_000;

/** Time after the last sign-in with a password during which people may switch with their PINs. */
const PIN_SESSIONS_MS = 12 * 3_600_000;

const invalidRefresh = (message = 'The refresh token is not valid. Sign in again.') => new ServiceError('TOKEN_INVALID', message);

const generationOf = (refreshToken: string) => Number(/^[^.]+\.(\d{1,9})\./.exec(refreshToken)?.[1] ?? 0);

/** Returns true if a session that began with a password has to end, because company sign-in is required since. */
async function isPasswordRefused(deps: Dependencies, { tenant_id, user_id, company_identity_id, by_pin }: SessionRow): Promise<boolean> {
  if (company_identity_id !== null || by_pin === 1) return false;
  const settings = await settingsRow(deps, tenant_id);
  return settings?.is_required === 1 && settings.break_glass_user_id !== user_id;
}

async function signOut(deps: Dependencies, session: SessionRow, context: LoginContext): Promise<string | null> {
  if (session.revoked_at !== null) return null;
  await deps.database.unitOfWork.transaction(session.tenant_id, async (work) => {
    await endSessions(deps, work, { tenantId: session.tenant_id, sessionId: session.id, reason: 'signed-out' });
    const actor = actorOf(session.tenant_id, await work.one(USERS, { id: session.user_id }), context);
    deps.audit(work, { actor, action: 'session.ended', resource: sessionResource(session.id), after: { reason: 'signed-out' } });
  });
  return session.id;
}

async function sessionOf(deps: Dependencies, refreshToken: string): Promise<SessionRow | null> {
  const [sessionId = ''] = refreshToken.split('.');
  const [row] = await deps.database.readAcrossTenants().find(SESSIONS, { id: sessionId }, { limit: 1 });
  return row ?? null;
}

/**
 * Exchanges a refresh token for new tokens. A token that was used before ends its session, because one of its two holders is not the
 * user.
 */
export async function refresh(deps: Dependencies, refreshToken: string, context: LoginContext): Promise<SignedIn> {
  const known = await sessionOf(deps, refreshToken);
  if (!known || (await isPasswordRefused(deps, known))) throw invalidRefresh();
  const hash = hashSecret(refreshToken);
  const generation = generationOf(refreshToken);
  const next = refreshTokenOf(deps, known.id, generation + 1);
  const outcome = await deps.database.unitOfWork.transaction(known.tenant_id, async (work) => {
    const now = Date.now();
    const session = await work.lockOne(SESSIONS, { id: known.id });
    if (!session || session.revoked_at !== null || session.expires_ms <= now) return null;
    const user = await work.one(USERS, { id: session.user_id });
    if (session.refresh_hash !== hash) {
      if (hash !== refreshTokenOf(deps, session.id, generation).hash) return null;
      await endSessions(deps, work, { tenantId: known.tenant_id, sessionId: session.id, reason: 'token-reused' });
      const actor = actorOf(known.tenant_id, user, context);
      deps.audit(work, { actor, action: 'session.ended', resource: sessionResource(session.id), after: { reason: 'token-reused' } });
      return null;
    }
    if (session.kind === 'screen' && session.last_seen_ms <= now - IDLE_MS) return 'idle';
    const expires_ms = session.by_pin === 1 ? session.expires_ms : now + REFRESH_TOKEN_MS;
    await work.update(SESSIONS, { id: session.id }, { refresh_hash: next.hash, expires_ms, last_seen_ms: now });
    return user && { user, session };
  });
  if (outcome === 'idle') throw invalidRefresh('This session was idle for 15 minutes. Enter the password again.');
  if (!outcome) throw invalidRefresh();
  // The refresh token is used up, so no other request asks the provider about this session at the same time.
  if (outcome.session.company_identity_id !== null && outcome.session.by_pin === 0) await recheck(deps, outcome.session, context);
  return answer(deps, outcome.user, known.id, next.secret);
}

/**
 * Replaces the running session of a screen by one of another person, or of the same, with that person's PIN. The new session has
 * `PIN_PERMISSIONS` only, keeps the merchant scope of the last sign-in with a password, and ends at the latest 12 hours after it.
 * @throws ServiceError VALIDATION_ERROR on `pin`; MERCHANT_NOT_AUTHORIZED for a person of another merchant; TOKEN_INVALID unless the
 * session is one of a screen and not idle.
 */
export async function switchPerson(
  deps: Dependencies,
  tenantId: string,
  sessionId: string,
  userId: string,
  pin: string,
  context: LoginContext,
): Promise<SignedIn> {
  const read = deps.database.read(tenantId);
  const session = await read.one(SESSIONS, { id: sessionId });
  const now = Date.now();
  if (session?.kind !== 'screen' || session.revoked_at !== null || session.last_seen_ms <= now - IDLE_MS) throw sessionEnded();
  if (session.expires_ms <= now) throw sessionEnded();
  const previous = await read.one(USERS, { id: session.user_id });
  const merchantId = session.by_pin === 1 ? session.merchant_id : (previous?.merchant_id ?? null);
  const next = await read.one(USERS, { id: userId });
  if (next && next.merchant_id !== null && merchantId !== null && next.merchant_id !== merchantId)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This person works for another merchant. Sign in with the password instead.');
  const user = await verifyPin(deps, tenantId, userId, pin, context);
  const expiresMs = session.by_pin === 1 ? session.expires_ms : now + PIN_SESSIONS_MS;
  return startSession(deps, user, { ...context, kind: 'screen' }, { sessionId, merchantId, expiresMs, userName: previous?.email ?? '' });
}

/** Ends the session of a refresh token. Returns its ID; null if the token is unknown or its session had ended. */
export async function logout(deps: Dependencies, refreshToken: string, context: LoginContext): Promise<string | null> {
  const session = await sessionOf(deps, refreshToken);
  return session?.refresh_hash === hashSecret(refreshToken) ? signOut(deps, session, context) : null;
}

/** Ends the session of an access token. @throws ServiceError TOKEN_INVALID, TOKEN_EXPIRED. */
export async function logoutByAccessToken(deps: Dependencies, token: string, context: LoginContext): Promise<string | null> {
  const { tenantId, sessionId } = await readAccessToken((id) => findSigningKey(deps, id), token);
  const session = await deps.database.read(tenantId).one(SESSIONS, { id: sessionId });
  return session && signOut(deps, session, context);
}
