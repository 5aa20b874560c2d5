import type { Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import type { Dependencies, LoginContext } from '../dependencies.ts';
import { endSessions } from '../end-sessions.ts';
import { SESSIONS, type SessionRow, USERS } from '../schema.ts';
import { actorOf } from '../user-row.ts';
import { type CompanyAccount, providerLogoutUrl, readLogoutToken, refreshAtProvider, refusalOf } from './provider.ts';
import { COMPANY_IDENTITIES } from './schema.ts';
import { activeSettings, addressOf } from './settings.ts';
import { recordRefusal, requireSettings, TOKEN_PURPOSE } from './sign-in.ts';
import { applyRule, grantOf, hasRole, identityIdOf } from './users.ts';

/** Time after the last answer of the provider for which its session is extended without another one. */
const UNCHECKED_MS = 3_600_000;

/**
 * Asks the provider about the account of a session that is being refreshed. @throws ServiceError TOKEN_INVALID after ending the session: the provider
 * refused the account, no group grants a role any more, or the provider has not answered for an hour.
 */
export async function recheck(deps: Dependencies, session: SessionRow, context: Omit<LoginContext, 'kind'>): Promise<void> {
  const { tenant_id: tenantId, company_identity_id: identityId } = session;
  const active = await activeSettings(deps, tenantId);
  const identity = identityId === null ? null : await deps.database.read(tenantId).one(COMPANY_IDENTITIES, { id: identityId });
  const isRecent = Date.now() - (session.company_checked_ms ?? 0) < UNCHECKED_MS;
  const end = async (reason: string): Promise<never> => {
    await deps.database.unitOfWork.transaction(tenantId, (work) => endForProvider(deps, work, session, context, reason));
    throw new ServiceError('TOKEN_INVALID', 'The company account no longer allows this session. Sign in again.', { details: { reason } });
  };
  if (active === null || identity === null || identity.issuer !== active.issuer) return end('not_set_up');
  if (session.company_token === null) return isRecent ? undefined : end('not_checked');
  const token = await deps.secrets.open(tenantId, TOKEN_PURPOSE, session.company_token);
  let account: CompanyAccount;
  try {
    account = await refreshAtProvider(deps, active, token, identity.subject);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    return reason === 'provider_down' && isRecent ? undefined : end(reason);
  }
  const company_token = await deps.secrets.seal(tenantId, TOKEN_PURPOSE, account.refreshToken ?? token);
  const isAllowed = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await work.update(SESSIONS, { id: session.id }, { company_token, company_checked_ms: Date.now() });
    const user = await work.lockOne(USERS, { id: session.user_id });
    if (!user) return false;
    const after = await applyRule(deps, work, user, grantOf(active, account.groups), context, account.groups);
    if (!hasRole(after)) await endSessions(deps, work, { tenantId, userId: user.id, reason: 'revoked' });
    return hasRole(after);
  });
  if (!isAllowed) await end('no_role');
}

/** Returns the address at which the session at the provider ends; null if there is none. */
export async function companyLogoutUrl(deps: Dependencies, tenantId: string, sessionId: string): Promise<string | null> {
  const session = await deps.database.read(tenantId).one(SESSIONS, { id: sessionId });
  const active = await activeSettings(deps, tenantId);
  if (active === null || (session?.company_identity_id ?? null) === null) return null;
  return providerLogoutUrl(deps, active, addressOf(deps, active, '/company-sign-in')).catch(() => null);
}

/**
 * Ends the sessions that a logout token of the provider names. Sessions that began after the token was issued continue, so that a token
 * that is sent again ends nothing. @throws ServiceError INVALID_CREDENTIALS.
 */
export async function backChannelLogout(deps: Dependencies, tenantId: string, token: string, context: LoginContext): Promise<void> {
  const active = await requireSettings(deps, tenantId);
  const { subject, sid, issuedMs } = await readLogoutToken(deps, active, token).catch(async (error: unknown) => {
    throw await recordRefusal(deps, tenantId, error, context);
  });
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const identityId = subject === null ? undefined : identityIdOf(active.issuer, subject);
    const sessions = await work.find(SESSIONS, {
      revoked_at: null,
      ...(sid === null ? {} : { company_sid: sid }),
      ...(identityId === undefined ? {} : { company_identity_id: identityId }),
    });
    for (const session of sessions.filter((each) => each.company_identity_id !== null && Date.parse(each.created_at) <= issuedMs + 1_000))
      await endForProvider(deps, work, session, context, 'provider_logout');
  });
}

/** Ends a session that the provider of the company no longer allows, and records why. */
async function endForProvider(
  deps: Dependencies,
  work: Work,
  { tenant_id: tenantId, id, user_id }: SessionRow,
  context: Omit<LoginContext, 'kind'>,
  reason: string,
): Promise<void> {
  await endSessions(deps, work, { tenantId, sessionId: id, reason: 'revoked' });
  const user = await work.one(USERS, { id: user_id });
  deps.audit(work, {
    actor: actorOf(tenantId, user, context),
    action: 'session.ended',
    resource: `user-sessions/${id}`,
    after: { reason },
  });
}
