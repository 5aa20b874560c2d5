import { queriesOn, TENANT, type Work } from '#core/database';
import { isoTime, later, ServiceError } from '#core/kernel';
import { PASSWORD_TEXTS, SEALED_MESSAGE } from '#core/notifications';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { hashPassword } from './passwords.ts';
import { PASSWORD_TOKENS, type PasswordTokenRow, USERS, type UserRow } from './schema.ts';
import { endSessions } from './sessions.ts';
import { hashSecret, newSecret } from './tokens.ts';

const LIFETIME_MS = { reset: 3_600_000, invite: 7 * 86_400_000 } as const;
/** Shortest time between two messages for the same user. */
const RESET_EVERY_MS = 60_000;

/** A link ready to be written with what it is for. */
export interface PasswordLink {
  readonly url: string;
  write(work: Work): Promise<void>;
}

export type PasswordLinks = ReturnType<typeof createPasswordLinks>;

/** Links with which a user sets a password. Responses never reveal whether a user exists. Real time throughout (decisions 3, 11). */
export function createPasswordLinks(deps: Dependencies) {
  const { database, audit } = deps;

  /** A link for a user, with its message, to be written in the caller's work. */
  async function prepare(user: Pick<UserRow, 'tenant_id' | 'id' | 'email'>, purpose: 'invite' | 'reset'): Promise<PasswordLink> {
    const { secret, hash } = newSecret('prt_');
    const url = deps.pageUrl(`/#/set-password?token=${secret}`);
    const letter = PASSWORD_TEXTS[purpose](url);
    const sealed = await deps.secrets.seal(user.tenant_id, SEALED_MESSAGE, letter.body);
    const now = Date.now();
    return {
      url,
      async write(work) {
        const atMs = deps.tenants.clockOf(user.tenant_id).now();
        work.insert(PASSWORD_TOKENS, {
          tenant_id: user.tenant_id,
          id: hash,
          user_id: user.id,
          purpose,
          expires_ms: now + LIFETIME_MS[purpose],
          used_at: null,
          created_at: isoTime(now),
        });
        await deps.notify(work, {
          tenantId: user.tenant_id,
          merchantId: null,
          channel: 'email',
          kind: 'password',
          resourceId: user.id,
          to: user.email,
          subject: letter.subject,
          body: { sealed },
          expiresMs: later(atMs, LIFETIME_MS[purpose]),
          atMs,
        });
      },
    };
  }

  async function askedLately(tenantId: string, userId: string): Promise<boolean> {
    const asked = { user_id: userId, purpose: 'reset' } as const;
    const [last] = await database.read(tenantId).find(PASSWORD_TOKENS, asked, { orderBy: [['created_at', 'desc']], limit: 1 });
    return last !== undefined && Date.parse(last.created_at) > Date.now() - RESET_EVERY_MS;
  }

  async function ask(tenantId: string, email: string, from: LoginContext): Promise<void> {
    const user = await database.read(tenantId).one(USERS, { email: email.trim().toLowerCase() });
    const link = await prepare(user ?? { tenant_id: tenantId, id: 'nobody', email: '' }, 'reset');
    const sends = user !== null && !(await askedLately(tenantId, user.id));
    await database.unitOfWork.run(tenantId, async (work) => {
      if (sends) await link.write(work);
      audit(work, {
        actor: {
          tenantId,
          credentialId: user?.id ?? 'nobody',
          name: user?.email ?? 'nobody',
          ip: from.ip,
          requestId: from.requestId,
          userAgent: from.userAgent,
        },
        action: 'password.link_requested',
        resource: user ? `users/${user.id}` : 'users',
      });
    });
  }

  return {
    prepare,
    /** Sends the user of an address a link, in the named tenant or in each that has one; says and does the same, as far as can be seen, where there is none. */
    async forgot(named: string | null, email: string, from: LoginContext): Promise<void> {
      const found = named === null ? await deps.tenants.ofEmail(email) : [named];
      // If the address is unknown, the same work is done in an existing tenant, so that timing reveals nothing.
      const asked = found.length > 0 ? found : [(await deps.tenants.first())?.tenantId ?? ''];
      for (const tenantId of asked.filter((id) => id !== '')) await ask(tenantId, email, from);
    },
    /**
     * Sets the password of the link's user, ends every session and unlocks the account. @throws ServiceError TOKEN_INVALID, TOKEN_EXPIRED.
     */
    async reset(token: string, password: string, from: LoginContext): Promise<void> {
      const [seen] = await database.readAcrossTenants().find(PASSWORD_TOKENS, { id: hashSecret(token) }, { limit: 1 });
      if (!seen || seen.used_at !== null) throw spent();
      const password_hash = await hashPassword(password);
      await database.unitOfWork.run(seen.tenant_id, async (work) => {
        const row = await work.lockOne<PasswordTokenRow>(PASSWORD_TOKENS, { id: seen.id });
        if (!row || row.used_at !== null) throw spent();
        if (row.expires_ms <= Date.now())
          throw new ServiceError('TOKEN_EXPIRED', 'This link has expired. Request a new one.', { field: 'token' });
        const user = await work.lockOne(USERS, { id: row.user_id });
        if (!user) throw spent();
        await work.update(USERS, { id: user.id }, { password_hash, failed_logins: 0, locked_until_ms: 0 });
        // What was sent before is spent with it.
        await work.update(PASSWORD_TOKENS, { user_id: user.id, used_at: null }, { used_at: isoTime(Date.now()) });
        await endSessions(deps, work, { tenantId: user.tenant_id, userId: user.id, reason: 'password-changed' });
        audit(work, {
          actor: {
            tenantId: user.tenant_id,
            credentialId: user.id,
            name: user.email,
            ip: from.ip,
            requestId: from.requestId,
            userAgent: from.userAgent,
          },
          action: 'password.changed',
          resource: `users/${user.id}`,
          after: { by: row.purpose === 'invite' ? 'invitation' : 'link' },
        });
      });
    },
    async sweep(tenantId: string): Promise<void> {
      await database.unitOfWork.run(tenantId, (work) =>
        work.change(
          queriesOn(PASSWORD_TOKENS)
            .deleteFrom('password_tokens')
            .where('tenant_id', '=', TENANT)
            .where('expires_ms', '<=', Date.now() - 86_400_000),
        ),
      );
    },
  };
}

function spent(): ServiceError {
  return new ServiceError('TOKEN_INVALID', 'This link is invalid or was used already. Request a new one.', { field: 'token' });
}
