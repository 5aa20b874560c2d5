import type { Work } from '#core/database';
import { type Actor, isoTime, type Money, newId, type Permission, ServiceError } from '#core/kernel';
import { createAddressCheck } from './address-check.ts';
import { createApiKeys, permissionsOfKey } from './api-keys.ts';
import { createAuthenticators } from './authenticators.ts';
import { createCodes } from './codes.ts';
import { COMPANY_ATTEMPTS, COMPANY_IDENTITIES, COMPANY_SETTINGS } from './company/schema.ts';
import { createCompanySettings } from './company/settings.ts';
import { createCompanySignIn } from './company/sign-in.ts';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { maskedEmails, nameOf, newUserEmail } from './email-addresses.ts';
import { createInstallationAdmins } from './installation-admins.ts';
import { networksOf } from './networks.ts';
import { createPasscodes } from './one-time-passcodes.ts';
import { originsOf } from './origins.ts';
import { createPageCodes } from './page-codes.ts';
import { createPasswordLinks } from './password-links.ts';
import { hashPassword } from './passwords.ts';
import { createPins } from './pins.ts';
import type { Person } from './records.ts';
import { PIN_PERMISSIONS, permissionsFrom } from './roles.ts';
import {
  API_KEYS,
  type ApiKeyRow,
  AUTHENTICATORS,
  CODES,
  type Environment,
  isTierWithin,
  PASSWORD_TOKENS,
  RECOVERY_CODES,
  ROLE_ROWS,
  SESSIONS,
  type SessionRow,
  SIGNING_KEYS,
  TENANTS,
  type TenantRow,
  type Tier,
  USER_PINS,
  USERS,
  type UserRow,
} from './schema.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createSigningKeys } from './signing-keys.ts';
import { claimSpending, type SpendingLimits, spendingLimitsOf } from './spending.ts';
import { CLIENT_TOKEN_MS, invalidClientToken, readAccessToken, readClientToken, signClientToken } from './tokens.ts';
import { createTwoFactor } from './two-factor.ts';
import { NO_PASSWORD, newUserRow } from './user-row.ts';
import { createUsers } from './users.ts';

export type { RevokeKeysBeyond } from './access-dependencies.ts';
export { BegunSignIn, CompanySettings } from './company/records.ts';
export type { LoginContext } from './dependencies.ts';

export { isAllowedAddress } from './networks.ts';
export type { IsConfirmed } from './passwords.ts';
export {
  ApiKey,
  ApiKeyWithSecret,
  CreatedUser,
  NewInstallation,
  OtpRequired,
  Person,
  Role,
  ScreenLanguage,
  SelfUser,
  SentCode,
  SentPasscode,
  Session,
  SignedIn,
  SignedInWithAccessToken,
  TwoFactorMethod,
  User,
} from './records.ts';
export { checkGrant, PIN_PERMISSIONS, ROLES } from './roles.ts';
export { TIERS, type Tier } from './schema.ts';

export { createTenants } from './tenants.ts';

export { createUserAccess } from './user-access.ts';

export const TABLES = [
  TENANTS,
  USERS,
  ROLE_ROWS,
  API_KEYS,
  SESSIONS,
  CODES,
  AUTHENTICATORS,
  RECOVERY_CODES,
  PASSWORD_TOKENS,
  SIGNING_KEYS,
  USER_PINS,
  COMPANY_SETTINGS,
  COMPANY_IDENTITIES,
  COMPANY_ATTEMPTS,
];

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

export interface NewTenant {
  readonly name: string;
  readonly environment: Environment;
  readonly tier: Tier;
  readonly owner: { readonly email: string; readonly password: string; readonly name?: string };
}

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

/** Query for the IDs of all tenants. */
export const EVERY_TENANT = TENANTS;

/** Returns people as a caller sees them: with masked addresses for callers who may not see users. */
export function peopleFor({ permissions }: Pick<Actor, 'permissions'>, people: readonly Person[]): Person[] {
  if (permissions.has('users:read')) return [...people];
  const emails = maskedEmails(people.map(({ email }) => email));
  return people.map((person, index) => ({ ...person, email: emails[index] ?? '' }));
}

