import { createHmac } from 'node:crypto';
import type { Work } from '#core/database';
import { isoTime, newId, ServiceError } from '#core/kernel';
import { SIGN_IN_CODE } from '#core/notifications';
import type { Authenticators } from './authenticators.ts';
import { type CodeEmail, type CodeScope, type Codes, type SentCode, WrongCode } from './codes.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { verifyPassword } from './passwords.ts';
import { SESSIONS, type SessionRow, USERS, type UserRow } from './schema.ts';
import { endSessions } from './sessions.ts';
import type { SigningKeys } from './signing-keys.ts';
import { ACCESS_TOKEN_SECONDS, hashSecret, REFRESH_TOKEN_MS, signAccessToken } from './tokens.ts';

const FAILED_LOGINS_MAX = 10;
const LOCK_MS = 30 * 60_000;
/** A session of the screens that made no request for so long is not refreshed (decisions 3). */
const IDLE_MS = 15 * 60_000;
const USER_AGENT_MAX = 300;
/** Reasons for a sign-in that fails at the password; all others concern the second factor. */
const PASSWORD_REASONS: ReadonlySet<string> = new Set(['unknown', 'locked', 'password']);

/** Response of a sign-in (decisions 3). */
export interface SignedIn {
  readonly token: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds. */
  readonly expiresIn: number;
  readonly user: { readonly userId: string; readonly email: string; readonly role: string; readonly tenantId: string };
}

/** The password was right, and a code was sent (decisions 3). */
export interface OtpRequired extends SentCode {
  readonly otpRequired: true;
  /** `totp`: the code is in the user's authenticator app. */
  readonly channel: 'email' | 'sms' | 'totp';
  /** Masked address that the code was sent to; null for an authenticator app. */
  readonly destination: string | null;
}

/** Credentials with which a signed-in user confirms a sensitive operation. */
export interface Confirmation {
  readonly password: string;
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string | undefined;
  /** The field of the request that holds the password. */
  readonly field: string;
}

const wrong = () => new ServiceError('INVALID_CREDENTIALS', 'The email address or the password is wrong.');
const invalidRefresh = (words = 'The refresh token is not valid; sign in again.') => new ServiceError('TOKEN_INVALID', words);

