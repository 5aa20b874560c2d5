import { randomBytes, randomUUID } from 'node:crypto';
import { queriesOn, TENANT, UniqueViolation } from '#core/database';
import { isoTime } from '#core/kernel';
import type { Dependencies, LoginContext } from '../dependencies.ts';
import { endSessions } from '../end-sessions.ts';
import type { SignedIn } from '../records.ts';
import { startSession } from '../start-session.ts';
import { actorOf } from '../user-row.ts';
import {
  beginAtProvider,
  type CompanyAccount,
  finishAtProvider,
  type ProviderSettings,
  refusalOf,
  refused,
  type SignInSecrets,
} from './provider.ts';
import type { BegunSignIn } from './records.ts';
import { COMPANY_ATTEMPTS, type CompanyAttemptRow, type CompanySettingsRow } from './schema.ts';
import { activeSettings, addressOf, noteGroups } from './settings.ts';
import { hashOf, hasRole, identityIdOf, userOf } from './users.ts';

/** Time within which a sign-in must end. */
const ATTEMPT_MS = 5 * 60_000;

const ATTEMPT_PURPOSE = 'company-sign-in-attempt';

export const TOKEN_PURPOSE = 'company-refresh-token';

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

/** Records a refused sign-in as a security event, and returns its error. */
export async function recordRefusal(
  deps: Dependencies,
  tenantId: string,
  error: unknown,
  context: LoginContext,
  email: string | null = null,
): Promise<unknown> {
  const reason = refusalOf(error);
  if (reason === null) return error;
  await deps.database.unitOfWork.transaction(tenantId, async (work) =>
    deps.audit(work, {
      actor: actorOf(tenantId, null, context),
      action: 'company_sign_in.refused',
      resource: 'company-sign-in',
      after: { reason, ...(email !== null && { email }) },
    }),
  );
  return error;
}

export async function requireSettings(deps: Dependencies, tenantId: string): Promise<ProviderSettings & CompanySettingsRow> {
  const active = await activeSettings(deps, tenantId);
  if (active === null) throw refused('not_set_up');
  return active;
}

async function attemptOf(deps: Dependencies, state: string): Promise<CompanyAttemptRow> {
  const [row] = await deps.database.readAcrossTenants().find(COMPANY_ATTEMPTS, { id: hashOf(state) }, { limit: 1 });
  if (!row || row.expires_ms <= Date.now()) throw refused('expired');
  return row;
}

async function signInAs(deps: Dependencies, active: CompanySettingsRow, account: CompanyAccount, context: LoginContext): Promise<SignedIn> {
  const { tenant_id: tenantId } = active;
  await noteGroups(deps, tenantId, account.groups);
  const user = await deps.database.unitOfWork
    .transaction(tenantId, async (work) => {
      const found = await userOf(deps, work, active, account, context);
      if (!hasRole(found)) await endSessions(deps, work, { tenantId, userId: found.id, reason: 'revoked' });
      return found;
    })
    .catch((error: unknown) => {
      // Two first sign-ins of one account at the same time: the other one has created the user.
      throw error instanceof UniqueViolation ? refused('expired', error) : error;
    });
  if (!hasRole(user)) throw refused('no_role');
  return startSession(deps, user, context, null, {
    company_identity_id: identityIdOf(active.issuer, account.subject),
    company_sid: account.sid,
    company_token: account.refreshToken === null ? null : await deps.secrets.seal(tenantId, TOKEN_PURPOSE, account.refreshToken),
    company_checked_ms: Date.now(),
    company_auth_ms: account.authMs,
  });
}

/**
 * Begins a sign-in. With `isDesktop`, the browser of the system opens the provider, and its answer is accepted by this process only.
 * @throws ServiceError INVALID_CREDENTIALS if it is not set up, SERVICE_UNAVAILABLE if the provider does not respond.
 */
export async function beginCompanySignIn(
  deps: Dependencies,
  tenantId: string,
  { isDesktop = false }: { readonly isDesktop?: boolean } = {},
): Promise<BegunSignIn> {
  const active = await requireSettings(deps, tenantId);
  const redirectUri = addressOf(deps, isDesktop ? null : active, '/company-sign-in');
  const { url, secrets } = await beginAtProvider(deps, active, redirectUri);
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
  await deps.database.unitOfWork.transaction(tenantId, async (work) => work.insert(COMPANY_ATTEMPTS, row));
  return { url, state: secrets.state, browserKey, expiresAt: isoTime(expiresMs) };
}

/** Keeps the answer that arrived in the browser of the system for the desktop application. @throws ServiceError INVALID_CREDENTIALS. */
export async function deliverAnswer(deps: Dependencies, answer: ProviderAnswer): Promise<void> {
  const row = await attemptOf(deps, answer.state);
  if (row.process_id !== PROCESS_ID) throw refused('other_browser');
  const sealed = await deps.secrets.seal(row.tenant_id, ATTEMPT_PURPOSE, JSON.stringify(answer));
  await deps.database.unitOfWork.transaction(row.tenant_id, (work) =>
    work.update(COMPANY_ATTEMPTS, { id: row.id, answer: null }, { answer: sealed }),
  );
}

/**
 * Ends a sign-in with the answer of the provider. Returns null while the answer of a sign-in of the desktop application has not arrived.
 * @throws ServiceError INVALID_CREDENTIALS with the reason, SERVICE_UNAVAILABLE if the provider does not respond.
 */
export async function finishCompanySignIn(
  deps: Dependencies,
  sent: ProviderAnswer,
  browserKey: string,
  context: LoginContext,
): Promise<SignedIn | null> {
  const row = await attemptOf(deps, sent.state);
  const { tenant_id: tenantId } = row;
  let email: string | null = null;
  try {
    if (row.browser_hash !== hashOf(browserKey)) throw refused('other_browser');
    const open = (sealed: string) => deps.secrets.open(tenantId, ATTEMPT_PURPOSE, sealed);
    if (row.process_id !== null && row.answer === null) return null;
    const answer = row.answer === null ? sent : (JSON.parse(await open(row.answer)) as ProviderAnswer);
    const secrets = JSON.parse(await open(row.secrets)) as SignInSecrets;
    const isFirst = await deps.database.unitOfWork.transaction(tenantId, (work) => work.delete(COMPANY_ATTEMPTS, { id: row.id }));
    if (isFirst !== 1) throw refused('expired');
    const url = new URL(row.redirect_uri);
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, String(value));
    const active = await requireSettings(deps, tenantId);
    const account = await finishAtProvider(deps, active, url, secrets);
    email = account.email;
    return await signInAs(deps, active, account, context);
  } catch (error) {
    throw await recordRefusal(deps, tenantId, error, context, email);
  }
}

/** Removes the sign-ins of a tenant that were never finished. */
export async function deleteOldAttempts(deps: Dependencies, tenantId: string): Promise<void> {
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(queries.deleteFrom('company_sign_in_attempts').where('tenant_id', '=', TENANT).where('expires_ms', '<=', Date.now())),
  );
}
