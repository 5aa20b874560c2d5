import { queriesOn, TENANT, type Work } from '#core/database';
import { isoTime, later, ServiceError } from '#core/kernel';
import { PASSWORD_TEXTS, SEALED_MESSAGE } from '#core/records/notifications';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { storedEmail } from './email-addresses.ts';
import { endSessions } from './end-sessions.ts';
import { hashPassword } from './passwords.ts';
import { PASSWORD_TOKENS, type PasswordTokenRow, USER_PINS, USERS, type UserRow } from './schema.ts';
import { hashSecret, newSecret } from './tokens.ts';
import { actorOf, NO_PASSWORD } from './user-row.ts';

const LIFETIME_MS = { reset: 3_600_000, invite: 7 * 86_400_000 } as const;
/** Codes of a message that is refused because too many were sent. */
const LIMITS: ReadonlySet<string> = new Set(['RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED']);

/** A password link that is not written yet. */
export interface PasswordLink {
  readonly url: string;
  write(work: Work): Promise<void>;
}

/** Prepares a link for a user and its message, to be written in the caller's unit of work. */
export async function preparePasswordLink(
  deps: Dependencies,
  user: Pick<UserRow, 'tenant_id' | 'id' | 'email'>,
  purpose: 'invite' | 'reset',
): Promise<PasswordLink> {
  const { secret, hash } = newSecret('prt_');
  const url = deps.pageUrl(`/#/set-password?token=${secret}`);
  const text = PASSWORD_TEXTS[purpose](url);
  const sealed = await deps.secrets.seal(user.tenant_id, SEALED_MESSAGE, text.body);
  const now = Date.now();
  return {
    url,
    async write(work) {
      const atMs = deps.tenants.clockOf(user.tenant_id).now();
      await deps.notify(work, {
        tenantId: user.tenant_id,
        merchantId: null,
        channel: 'email',
        kind: 'password',
        resourceId: user.id,
        to: user.email,
        subject: text.subject,
        body: { sealed },
        expiresMs: later(atMs, LIFETIME_MS[purpose]),
        atMs,
        cause: 'request',
      });
      work.insert(PASSWORD_TOKENS, {
        tenant_id: user.tenant_id,
        id: hash,
        user_id: user.id,
        purpose,
        expires_ms: now + LIFETIME_MS[purpose],
        used_at: null,
        created_at: isoTime(now),
      });
    },
  };
}

async function sendReset(deps: Dependencies, tenantId: string, email: string, context: LoginContext): Promise<void> {
  const found = await deps.database.read(tenantId).one(USERS, { email: storedEmail(email) });
  // The provider of the company decides who may sign in, so a password of its own would outlive the account there.
  const user = found?.password_hash === NO_PASSWORD ? null : found;
  const link = await preparePasswordLink(deps, user ?? { tenant_id: tenantId, id: 'nobody', email: '' }, 'reset');
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    // The response is the same for every address, so a message above the limits is omitted.
    if (user !== null)
      await link.write(work).catch((error: unknown) => {
        if (!(error instanceof ServiceError && LIMITS.has(error.code))) throw error;
      });
    deps.audit(work, {
      actor: actorOf(tenantId, user, context),
      action: 'password.link_requested',
      resource: user ? `users/${user.id}` : 'users',
    });
  });
}

/**
 * Sends a link to the user of an email address, in the named tenant or in each tenant with such a user. Without such a user, response
 * and timing are the same.
 */
export async function requestPasswordLink(
  deps: Dependencies,
  tenantId: string | null,
  email: string,
  context: LoginContext,
): Promise<void> {
  const found = tenantId === null ? await deps.tenants.ofEmail(email) : [tenantId];
  // If the address is unknown, the same work is done in an existing tenant, so that timing reveals nothing.
  const targets = found.length > 0 ? found : [(await deps.tenants.first())?.tenantId ?? ''];
  for (const tenantId of targets.filter((id) => id !== '')) await sendReset(deps, tenantId, email, context);
}

/**
 * Sets the password of the link's user, ends every session and unlocks the account. @throws ServiceError TOKEN_INVALID, TOKEN_EXPIRED.
 */
export async function resetPassword(deps: Dependencies, token: string, password: string, context: LoginContext): Promise<void> {
  const [tokenRow] = await deps.database.readAcrossTenants().find(PASSWORD_TOKENS, { id: hashSecret(token) }, { limit: 1 });
  if (!tokenRow || tokenRow.used_at !== null) throw invalidLink();
  const password_hash = await hashPassword(password);
  await deps.database.unitOfWork.transaction(tokenRow.tenant_id, async (work) => {
    const row = await work.lockOne<PasswordTokenRow>(PASSWORD_TOKENS, { id: tokenRow.id });
    if (!row || row.used_at !== null) throw invalidLink();
    if (row.expires_ms <= Date.now())
      throw new ServiceError('TOKEN_EXPIRED', 'This link has expired. Request a new one.', { field: 'token' });
    const user = await work.lockOne(USERS, { id: row.user_id });
    if (!user) throw invalidLink();
    await work.update(
      USERS,
      { id: user.id },
      { password_hash, failed_logins: 0, locked_until_ms: 0, failed_confirmations: 0, confirmations_locked_until_ms: 0 },
    );
    // The person who knew the old password may have set the PIN.
    await work.delete(USER_PINS, { user_id: user.id });
    // Links that were sent before become invalid as well.
    await work.update(PASSWORD_TOKENS, { user_id: user.id, used_at: null }, { used_at: isoTime(Date.now()) });
    await endSessions(deps, work, { tenantId: user.tenant_id, userId: user.id, reason: 'password-changed' });
    deps.audit(work, {
      actor: actorOf(user.tenant_id, user, context),
      action: 'password.changed',
      resource: `users/${user.id}`,
      after: { by: row.purpose === 'invite' ? 'invitation' : 'link' },
    });
  });
}

export async function deleteOldPasswordLinks(deps: Dependencies, tenantId: string): Promise<void> {
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(
      queriesOn(PASSWORD_TOKENS)
        .deleteFrom('password_tokens')
        .where('tenant_id', '=', TENANT)
        .where('expires_ms', '<=', Date.now() - 86_400_000),
    ),
  );
}

function invalidLink(): ServiceError {
  return new ServiceError('TOKEN_INVALID', 'This link is invalid or was already used. Request a new one.', { field: 'token' });
}
