import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { queriesOn, TENANT, UniqueViolation, type Work } from '#core/database';
import { isoTime, ServiceError } from '#core/kernel';
import { permissionsIn } from '../custom-roles.ts';
import type { Dependencies, LoginContext } from '../dependencies.ts';
import { nameOf, newUserEmail, storedEmail } from '../email-addresses.ts';
import type { SignedIn } from '../records.ts';
import { SESSIONS, type SessionRow, USER_PINS, USERS, type UserRow } from '../schema.ts';
import { endSessions } from '../sessions.ts';
import { NO_PASSWORD, newUserRow } from '../user-row.ts';
import { type CompanyAccount, createProvider, type ProviderSettings, refusalOf, refused, type SignInSecrets } from './provider.ts';
import type { BegunSignIn, GroupRule } from './records.ts';
import { COMPANY_ATTEMPTS, COMPANY_IDENTITIES, type CompanyAttemptRow, type CompanySettingsRow } from './schema.ts';
import type { CompanySession } from './session.ts';
import type { CompanySettingsStore } from './settings.ts';

/** Time within which a sign-in must end. */
const ATTEMPT_MS = 5 * 60_000;
/** Time after the last answer of the provider for which its session is extended without another one. */
const UNCHECKED_MS = 3_600_000;
const ATTEMPT_PURPOSE = 'company-sign-in-attempt';
const TOKEN_PURPOSE = 'company-refresh-token';
/** Identifies this process: a sign-in of the desktop application ends in the process in which it began. */
const PROCESS_ID = randomUUID();

const queries = queriesOn(COMPANY_ATTEMPTS);

