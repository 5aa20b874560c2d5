import { type Actor, type Caller, type Permission, ServiceError } from '#core/kernel';
import { checkAddress } from './address-check.ts';
import { isActiveKey, permissionsOfKey } from './api-keys/key.ts';
import { authenticateApiKey } from './api-keys/read.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { maskedEmails } from './email-addresses.ts';
import { networksOf } from './networks.ts';
import { originsOf } from './origins.ts';
import { verifyPin } from './pins.ts';
import type { Person } from './records.ts';
import { PIN_PERMISSIONS, permissionsFrom } from './roles.ts';
import { API_KEYS, type ApiKeyRow, isTierWithin, SESSIONS, type SessionRow, type Tier, USER_PINS, USERS, type UserRow } from './schema.ts';
import { noteSession } from './sessions.ts';
import { findSigningKey } from './signing-keys.ts';
import { type SpendingLimits, spendingLimitsOf } from './spending.ts';
import { readAccessToken } from './tokens.ts';
import { NO_PASSWORD } from './user-row.ts';

/** The identity that a credential represents; the rest of the Actor comes from the request. */
export type Principal = Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'merchantId' | 'permissions'> & {
  readonly tier: Tier;
  readonly kind: 'api-key' | 'user' | 'client-token' | 'service';
  readonly scope: 'merchant' | 'tenant';
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** True for a session to which the person switched with a PIN. */
  readonly byPin: boolean;
  /** True for a session at the company's provider of a user who has no password. */
  readonly byCompany: boolean;
  /** Real time of the sign-in, with a password or at the company's provider, that started the session; null for a session by PIN and every other credential. */
  readonly passwordSignInMs: number | null;
  /** Spending limits of an API key; null for every other credential and for keys without limits. */
  readonly spendingLimits: SpendingLimits | null;
  /** Origins of web pages that may use an API key on the SDK surface; empty for every other credential. */
  readonly allowedOrigins: readonly string[];
  /** Addresses and networks from which the credential may be used; empty means all. */
  readonly allowedAddresses: readonly string[];
};

/**
 * Returns the tier of a key, which is at most that of its tenant. A key may have a higher one stored if it is older or if the tenant's tier
 * was lowered.
 */
const tierOfKey = (tier: Tier | null, tenantTier: Tier): Tier => (tier !== null && isTierWithin(tier, tenantTier) ? tier : tenantTier);

/**
 * Returns the time at which the person of a session proved the identity; null if it is not known. A provider signs a person in without a question while its
 * own session lasts, so the start of the session proves nothing there.
 */
const signInMsOf = (session: Pick<SessionRow, 'created_at' | 'company_identity_id' | 'company_auth_ms'>): number | null =>
  session.company_identity_id === null ? Date.parse(session.created_at) : session.company_auth_ms;

/** Returns the permissions that remain for a caller of one merchant. */
async function withinCeiling(deps: Dependencies, tenantId: string, merchantId: string | null, permissions: ReadonlySet<Permission>) {
  const ceiling = merchantId === null ? null : await deps.ceilingOf(tenantId, merchantId);
  if (ceiling === null) return permissions;
  const allowed = permissionsFrom(ceiling);
  return new Set([...permissions].filter((permission) => allowed.has(permission)));
}

export async function refuseClosed(deps: Dependencies, tenantId: string, merchantId: string | null): Promise<void> {
  if (merchantId === null || !(await deps.isMerchantClosed(tenantId, merchantId))) return;
  throw new ServiceError('UNAUTHORIZED', 'The merchant of this API key is closed. The key works again when the merchant is reopened.');
}