/** Authentication and permissions of callers. */
export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(deps: Dependencies) {
  const { database, clock, tenants } = deps;
  const { roles } = deps.access;
  const signingKeys = createSigningKeys(deps);
  const codes = createCodes(deps);
  const links = createPasswordLinks(deps);
  const checkAddress = createAddressCheck(deps);
  const sessions = createSessions(deps, (actor, userId) => users.checkManages(actor, userId));
  const apiKeys = createApiKeys(deps);
  const authenticators = createAuthenticators(deps);
  const users = createUsers(deps, links, authenticators);
  const pins = createPins(deps, users);
  const companySettings = createCompanySettings(deps);
  const company = createCompanySignIn(deps, companySettings, (...begun) => signIn.startAtProvider(...begun));
  const signIn = createSignIn(
    deps,
    signingKeys,
    codes,
    authenticators,
    pins,
    { settings: companySettings, recheck: company.recheck },
    async (tenantId, role) => (await roles.find(tenantId, role))?.name ?? role,
    checkAddress,
  );

  /** Returns the permissions that remain for a caller of one merchant. */
  async function withinCeiling(
    tenantId: string,
    merchantId: string | null,
    permissions: ReadonlySet<Permission>,
  ): Promise<ReadonlySet<Permission>> {
    const ceiling = merchantId === null ? null : await deps.ceilingOf(tenantId, merchantId);
    if (ceiling === null) return permissions;
    const allowed = permissionsFrom(ceiling);
    return new Set([...permissions].filter((permission) => allowed.has(permission)));
  }

  /** Returns the users who can sign in and whom the filter accepts, by email address. */
  async function people(tenantId: string, accepts: (row: UserRow) => Promise<boolean>): Promise<Person[]> {
    const read = database.read(tenantId);
    const rows = await read.find(USERS, {}, { orderBy: [['email', 'asc']] });
    const withPin = new Set((await read.find(USER_PINS, {})).map(({ user_id }) => user_id));
    const found: Person[] = [];
    for (const row of rows.filter(({ password_hash }) => password_hash !== '')) {
      const { id: userId, email, name } = row;
      if (await accepts(row)) found.push({ userId, email, name, hasPin: withPin.has(userId) });
    }
    return found;
  }

  async function refuseClosed(tenantId: string, merchantId: string | null): Promise<void> {
    if (merchantId === null || !(await deps.isMerchantClosed(tenantId, merchantId))) return;
    throw new ServiceError('UNAUTHORIZED', 'The merchant of this API key is closed. The key works again when the merchant is reopened.');
  }

  /** @throws ServiceError UNAUTHORIZED for a key of a closed merchant. */
  async function principalOfKey(row: ApiKeyRow, tenantTier: Tier): Promise<Principal> {
    await refuseClosed(row.tenant_id, row.merchant_id);
    return {
      tenantId: row.tenant_id,
      credentialId: row.id,
      name: row.name,
      merchantId: row.merchant_id,
      permissions: await withinCeiling(row.tenant_id, row.merchant_id, permissionsOfKey(row)),
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
    user: UserRow,
    tier: Tier,
    session: Pick<SessionRow, 'id' | 'by_pin' | 'merchant_id' | 'created_at' | 'company_identity_id' | 'company_auth_ms'> | null,
  ): Promise<Principal> {
    const byPin = session?.by_pin === 1;
    const merchantId = user.merchant_id ?? session?.merchant_id ?? null;
    const held = await withinCeiling(user.tenant_id, merchantId, await deps.access.permissionsOf(user));
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
      allowedAddresses: await roles.addressesOf(user.tenant_id, user.role),
    };
  }

  /** Returns the claims of a client token. @throws ServiceError TOKEN_EXPIRED, TOKEN_INVALID if it is forged or its key was revoked. */
  async function activeClientToken(token: string): ReturnType<typeof readClientToken> {
    const claims = await readClientToken(signingKeys, token);
    if (!(await apiKeys.isActive(claims.tenantId, claims.keyId))) throw invalidClientToken();
    await refuseClosed(claims.tenantId, claims.merchantId);
    return claims;
  }

  return {
    tenants,
    roles,
    users,
    sessions,
    apiKeys,
    installationAdmins: createInstallationAdmins(tenants),
    signIn,
    company: { ...company, settings: companySettings },
    passcodes: createPasscodes(deps, codes),
    pageCodes: createPageCodes(deps, codes),
    passwords: links,
    twoFactor: createTwoFactor(deps, users, authenticators),
    pins,
    /**
     * Returns the principal of an API key; with `tenantId` null, in the key's own tenant. @throws ServiceError UNAUTHORIZED for a wrong,
     * expired or revoked key, or one of another tenant.
     */
    async authenticateKey(tenantId: string | null, key: string): Promise<Principal> {
      const row = await apiKeys.authenticate(tenantId, key);
      const tenant = await tenants.find(row.tenant_id);
      if (!tenant) throw new ServiceError('UNAUTHORIZED', 'The API key is not valid.');
      return principalOfKey(row, tenant.tier);
    },
    /**
     * Returns the principal of an access token. @throws ServiceError UNAUTHORIZED, TOKEN_INVALID, TOKEN_EXPIRED; FORBIDDEN for a token of
     * another tenant.
     */
    async authenticateToken(tenantId: string, token: string): Promise<Principal> {
      const claims = await readAccessToken(signingKeys, token);
      if (claims.tenantId !== tenantId) throw new ServiceError('FORBIDDEN', 'This access token belongs to another tenant.');
      const read = database.read(tenantId);
      const [session, user, tenant] = await Promise.all([
        read.one(SESSIONS, { id: claims.sessionId }),
        read.one(USERS, { id: claims.userId }),
        tenants.find(tenantId),
      ]);
      if (!session || session.revoked_at !== null || session.user_id !== claims.userId || !user || !tenant)
        throw new ServiceError('TOKEN_INVALID', 'The session of this access token has ended. Sign in again.');
      sessions.note(session);
      return principalOfUser(user, tenant.tier, session);
    },
    /** Returns the present principal of a session; null after its end. */
    async principalOfSession(tenantId: string, sessionId: string): Promise<Principal | null> {
      const read = database.read(tenantId);
      const session = await read.one(SESSIONS, { id: sessionId });
      if (!session || session.revoked_at !== null) return null;
      const [user, tenant] = await Promise.all([read.one(USERS, { id: session.user_id }), tenants.find(tenantId)]);
      return user && tenant ? principalOfUser(user, tenant.tier, session) : null;
    },
    /**
     * Returns the present principal of a user or an API key by its ID, for an operation that was requested earlier.
     * @throws ServiceError UNAUTHORIZED if it was removed, revoked or has expired.
     */
    async principalOf(tenantId: string, credentialId: string): Promise<Principal> {
      const read = database.read(tenantId);
      const tenant = await tenants.find(tenantId);
      const user = await read.one(USERS, { id: credentialId });
      if (tenant && user) return principalOfUser(user, tenant.tier, null);
      const key = await read.one(API_KEYS, { id: credentialId });
      if (!tenant || !key || !(await apiKeys.isActive(tenantId, credentialId)))
        throw new ServiceError('UNAUTHORIZED', 'The user or API key of this request no longer exists.');
      return principalOfKey(key, tenant.tier);
    },
    /** Returns the principal of the user whose PIN was entered. @throws ServiceError VALIDATION_ERROR on `pin`. */
    async principalByPin(tenantId: string, userId: string, pin: string, context: LoginContext): Promise<Principal> {
      const user = await pins.verify(tenantId, userId, pin, context);
      const tenant = await tenants.find(tenantId);
      if (!tenant) throw new ServiceError('UNAUTHORIZED', 'The account of this user no longer exists.');
      const session = { id: '', by_pin: 1, merchant_id: null, created_at: '', company_identity_id: null, company_auth_ms: null };
      const principal = await principalOfUser(user, tenant.tier, session);
      await checkAddress(principal, context);
      return principal;
    },
    checkAddress,
    /** Returns the IDs of the users behind a credential (see `createApiKeys`). */
    peopleOf: apiKeys.peopleOf,
    /** Returns the users who can sign in and hold all of the permissions for a merchant, or for the whole tenant with null. */
    async holders(tenantId: string, permissions: readonly Permission[], merchantId: string | null): Promise<readonly Person[]> {
      const isWithin = ({ merchant_id }: UserRow) => merchant_id === null || merchant_id === merchantId;
      return people(tenantId, async (row) => {
        if (!isWithin(row)) return false;
        const held = await withinCeiling(tenantId, row.merchant_id, await deps.access.permissionsOf(row));
        return permissions.every((permission) => held.has(permission));
      });
    },
    /** Returns the people who can switch to the caller's workstation with their PIN. */
    async peopleWithPin({ tenantId, merchantId }: Pick<Actor, 'tenantId' | 'merchantId'>): Promise<readonly Person[]> {
      const found = await people(tenantId, async ({ merchant_id }) => merchantId === null || (merchant_id ?? merchantId) === merchantId);
      return found.filter(({ hasPin }) => hasPin);
    },
    /** Counts an operation against the spending limits of the caller's API key (see `claimSpending`). */
    claimSpending: (work: Work, actor: Actor, amount: Money, total = amount) =>
      claimSpending(work, actor, amount, total, tenants.clockOf(actor.tenantId), deps.checkApproval),
    /** Creates a token for a web page. For thirty minutes it can tokenize cards, and nothing else. */
    async clientToken(actor: Actor, merchantId: string): Promise<{ clientToken: string; expiresAt: string }> {
      const expiresMs = Math.floor((Date.now() + CLIENT_TOKEN_MS) / 1_000) * 1_000;
      const key = await signingKeys.current(actor.tenantId);
      const clientToken = await signClientToken(key, { tenantId: actor.tenantId, merchantId, keyId: actor.credentialId, expiresMs });
      return { clientToken, expiresAt: isoTime(expiresMs) };
    },
    /** Returns the claims of a client token; null if it is expired, forged or belongs to a revoked key. */
    async checkClientToken(token: string): Promise<{ merchantId: string; expiresAt: string } | null> {
      const claims = await activeClientToken(token).catch((refused: unknown) => {
        if (refused instanceof ServiceError && refused.status === 401) return null;
        throw refused;
      });
      if (!claims) return null;
      const { merchantId, expiresMs } = claims;
      return { merchantId, expiresAt: isoTime(expiresMs) };
    },
    /** Returns the principal of a client token, who may only tokenize. @throws ServiceError TOKEN_EXPIRED, TOKEN_INVALID. */
    async authenticateClientToken(tenantId: string, token: string): Promise<Principal> {
      const claims = await activeClientToken(token);
      const tenant = await tenants.find(tenantId);
      if (!tenant || claims.tenantId !== tenantId) throw invalidClientToken();
      return {
        tenantId,
        credentialId: claims.keyId,
        name: 'client token',
        merchantId: claims.merchantId,
        permissions: new Set(),
        tier: tenant.tier,
        kind: 'client-token',
        scope: 'merchant',
        userId: null,
        sessionId: null,
        byPin: false,
        byCompany: false,
        passwordSignInMs: null,
        spendingLimits: null,
        allowedOrigins: [],
        allowedAddresses: [],
      };
    },
    /** Replaces the signing key. Tokens of the old key stay valid until they expire. */
    async rotateSigningKey(actor: Actor): Promise<{ keyId: string; rotatedAt: string }> {
      const key = await signingKeys.rotate(actor.tenantId);
      await database.unitOfWork.transaction(actor.tenantId, async (work) =>
        deps.audit(work, { actor, action: 'signing_key.rotated', resource: 'auth/signing-key', after: { keyId: key.id } }),
      );
      return { keyId: key.id, rotatedAt: isoTime(key.createdMs) };
    },
    /** Creates a tenant with its owner in one unit of work; `alsoWrite` writes the other records of the tenant. */
    async createTenant(
      input: NewTenant,
      alsoWrite: (work: Parameters<Dependencies['withTenant']>[0], tenantId: string, nowMs: number) => Promise<void>,
    ) {
      const password_hash = await hashPassword(input.owner.password);
      const now = clock.now();
      const created_at = isoTime(now);
      const { name, environment, tier } = input;
      const tenant: TenantRow = { id: newId('ten', now), name, environment, tier, clock_offset_ms: 0, created_at };
      const email = newUserEmail(input.owner.email);
      const owner = newUserRow(tenant.id, { email, name: nameOf(input.owner.name), role: 'owner' }, password_hash, now);
      await database.unitOfWork.transaction(null, async (work) => {
        work.insert(TENANTS, tenant);
        await deps.withTenant(work, tenant.id);
        work.insert(USERS, owner);
        await alsoWrite(work, tenant.id, now);
        deps.audit(work, {
          actor: { tenantId: tenant.id, credentialId: owner.id, name: email, ip: null, requestId: newId('req', now) },
          action: 'tenant.created',
          resource: 'tenant',
          after: { name, environment, tier, owner: email },
        });
      });
      tenants.remember(tenant);
      return tenant.id;
    },
    /** Steps of the hourly clean-up for a tenant. */
    cleanUps: [company.cleanUp, sessions.cleanUp, codes.cleanUp, links.cleanUp, signingKeys.cleanUp],
  };
}