/** Answer of the provider, as it arrives at the redirect address. */
export interface ProviderAnswer {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

type StartSession = (user: UserRow, context: LoginContext, company: CompanySession) => Promise<SignedIn>;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const identityIdOf = (issuer: string, subject: string) => hashOf(`${issuer}\n${subject}`);

/**
 * Sign-in at the provider of a company by OpenID Connect: authorization code with PKCE, bound to the browser that began it. Groups of the provider decide
 * about the role at each sign-in and at each refresh of the session; rights of owners never come from a group.
 */
export function createCompanySignIn(deps: Dependencies, settings: CompanySettingsStore, startSession: StartSession) {
  const { database, audit } = deps;
  const provider = createProvider(deps.fetchFor);

  const actorOf = (tenantId: string, user: Pick<UserRow, 'id' | 'email'> | null, context: Omit<LoginContext, 'kind'>) => ({
    tenantId,
    credentialId: user?.id ?? 'nobody',
    name: user?.email ?? 'nobody',
    ip: context.ip,
    requestId: context.requestId,
    userAgent: context.userAgent,
  });

  /** Records a refused sign-in as a security event, and returns its error. */
  async function recordRefusal(tenantId: string, error: unknown, context: LoginContext, email: string | null = null): Promise<unknown> {
    const reason = refusalOf(error);
    if (reason === null) return error;
    await database.unitOfWork.transaction(tenantId, async (work) =>
      audit(work, {
        actor: actorOf(tenantId, null, context),
        action: 'company_sign_in.refused',
        resource: 'company-sign-in',
        after: { reason, ...(email !== null && { email }) },
      }),
    );
    return error;
  }

  async function activeSettings(tenantId: string): Promise<ProviderSettings & CompanySettingsRow> {
    const active = await settings.active(tenantId);
    if (active === null) throw refused('not_set_up');
    return active;
  }

  async function attemptOf(state: string): Promise<CompanyAttemptRow> {
    const [row] = await database.readAcrossTenants().find(COMPANY_ATTEMPTS, { id: hashOf(state) }, { limit: 1 });
    if (!row || row.expires_ms <= Date.now()) throw refused('expired');
    return row;
  }

  /** Returns the rule of the first group that grants a role. */
  const grantOf = (row: Pick<CompanySettingsRow, 'groups'>, groups: readonly string[]): GroupRule | null =>
    (JSON.parse(row.groups) as GroupRule[]).find(({ group }) => groups.includes(group)) ?? null;

  /** Gives a user the role of a rule, or no permission without one, in the unit of work of the sign-in. Owners keep their role. */
  async function applyRule(
    work: Work,
    user: UserRow,
    rule: GroupRule | null,
    context: Omit<LoginContext, 'kind'>,
    groups: readonly string[],
  ): Promise<UserRow> {
    if (user.role === 'owner') return user;
    const set =
      rule === null
        ? { role: user.role, permissions: '[]', merchant_id: user.merchant_id }
        : { role: rule.role, permissions: null, merchant_id: rule.merchantId };
    const after = { ...user, ...set };
    if (after.role === user.role && after.permissions === user.permissions && after.merchant_id === user.merchant_id) return user;
    await work.update(USERS, { id: user.id }, set);
    const actor = { ...actorOf(user.tenant_id, user, context), merchantId: null, permissions: new Set<never>() };
    const rights = { permissions: await permissionsIn(work, after), merchantId: after.merchant_id };
    await deps.revokeKeysBeyond(work, actor as never, [{ userId: user.id, rights }], []);
    // A PIN gives rights of its own accord only as long as the role does; without a role it is removed.
    if (rule === null) await work.delete(USER_PINS, { user_id: user.id });
    const fields = ({ role, merchant_id, permissions }: UserRow) => ({
      role: permissions === '[]' ? null : role,
      merchantId: merchant_id,
    });
    audit(work, {
      actor,
      action: 'user.role_synchronized',
      resource: `users/${user.id}`,
      merchantId: after.merchant_id,
      before: fields(user),
      after: { ...fields(after), groups: groups.slice(0, 20) },
    });
    work.afterCommit(() => deps.accessChanged(user.tenant_id));
    return after;
  }

  /** Returns the user of an account: the one of its identity, one who may connect it, or a new one if a group grants a role. */
  async function userOf(work: Work, active: CompanySettingsRow, account: CompanyAccount, context: LoginContext): Promise<UserRow> {
    const { tenant_id: tenantId, issuer } = active;
    const rule = grantOf(active, account.groups);
    const identity = await work.lockOne(COMPANY_IDENTITIES, { id: identityIdOf(issuer, account.subject) });
    const known = identity && (await work.lockOne(USERS, { id: identity.user_id }));
    if (known) return applyRule(work, known, rule, context, account.groups);
    if (account.email === null) throw refused('no_email');
    if (account.isEmailVerified === false) throw refused('email_not_verified');
    const email = newUserEmail(account.email);
    const connect = (user: UserRow) => {
      // The user of an earlier identity was removed.
      const row = {
        tenant_id: tenantId,
        id: identityIdOf(issuer, account.subject),
        user_id: user.id,
        issuer,
        subject: account.subject,
        created_at: isoTime(Date.now()),
      };
      return identity
        ? work.update(COMPANY_IDENTITIES, { id: row.id }, { user_id: user.id })
        : Promise.resolve(work.insert(COMPANY_IDENTITIES, row));
    };
    const existing = await work.one(USERS, { email: storedEmail(email) });
    if (existing) {
      const user = await work.lockOne(USERS, { id: existing.id });
      const mayConnect = (user?.company_link_until_ms ?? 0) > Date.now() && account.isEmailVerified === true;
      if (!user || !mayConnect) throw refused('email_in_use');
      await work.update(USERS, { id: user.id }, { company_link_until_ms: null });
      await connect(user);
      audit(work, {
        actor: actorOf(tenantId, user, context),
        action: 'user.company_connected',
        resource: `users/${user.id}`,
        after: { issuer },
      });
      return applyRule(work, { ...user, company_link_until_ms: null }, rule, context, account.groups);
    }
    if (rule === null) throw refused('no_role');
    const user = newUserRow(tenantId, { email, name: nameOf(account.name), role: rule.role, merchant_id: rule.merchantId }, NO_PASSWORD);
    work.insert(USERS, user);
    await connect(user);
    audit(work, {
      actor: actorOf(tenantId, user, context),
      action: 'user.created',
      resource: `users/${user.id}`,
      merchantId: user.merchant_id,
      after: { email, role: user.role, merchantId: user.merchant_id, by: 'company sign-in', groups: account.groups.slice(0, 20) },
    });
    return user;
  }

  const hasRole = (user: UserRow) => user.role === 'owner' || user.permissions !== '[]';

  async function signInAs(active: CompanySettingsRow, account: CompanyAccount, context: LoginContext): Promise<SignedIn> {
    const { tenant_id: tenantId } = active;
    await settings.noteGroups(tenantId, account.groups);
    const user = await database.unitOfWork
      .transaction(tenantId, async (work) => {
        const found = await userOf(work, active, account, context);
        if (!hasRole(found)) await endSessions(deps, work, { tenantId, userId: found.id, reason: 'revoked' });
        return found;
      })
      .catch((error: unknown) => {
        // Two first sign-ins of one account at the same time: the other one has created the user.
        throw error instanceof UniqueViolation ? refused('expired', error) : error;
      });
    if (!hasRole(user)) throw refused('no_role');
    return startSession(user, context, {
      company_identity_id: identityIdOf(active.issuer, account.subject),
      company_sid: account.sid,
      company_token: account.refreshToken === null ? null : await deps.secrets.seal(tenantId, TOKEN_PURPOSE, account.refreshToken),
      company_checked_ms: Date.now(),
      company_auth_ms: account.authMs,
    });
  }

  return {
    /**
     * Begins a sign-in. With `isDesktop`, the browser of the system opens the provider, and its answer is accepted by this process only.
     * @throws ServiceError INVALID_CREDENTIALS if it is not set up, SERVICE_UNAVAILABLE if the provider does not respond.
     */
    async begin(tenantId: string, { isDesktop = false }: { readonly isDesktop?: boolean } = {}): Promise<BegunSignIn> {
      const active = await activeSettings(tenantId);
      const redirectUri = settings.addressOf(isDesktop ? null : active, '/company-sign-in');
      const { url, secrets } = await provider.begin(active, redirectUri);
      const browserKey = randomBytes(32).toString('base64url');
      const expiresMs = Date.now() + ATTEMPT_MS;
      const row: CompanyAttemptRow = {
        tenant_id: tenantId,
        id: hashOf(secrets.state),
        browser_hash: hashOf(browserKey),
        secrets: await deps.secrets.seal(tenantId, ATTEMPT_PURPOSE, JSON.stringify(secrets)),
        redirect_uri: redirectUri,
        process_id: isDesktop ? PROCESS_ID : null,
        answer: null,
        expires_ms: expiresMs,
        created_at: isoTime(Date.now()),
      };
      await database.unitOfWork.transaction(tenantId, async (work) => work.insert(COMPANY_ATTEMPTS, row));
      return { url, state: secrets.state, browserKey, expiresAt: isoTime(expiresMs) };
    },
    /** Keeps the answer that arrived in the browser of the system for the desktop application. @throws ServiceError INVALID_CREDENTIALS. */
    async deliver(answer: ProviderAnswer): Promise<void> {
      const row = await attemptOf(answer.state);
      if (row.process_id !== PROCESS_ID) throw refused('other_browser');
      const sealed = await deps.secrets.seal(row.tenant_id, ATTEMPT_PURPOSE, JSON.stringify(answer));
      await database.unitOfWork.transaction(row.tenant_id, (work) =>
        work.update(COMPANY_ATTEMPTS, { id: row.id, answer: null }, { answer: sealed }),
      );
    },
    /**
     * Ends a sign-in with the answer of the provider. Returns null while the answer of a sign-in of the desktop application has not arrived.
     * @throws ServiceError INVALID_CREDENTIALS with the reason, SERVICE_UNAVAILABLE if the provider does not respond.
     */
    async finish(sent: ProviderAnswer, browserKey: string, context: LoginContext): Promise<SignedIn | null> {
      const row = await attemptOf(sent.state);
      const { tenant_id: tenantId } = row;
      let email: string | null = null;
      try {
        if (row.browser_hash !== hashOf(browserKey)) throw refused('other_browser');
        const open = (sealed: string) => deps.secrets.open(tenantId, ATTEMPT_PURPOSE, sealed);
        if (row.process_id !== null && row.answer === null) return null;
        const answer = row.answer === null ? sent : (JSON.parse(await open(row.answer)) as ProviderAnswer);
        const secrets = JSON.parse(await open(row.secrets)) as SignInSecrets;
        const isFirst = await database.unitOfWork.transaction(tenantId, (work) => work.delete(COMPANY_ATTEMPTS, { id: row.id }));
        if (isFirst !== 1) throw refused('expired');
        const url = new URL(row.redirect_uri);
        for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, String(value));
        const active = await activeSettings(tenantId);
        const account = await provider.finish(active, url, secrets);
        email = account.email;
        return await signInAs(active, account, context);
      } catch (error) {
        throw await recordRefusal(tenantId, error, context, email);
      }
    },
    /**
     * Asks the provider about the account of a session that is being refreshed. @throws ServiceError TOKEN_INVALID after ending the session: the provider
     * refused the account, no group grants a role any more, or the provider has not answered for an hour.
     */
    async recheck(session: SessionRow, context: Omit<LoginContext, 'kind'>): Promise<void> {
      const { tenant_id: tenantId, company_identity_id: identityId } = session;
      const active = await settings.active(tenantId);
      const identity = identityId === null ? null : await database.read(tenantId).one(COMPANY_IDENTITIES, { id: identityId });
      const isRecent = Date.now() - (session.company_checked_ms ?? 0) < UNCHECKED_MS;
      const end = async (reason: string): Promise<never> => {
        await database.unitOfWork.transaction(tenantId, async (work) => {
          await endSessions(deps, work, { tenantId, sessionId: session.id, reason: 'revoked' });
          const user = await work.one(USERS, { id: session.user_id });
          audit(work, {
            actor: actorOf(tenantId, user, context),
            action: 'session.ended',
            resource: `user-sessions/${session.id}`,
            after: { reason },
          });
        });
        throw new ServiceError('TOKEN_INVALID', 'The company account no longer allows this session. Sign in again.', {
          details: { reason },
        });
      };
      if (active === null || identity === null || identity.issuer !== active.issuer) return end('not_set_up');
      if (session.company_token === null) return isRecent ? undefined : end('not_checked');
      const token = await deps.secrets.open(tenantId, TOKEN_PURPOSE, session.company_token);
      let account: CompanyAccount;
      try {
        account = await provider.refresh(active, token, identity.subject);
      } catch (error) {
        const reason = refusalOf(error);
        if (reason === null) throw error;
        return reason === 'provider_down' && isRecent ? undefined : end(reason);
      }
      const company_token = await deps.secrets.seal(tenantId, TOKEN_PURPOSE, account.refreshToken ?? token);
      const isAllowed = await database.unitOfWork.transaction(tenantId, async (work) => {
        await work.update(SESSIONS, { id: session.id }, { company_token, company_checked_ms: Date.now() });
        const user = await work.lockOne(USERS, { id: session.user_id });
        if (!user) return false;
        const after = await applyRule(work, user, grantOf(active, account.groups), context, account.groups);
        if (!hasRole(after)) await endSessions(deps, work, { tenantId, userId: user.id, reason: 'revoked' });
        return hasRole(after);
      });
      if (!isAllowed) await end('no_role');
    },
    /** Returns the address at which the session at the provider ends; null if there is none. */
    async logoutUrl(tenantId: string, sessionId: string): Promise<string | null> {
      const session = await database.read(tenantId).one(SESSIONS, { id: sessionId });
      const active = await settings.active(tenantId);
      if (active === null || (session?.company_identity_id ?? null) === null) return null;
      return provider.logoutUrl(active, settings.addressOf(active, '/company-sign-in')).catch(() => null);
    },
    /**
     * Ends the sessions that a logout token of the provider names. Sessions that began after the token was issued continue, so that a token
     * that is sent again ends nothing. @throws ServiceError INVALID_CREDENTIALS.
     */
    async backChannelLogout(tenantId: string, token: string, context: LoginContext): Promise<void> {
      const active = await activeSettings(tenantId);
      const { subject, sid, issuedMs } = await provider.logoutOf(active, token).catch(async (error: unknown) => {
        throw await recordRefusal(tenantId, error, context);
      });
      await database.unitOfWork.transaction(tenantId, async (work) => {
        const identityId = subject === null ? undefined : identityIdOf(active.issuer, subject);
        const sessions = await work.find(SESSIONS, {
          revoked_at: null,
          ...(sid === null ? {} : { company_sid: sid }),
          ...(identityId === undefined ? {} : { company_identity_id: identityId }),
        });
        for (const session of sessions.filter(
          (each) => each.company_identity_id !== null && Date.parse(each.created_at) <= issuedMs + 1_000,
        )) {
          await endSessions(deps, work, { tenantId, sessionId: session.id, reason: 'revoked' });
          const user = await work.one(USERS, { id: session.user_id });
          audit(work, {
            actor: actorOf(tenantId, user, context),
            action: 'session.ended',
            resource: `user-sessions/${session.id}`,
            after: { reason: 'provider_logout' },
          });
        }
      });
    },
    /** Removes the sign-ins of a tenant that were never finished. */
    async cleanUp(tenantId: string): Promise<void> {
      await database.unitOfWork.transaction(tenantId, (work) =>
        work.execute(queries.deleteFrom('company_sign_in_attempts').where('tenant_id', '=', TENANT).where('expires_ms', '<=', Date.now())),
      );
    },
  };
}