/** @throws ServiceError UNAUTHORIZED for a key of a closed merchant. */
async function principalOfKey(deps: Dependencies, row: ApiKeyRow, tenantTier: Tier): Promise<Principal> {
  await refuseClosed(deps, row.tenant_id, row.merchant_id);
  return {
    tenantId: row.tenant_id,
    credentialId: row.id,
    name: row.name,
    merchantId: row.merchant_id,
    permissions: await withinCeiling(deps, row.tenant_id, row.merchant_id, permissionsOfKey(row)),
    tier: tierOfKey(row.tier as Tier | null, tenantTier),
    kind: 'api-key',
    scope: row.scope,
    userId: null,
    sessionId: null,
    byPin: false,
    byCompany: false,
    passwordSignInMs: null,
    spendingLimits: spendingLimitsOf(row),
    allowedOrigins: originsOf(row),
    allowedAddresses: networksOf(row),
  };
}

/** Returns the principal of a user in a session. A session by PIN keeps `PIN_PERMISSIONS` only, and may be limited to one merchant. */
async function principalOfUser(
  deps: Dependencies,
  user: UserRow,
  tier: Tier,
  session: Pick<SessionRow, 'id' | 'by_pin' | 'merchant_id' | 'created_at' | 'company_identity_id' | 'company_auth_ms'> | null,
): Promise<Principal> {
  const byPin = session?.by_pin === 1;
  const merchantId = user.merchant_id ?? session?.merchant_id ?? null;
  const held = await withinCeiling(deps, user.tenant_id, merchantId, await deps.access.permissionsOf(user));
  return {
    tenantId: user.tenant_id,
    credentialId: user.id,
    name: user.email,
    merchantId,
    permissions: byPin ? new Set([...held].filter((permission) => PIN_PERMISSIONS.has(permission))) : held,
    tier,
    kind: 'user',
    scope: merchantId === null ? 'tenant' : 'merchant',
    userId: user.id,
    sessionId: session?.id ?? null,
    byPin,
    byCompany: !byPin && (session?.company_identity_id ?? null) !== null && user.password_hash === NO_PASSWORD,
    passwordSignInMs: session === null || byPin ? null : signInMsOf(session),
    spendingLimits: null,
    allowedOrigins: [],
    allowedAddresses: await deps.access.roles.addressesOf(user.tenant_id, user.role),
  };
}

/**
 * Returns the principal of an API key; with `tenantId` null, in the key's own tenant. @throws ServiceError UNAUTHORIZED for a wrong,
 * expired or revoked key, or one of another tenant.
 */
export async function authenticateKey(deps: Dependencies, tenantId: string | null, key: string): Promise<Principal> {
  const row = await authenticateApiKey(deps, tenantId, key);
  const tenant = await deps.tenants.find(row.tenant_id);
  if (!tenant) throw new ServiceError('UNAUTHORIZED', 'The API key is not valid.');
  return principalOfKey(deps, row, tenant.tier);
}

/**
 * Returns the principal of an access token. @throws ServiceError UNAUTHORIZED, TOKEN_INVALID, TOKEN_EXPIRED; FORBIDDEN for a token of
 * another tenant.
 */
export async function authenticateToken(deps: Dependencies, tenantId: string, token: string): Promise<Principal> {
  const claims = await readAccessToken((id) => findSigningKey(deps, id), token);
  if (claims.tenantId !== tenantId) throw new ServiceError('FORBIDDEN', 'This access token belongs to another tenant.');
  const read = deps.database.read(tenantId);
  const [session, user, tenant] = await Promise.all([
    read.one(SESSIONS, { id: claims.sessionId }),
    read.one(USERS, { id: claims.userId }),
    deps.tenants.find(tenantId),
  ]);
  if (!session || session.revoked_at !== null || session.user_id !== claims.userId || !user || !tenant)
    throw new ServiceError('TOKEN_INVALID', 'The session of this access token has ended. Sign in again.');
  noteSession(deps, session);
  return principalOfUser(deps, user, tenant.tier, session);
}

/** Returns the present principal of a session; null after its end. */
export async function principalOfSession(deps: Dependencies, tenantId: string, sessionId: string): Promise<Principal | null> {
  const read = deps.database.read(tenantId);
  const session = await read.one(SESSIONS, { id: sessionId });
  if (!session || session.revoked_at !== null) return null;
  const [user, tenant] = await Promise.all([read.one(USERS, { id: session.user_id }), deps.tenants.find(tenantId)]);
  return user && tenant ? principalOfUser(deps, user, tenant.tier, session) : null;
}

