import type { KeyObject } from 'node:crypto';
import type { Database } from '#core/database';
import { isoTime, newId, ServiceError } from '#core/kernel';
import { verifyPassword } from './passwords.ts';
import { SESSIONS, type SessionRow, USERS, type UserRow } from './schema.ts';
import { ACCESS_TOKEN_SECONDS, hashSecret, newSecret, REFRESH_TOKEN_MS, signAccessToken } from './tokens.ts';

const FAILED_LOGINS_MAX = 10;
const LOCK_MS = 30 * 60_000;
/** An ended session is remembered this long, so that its token is still told from one that never was. */
const ENDED_KEPT_MS = 7 * 86_400_000;

/** Answer of a sign-in (decisions 3). */
export interface SignedIn {
  readonly token: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds. */
  readonly expiresIn: number;
  readonly user: { readonly userId: string; readonly email: string; readonly role: string; readonly tenantId: string };
}

export interface SignIn {
  login(tenantId: string, email: string, password: string): Promise<SignedIn>;
  refresh(refreshToken: string): Promise<SignedIn>;
  /** Ends the session of a refresh token; an unknown one is no error. */
  logout(refreshToken: string): Promise<void>;
  /** Removes the sessions of a tenant that ended some time ago. */
  sweepSessions(tenantId: string): Promise<void>;
}

const wrong = () => new ServiceError('INVALID_CREDENTIALS', 'The e-mail address or the password is not right.');
const invalidRefresh = () => new ServiceError('TOKEN_INVALID', 'The refresh token is not valid; sign in again.');

/** Passwords, sessions and rotating refresh tokens (decisions 3). Real time throughout: a tenant's test clock ends no session. */
export function createSignIn(database: Database, signingKey: KeyObject): SignIn {
  async function answer(user: UserRow, sessionId: string, refreshToken: string): Promise<SignedIn> {
    const token = await signAccessToken(signingKey, { tenantId: user.tenant_id, userId: user.id, sessionId });
    return {
      token,
      refreshToken,
      tokenType: 'Bearer',
      expiresIn: ACCESS_TOKEN_SECONDS,
      user: { userId: user.id, email: user.email, role: user.role, tenantId: user.tenant_id },
    };
  }

  /** The session's id goes before its secret, so that a replayed token is known for what it is. */
  function refreshTokenOf(sessionId: string) {
    return newSecret(`${sessionId}.`);
  }

  async function countFailure(user: UserRow): Promise<void> {
    await database.unitOfWork.run(user.tenant_id, async (work) => {
      const row = await work.lockOne(USERS, { id: user.id });
      if (!row) return;
      const failed = row.failed_logins + 1;
      const locked = failed >= FAILED_LOGINS_MAX;
      await work.update(
        USERS,
        { id: user.id },
        { failed_logins: locked ? 0 : failed, locked_until_ms: locked ? Date.now() + LOCK_MS : row.locked_until_ms },
      );
    });
  }

  function split(refreshToken: string): { tenantless: string; hash: string } {
    const [sessionId = ''] = refreshToken.split('.');
    return { tenantless: sessionId, hash: hashSecret(refreshToken) };
  }

  async function sessionOf(refreshToken: string): Promise<SessionRow | null> {
    const { tenantless } = split(refreshToken);
    const [row] = await database.readAcrossTenants().find(SESSIONS, { id: tenantless }, { limit: 1 });
    return row ?? null;
  }

  return {
    async login(tenantId, email, password) {
      const user = await database.read(tenantId).one(USERS, { email: email.trim().toLowerCase() });
      const right = await verifyPassword(user?.password_hash ?? null, password);
      if (!user) throw wrong();
      if (user.locked_until_ms > Date.now()) throw wrong();
      if (!right) {
        await countFailure(user);
        throw wrong();
      }
      const sessionId = newId('ses', Date.now());
      const { secret, hash } = refreshTokenOf(sessionId);
      await database.unitOfWork.run(tenantId, async (work) => {
        await work.update(USERS, { id: user.id }, { failed_logins: 0 });
        await work.insert(SESSIONS, {
          tenant_id: tenantId,
          id: sessionId,
          user_id: user.id,
          refresh_hash: hash,
          used_hash: null,
          expires_ms: Date.now() + REFRESH_TOKEN_MS,
          revoked_at: null,
          created_at: isoTime(Date.now()),
        });
      });
      return answer(user, sessionId, secret);
    },
    async refresh(refreshToken) {
      const seen = await sessionOf(refreshToken);
      if (!seen) throw invalidRefresh();
      const { hash } = split(refreshToken);
      const next = refreshTokenOf(seen.id);
      const user = await database.unitOfWork.run(seen.tenant_id, async (work) => {
        const session = await work.lockOne(SESSIONS, { id: seen.id });
        if (!session || session.revoked_at !== null || session.expires_ms <= Date.now()) return null;
        if (session.refresh_hash !== hash) {
          // A token that was used up comes back: one of its two holders is not the user.
          await work.update(SESSIONS, { id: session.id }, { revoked_at: isoTime(Date.now()) });
          return null;
        }
        await work.update(
          SESSIONS,
          { id: session.id },
          { refresh_hash: next.hash, used_hash: hash, expires_ms: Date.now() + REFRESH_TOKEN_MS },
        );
        return work.one(USERS, { id: session.user_id });
      });
      if (!user) throw invalidRefresh();
      return answer(user, seen.id, next.secret);
    },
    async logout(refreshToken) {
      const seen = await sessionOf(refreshToken);
      const { hash } = split(refreshToken);
      if (!seen || seen.refresh_hash !== hash) return;
      await database.unitOfWork.run(seen.tenant_id, (work) => work.update(SESSIONS, { id: seen.id }, { revoked_at: isoTime(Date.now()) }));
    },
    async sweepSessions(tenantId) {
      const before = Date.now() - ENDED_KEPT_MS;
      await database.unitOfWork.run(tenantId, (work) =>
        work.run('DELETE FROM sessions WHERE tenant_id = :tenantId AND (expires_ms <= :before OR revoked_at <= :beforeAt)', {
          before,
          beforeAt: isoTime(before),
        }),
      );
    },
  };
}