/** Passwords, second factors and rotating refresh tokens (decisions 3). Real time throughout: a tenant's test clock ends no session. */
export function createSignIn(
  deps: Dependencies,
  keys: SigningKeys,
  codes: Codes,
  authenticators: Authenticators,
  roleName: (tenantId: string, role: string) => Promise<string>,
) {
  const { database, audit } = deps;

  /** Codes of sign-ins: of any tenant, since the code alone names it. A recovery code takes the place of each kind of code. */
  const signIns = (from: LoginContext): CodeScope => ({
    purpose: 'sign-in',
    tenantId: null,
    async accepts(work, row, code) {
      const used = await authenticators.use(work, row.tenant_id, row.subject, code);
      if (used === 'recovery-code') {
        const user = await work.one(USERS, { id: row.subject });
        audit(work, { actor: actorOf(row.tenant_id, user, from), action: 'user.recovery_code_used', resource: `users/${row.subject}` });
      }
      return used === 'recovery-code' || (used === 'app' && row.channel === 'totp');
    },
  });

  async function answer(user: UserRow, sessionId: string, refreshToken: string): Promise<SignedIn> {
    const { tenant_id: tenantId, id: userId, email } = user;
    const token = await signAccessToken(await keys.current(tenantId), { tenantId, userId, sessionId });
    const role = await roleName(tenantId, user.role);
    return { token, refreshToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS, user: { userId, email, role, tenantId } };
  }

  /** The session's id and the turn go before the secret, which is made from them: every token that was ever given out is known again. */
  function refreshTokenOf(sessionId: string, turn: number): { readonly secret: string; readonly hash: string } {
    const mac = createHmac('sha256', deps.codeKey).update(`refresh|${sessionId}|${turn}`).digest('base64url');
    const secret = `${sessionId}.${turn}.${mac}`;
    return { secret, hash: hashSecret(secret) };
  }

  const turnOf = (refreshToken: string) => Number(/^[^.]+\.(\d{1,9})\./.exec(refreshToken)?.[1] ?? 0);

  const actorOf = (tenantId: string, user: UserRow | null, from: LoginContext) => ({
    tenantId,
    credentialId: user?.id ?? 'nobody',
    name: user?.email ?? 'nobody',
    ip: from.ip,
    requestId: from.requestId,
    userAgent: from.userAgent,
  });

  const sessionResource = (id: string) => `user-sessions/${id}`;

  /** Writes a failed sign-in down; counts it where there is a user. Both cost the same. */
  async function fail(tenantId: string, user: UserRow | null, from: LoginContext, reason: string): Promise<never> {
    if (tenantId === '') throw wrong();
    const by = actorOf(tenantId, user, from);
    await database.unitOfWork.run(tenantId, async (work) => {
      const locked = user !== null && reason !== 'locked' && (await countFailure(work, user.id));
      const action = PASSWORD_REASONS.has(reason) ? 'session.refused' : 'session.code_refused';
      audit(work, { actor: by, action, resource: user ? `users/${user.id}` : 'users', after: { reason } });
      if (locked) audit(work, { actor: by, action: 'user.locked', resource: `users/${user.id}`, after: { minutes: LOCK_MS / 60_000 } });
    });
    throw wrong();
  }

  async function countFailure(work: Work, userId: string): Promise<boolean> {
    const row = await work.lockOne(USERS, { id: userId });
    if (!row) return false;
    const failed = row.failed_logins + 1;
    const locked = failed >= FAILED_LOGINS_MAX;
    const set = { failed_logins: locked ? 0 : failed, locked_until_ms: locked ? Date.now() + LOCK_MS : row.locked_until_ms };
    await work.update(USERS, { id: userId }, set);
    return locked;
  }

  async function begin(user: UserRow, from: LoginContext): Promise<SignedIn> {
    const now = Date.now();
    const sessionId = newId('ses', now);
    const { secret, hash } = refreshTokenOf(sessionId, 1);
    const userAgent = from.userAgent?.slice(0, USER_AGENT_MAX) ?? null;
    await database.unitOfWork.run(user.tenant_id, async (work) => {
      await work.update(USERS, { id: user.id }, { failed_logins: 0, last_seen_at: isoTime(now) });
      const isKnownDevice = await hasUsed(work, user.id, userAgent);
      work.insert(SESSIONS, {
        tenant_id: user.tenant_id,
        id: sessionId,
        user_id: user.id,
        refresh_hash: hash,
        expires_ms: now + REFRESH_TOKEN_MS,
        revoked_at: null,
        end_reason: null,
        kind: from.kind,
        ip: from.ip,
        user_agent: userAgent,
        last_seen_ms: now,
        created_at: isoTime(now),
      });
      const by = actorOf(user.tenant_id, user, from);
      if (!isKnownDevice)
        audit(work, { actor: by, action: 'session.new_device', resource: sessionResource(sessionId), after: { kind: from.kind } });
      audit(work, { actor: by, action: 'session.started', resource: sessionResource(sessionId), after: { kind: from.kind } });
    });
    return answer(user, sessionId, secret);
  }

  /** Returns true if one of the user's sessions that are still stored has the same user agent. */
  async function hasUsed(work: Work, userId: string, userAgent: string | null): Promise<boolean> {
    return (await work.find(SESSIONS, { user_id: userId, user_agent: userAgent }, { limit: 1 })).length > 0;
  }

  async function sessionOf(refreshToken: string): Promise<SessionRow | null> {
    const [sessionId = ''] = refreshToken.split('.');
    const [row] = await database.readAcrossTenants().find(SESSIONS, { id: sessionId }, { limit: 1 });
    return row ?? null;
  }

  return {
    /** Tokens, or the code that was sent where the user has a second factor. INVALID_CREDENTIALS says nothing of what was wrong. */
    async login(tenantId: string, email: string, password: string, from: LoginContext): Promise<SignedIn | OtpRequired> {
      const user = await database.read(tenantId).one(USERS, { email: email.trim().toLowerCase() });
      const right = await verifyPassword(user?.password_hash || null, password);
      if (!user || user.locked_until_ms > Date.now()) return fail(tenantId, user, from, user ? 'locked' : 'unknown');
      if (!right) return fail(tenantId, user, from, 'password');
      if (user.two_factor === 'off') return begin(user, from);
      const channel = user.two_factor;
      const codeAsked = (work: Work) =>
        audit(work, {
          actor: actorOf(tenantId, user, from),
          action: 'session.code_sent',
          resource: `users/${user.id}`,
          after: { channel },
        });
      if (channel === 'totp')
        return { otpRequired: true, ...(await codes.expect(tenantId, user.id, codeAsked)), channel, destination: null };
      const destination = channel === 'sms' ? (user.phone ?? '') : user.email;
      const sent = await codes.send(
        { tenantId, purpose: 'sign-in', subject: user.id, channel, destination, letter: SIGN_IN_LETTER },
        codeAsked,
      );
      return { otpRequired: true, ...sent, channel, destination: veiled(destination) };
    },
    /**
     * Checks the password of a signed-in user before a sensitive operation and, where the user has an authenticator app, a code of it or a
     * recovery code. A wrong password or code counts as a failed sign-in.
     * @throws VALIDATION_ERROR on the field of the password or on `currentCode`; REQUIRED_FIELD_MISSING on `currentCode`.
     */
    async confirm(tenantId: string, userId: string, given: Confirmation, from: LoginContext): Promise<void> {
      const user = await database.read(tenantId).one(USERS, { id: userId });
      const needsCode = user?.two_factor === 'totp';
      if (needsCode && !given.code)
        throw new ServiceError('REQUIRED_FIELD_MISSING', '`currentCode` is required: send a code of your authenticator app.', {
          field: 'currentCode',
        });
      const right = await verifyPassword(user?.password_hash || null, given.password);
      const isLocked = user !== null && user.locked_until_ms > Date.now();
      const refuse = (reason: string, field: string, words: string) =>
        fail(tenantId, user, from, reason).catch((cause: unknown) => {
          throw new ServiceError('VALIDATION_ERROR', words, { field, cause });
        });
      if (!user || !right || isLocked) return refuse(isLocked ? 'locked' : 'password', given.field, 'The password is wrong.');
      if (!needsCode) return;
      const used = await database.unitOfWork.run(tenantId, (work) => authenticators.use(work, tenantId, userId, given.code ?? ''));
      if (used === null) return refuse('code', 'currentCode', 'This code is wrong or was used already. Wait for the next one in your app.');
    },
    /** The second half of a sign-in: tokens for the code that was sent. */
    async verifyCode(otpId: string, code: string, from: LoginContext): Promise<SignedIn> {
      try {
        const { tenant_id: tenantId, subject } = await codes.verify(signIns(from), otpId, code);
        const user = await database.read(tenantId).one(USERS, { id: subject });
        if (!user || user.locked_until_ms > Date.now()) throw wrong();
        return await begin(user, from);
      } catch (refused) {
        // Wrong codes count as wrong passwords do: a new sign-in must not give new tries for ever.
        if (refused instanceof WrongCode) {
          const { tenant_id: tenantId, subject } = refused.row;
          await fail(tenantId, await database.read(tenantId).one(USERS, { id: subject }), from, 'code').catch(() => undefined);
        }
        throw refused;
      }
    },
    /** Sends a new code in the place of a sign-in's last; RATE_LIMIT_EXCEEDED too soon or too often. */
    resendCode: (otpId: string): Promise<SentCode> => codes.resend({ purpose: 'sign-in', tenantId: null }, otpId, () => SIGN_IN_LETTER),
    /** Exchanges a refresh token for new ones. One that was used before ends its session: one of its two holders is not the user. */
    async refresh(refreshToken: string, from: LoginContext): Promise<SignedIn> {
      const seen = await sessionOf(refreshToken);
      if (!seen) throw invalidRefresh();
      const hash = hashSecret(refreshToken);
      const turn = turnOf(refreshToken);
      const next = refreshTokenOf(seen.id, turn + 1);
      const outcome = await database.unitOfWork.run(seen.tenant_id, async (work) => {
        const now = Date.now();
        const session = await work.lockOne(SESSIONS, { id: seen.id });
        if (!session || session.revoked_at !== null || session.expires_ms <= now) return null;
        const user = await work.one(USERS, { id: session.user_id });
        if (session.refresh_hash !== hash) {
          if (hash !== refreshTokenOf(session.id, turn).hash) return null;
          await endSessions(deps, work, { tenantId: seen.tenant_id, sessionId: session.id, reason: 'token-reused' });
          const by = actorOf(seen.tenant_id, user, from);
          audit(work, { actor: by, action: 'session.ended', resource: sessionResource(session.id), after: { reason: 'token-reused' } });
          return null;
        }
        if (session.kind === 'screen' && session.last_seen_ms <= now - IDLE_MS) return 'idle';
        await work.update(SESSIONS, { id: session.id }, { refresh_hash: next.hash, expires_ms: now + REFRESH_TOKEN_MS, last_seen_ms: now });
        return user;
      });
      if (outcome === 'idle') throw invalidRefresh('This session was idle for 15 minutes. Enter the password again.');
      if (!outcome) throw invalidRefresh();
      return answer(outcome, seen.id, next.secret);
    },
    /** Ends the session of a refresh token; an unknown one is no error. */
    async logout(refreshToken: string, from: LoginContext): Promise<void> {
      const seen = await sessionOf(refreshToken);
      if (!seen || seen.refresh_hash !== hashSecret(refreshToken) || seen.revoked_at !== null) return;
      await database.unitOfWork.run(seen.tenant_id, async (work) => {
        await endSessions(deps, work, { tenantId: seen.tenant_id, sessionId: seen.id, reason: 'signed-out' });
        const by = actorOf(seen.tenant_id, await work.one(USERS, { id: seen.user_id }), from);
        audit(work, { actor: by, action: 'session.ended', resource: sessionResource(seen.id), after: { reason: 'signed-out' } });
      });
    },
  };
}

const SIGN_IN_LETTER: CodeEmail = { merchantId: null, words: SIGN_IN_CODE };

/** Enough of an address to know it by: `j•••@shop.example`, `•••••0142`. */
function veiled(destination: string): string {
  const at = destination.indexOf('@');
  return at > 0 ? `${destination.slice(0, 1)}•••${destination.slice(at)}` : `•••••${destination.slice(-4)}`;
}