/**
 * Returns the present principal of a user or an API key by its ID, for an operation that was requested earlier.
 * @throws ServiceError UNAUTHORIZED if it was removed, revoked or has expired.
 */
export async function principalOf(deps: Dependencies, tenantId: string, credentialId: string): Promise<Principal> {
  const read = deps.database.read(tenantId);
  const tenant = await deps.tenants.find(tenantId);
  const user = await read.one(USERS, { id: credentialId });
  if (tenant && user) return principalOfUser(deps, user, tenant.tier, null);
  const key = await read.one(API_KEYS, { id: credentialId });
  if (!tenant || !key || !(await isActiveKey(deps, tenantId, credentialId)))
    throw new ServiceError('UNAUTHORIZED', 'The user or API key of this request no longer exists.');
  return principalOfKey(deps, key, tenant.tier);
}

/** Returns the principal of the user whose PIN was entered. @throws ServiceError VALIDATION_ERROR on `pin`. */
export async function principalByPin(
  deps: Dependencies,
  tenantId: string,
  userId: string,
  pin: string,
  context: LoginContext,
): Promise<Principal> {
  const user = await verifyPin(deps, tenantId, userId, pin, context);
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant) throw new ServiceError('UNAUTHORIZED', 'The account of this user no longer exists.');
  const session = { id: '', by_pin: 1, merchant_id: null, created_at: '', company_identity_id: null, company_auth_ms: null };
  const principal = await principalOfUser(deps, user, tenant.tier, session);
  await checkAddress(deps, principal, context);
  return principal;
}

/** Returns people as a caller sees them: with masked addresses for callers who may not see users. */
export function peopleFor({ permissions }: Pick<Actor, 'permissions'>, people: readonly Person[]): Person[] {
  if (permissions.has('users:read')) return [...people];
  const emails = maskedEmails(people.map(({ email }) => email));
  return people.map((person, index) => ({ ...person, email: emails[index] ?? '' }));
}

/** Returns the users who can sign in and whom the filter accepts, by email address. */
async function people(deps: Dependencies, tenantId: string, accepts: (row: UserRow) => Promise<boolean>): Promise<Person[]> {
  const read = deps.database.read(tenantId);
  const rows = await read.find(USERS, {}, { orderBy: [['email', 'asc']] });
  const withPin = new Set((await read.find(USER_PINS, {})).map(({ user_id }) => user_id));
  const found: Person[] = [];
  for (const row of rows.filter(({ password_hash }) => password_hash !== '')) {
    const { id: userId, email, name } = row;
    if (await accepts(row)) found.push({ userId, email, name, hasPin: withPin.has(userId) });
  }
  return found;
}

/** Returns the users who can sign in and hold all of the permissions for a merchant, or for the whole tenant with null. */
export async function holders(
  deps: Dependencies,
  tenantId: string,
  permissions: readonly Permission[],
  merchantId: string | null,
): Promise<Person[]> {
  const isWithin = ({ merchant_id }: UserRow) => merchant_id === null || merchant_id === merchantId;
  return people(deps, tenantId, async (row) => {
    if (!isWithin(row)) return false;
    const held = await withinCeiling(deps, tenantId, row.merchant_id, await deps.access.permissionsOf(row));
    return permissions.every((permission) => held.has(permission));
  });
}

/** Returns the people who can switch to the caller's workstation with their PIN. */
export async function peopleWithPin(deps: Dependencies, { tenantId, merchantId }: Caller): Promise<Person[]> {
  const found = await people(deps, tenantId, async ({ merchant_id }) => merchantId === null || (merchant_id ?? merchantId) === merchantId);
  return found.filter(({ hasPin }) => hasPin);
}
