import { type Actor, isoTime, newId, type Permission, ServiceError } from '#core/kernel';
import { createApiKeys, permissionsOfKey } from './api-keys.ts';
import { createAuthenticators } from './authenticators.ts';
import { createCodes } from './codes.ts';
import type { Needs } from './needs.ts';
import { createOperators } from './operators.ts';
import { createPasscodes } from './passcodes.ts';
import { createPasswordLinks } from './password-links.ts';
import { hashPassword } from './passwords.ts';
import {
  API_KEYS,
  AUTHENTICATORS,
  CODES,
  type Environment,
  isTierWithin,
  PASSWORD_TOKENS,
  RECOVERY_CODES,
  ROLE_ROWS,
  SESSIONS,
  SIGNING_KEYS,
  TENANTS,
  type TenantRow,
  type Tier,
  USERS,
} from './schema.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createSigningKeys } from './signing-keys.ts';
import { CLIENT_TOKEN_MS, readAccessToken, readClientToken, signClientToken } from './tokens.ts';
import { createTwoFactor } from './two-factor.ts';
import { createUsers } from './users.ts';

export type { From } from './needs.ts';

export { checkGrant, permissionsFrom, ROLES } from './roles.ts';
export type { Tier } from './schema.ts';

export type { OtpRequired, SignedIn } from './sign-in.ts';
export { createTenants, hasOtherTenant } from './tenants.ts';

export { createUserAccess } from './user-access.ts';
export type { User } from './users.ts';

export const TABLES = [TENANTS, USERS, ROLE_ROWS, API_KEYS, SESSIONS, CODES, AUTHENTICATORS, RECOVERY_CODES, PASSWORD_TOKENS, SIGNING_KEYS];

/** Who a credential stands for; the rest of the Actor comes from the request. */
export type Principal = Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'merchantId' | 'permissions'> & {
  readonly tier: Tier;
  readonly kind: 'api-key' | 'user' | 'client-token' | 'service';
  readonly scope: 'merchant' | 'tenant';
  readonly userId: string | null;
  readonly sessionId: string | null;
};

export interface NewTenant {
  readonly name: string;
  readonly environment: Environment;
  readonly tier: Tier;
  readonly owner: { readonly email: string; readonly password: string };
}

/** Returns the tier of a key, which is at most its tenant's: an older key, or one of a tenant whose tier went down, may name a higher one. */
const tierOfKey = (tier: Tier | null, ofTenant: Tier): Tier => (tier !== null && isTierWithin(tier, ofTenant) ? tier : ofTenant);

/** Lists every tenant by its id, for whoever looks at all of them. */
export const EVERY_TENANT = TENANTS;

/** Who is asking, and what they may do (specification 5; decisions 3, 11). */
export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(on: Needs) {
  const { database, clock, tenants } = on;
  const { roles } = on.access;
  const signingKeys = createSigningKeys(on);
  const codes = createCodes(on);
  const links = createPasswordLinks(on);
  const sessions = createSessions(on, (by, userId) => users.checkManages(by, userId));
  const apiKeys = createApiKeys(on);
  const authenticators = createAuthenticators(on);
  const users = createUsers(on, links, authenticators);
  const signIn = createSignIn(
    on,
    signingKeys,
    codes,
    authenticators,
    async (tenantId, role) => (await roles.find(tenantId, role))?.name ?? role,
  );

  /** What is left of permissions for whoever acts for one merchant. */
  async function under(
    tenantId: string,
    merchantId: string | null,
    permissions: ReadonlySet<Permission>,
  ): Promise<ReadonlySet<Permission>> {
    const ceiling = merchantId === null ? null : await on.ceilingOf(tenantId, merchantId);
    return ceiling === null ? permissions : new Set([...permissions].filter((permission) => ceiling.has(permission)));
  }

  return {
    tenants,
    roles,
    users,
    sessions,
    apiKeys,
    operators: createOperators(tenants),
    signIn,
    passcodes: createPasscodes(on, codes),
    passwords: links,
    twoFactor: createTwoFactor(on, users, authenticators),
    /** UNAUTHORIZED for a wrong, expired or revoked key, or one of another tenant; `tenantId` null takes the key's own. */
    async authenticateKey(tenantId: string | null, key: string): Promise<Principal> {
      const row = await apiKeys.authenticate(tenantId, key);
      const tenant = await tenants.find(row.tenant_id);
      if (!tenant) throw new ServiceError('UNAUTHORIZED', 'The API key is not valid.');
      return {
        tenantId: row.tenant_id,
        credentialId: row.id,
        name: row.name,
        merchantId: row.merchant_id,
        permissions: await under(row.tenant_id, row.merchant_id, permissionsOfKey(row)),
        tier: tierOfKey(row.tier as Tier | null, tenant.tier),
        kind: 'api-key',
        scope: row.scope,
        userId: null,
        sessionId: null,
      };
    },
    /** UNAUTHORIZED, TOKEN_INVALID, TOKEN_EXPIRED; FORBIDDEN for a token of another tenant. */
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
        throw new ServiceError('TOKEN_INVALID', 'The session of this access token has ended; sign in again.');
      sessions.note(session);
      return {
        tenantId,
        credentialId: user.id,
        name: user.email,
        merchantId: user.merchant_id,
        permissions: await under(tenantId, user.merchant_id, await on.access.permissionsOf(user)),
        tier: tenant.tier,
        kind: 'user',
        scope: user.merchant_id === null ? 'tenant' : 'merchant',
        userId: user.id,
        sessionId: session.id,
      };
    },
    /** A token that a web page may hold: it tokenizes cards for thirty minutes and does nothing else (decisions 3). */
    async clientToken(by: Actor, merchantId: string): Promise<{ clientToken: string; expiresAt: string }> {
      const expiresMs = Math.floor((Date.now() + CLIENT_TOKEN_MS) / 1_000) * 1_000;
      const key = await signingKeys.current(by.tenantId);
      const clientToken = await signClientToken(key, { tenantId: by.tenantId, merchantId, keyId: by.credentialId, expiresMs });
      return { clientToken, expiresAt: isoTime(expiresMs) };
    },
    /** What a client token is good for; null for any that is not good: expired, forged, or of a key that is revoked. */
    async checkClientToken(token: string): Promise<{ tenantId: string; merchantId: string; keyId: string; expiresAt: string } | null> {
      const claims = await readClientToken(signingKeys, token).catch((refused: unknown) => {
        if (refused instanceof ServiceError && refused.status === 401) return null;
        throw refused;
      });
      if (!claims || !(await apiKeys.stands(claims.tenantId, claims.keyId))) return null;
      const { tenantId, merchantId, keyId, expiresMs } = claims;
      return { tenantId, merchantId, keyId, expiresAt: isoTime(expiresMs) };
    },
    /** Who a client token stands for: nobody who may do more than tokenize. UNAUTHORIZED when it is not good. */
    async authenticateClientToken(tenantId: string, token: string): Promise<Principal> {
      const claims = await this.checkClientToken(token);
      const tenant = await tenants.find(tenantId);
      if (!claims || !tenant || claims.tenantId !== tenantId) throw new ServiceError('UNAUTHORIZED', 'The client token is not valid.');
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
      };
    },
    /** Signs with a new key from now on; tokens that the old one signed go on until they expire. */
    async rotateSigningKey(by: Actor): Promise<{ keyId: string; rotatedAt: string }> {
      const key = await signingKeys.rotate(by.tenantId);
      await database.unitOfWork.run(by.tenantId, async (work) =>
        on.audit(work, { by, action: 'signing_key.rotated', resource: 'auth/signing-key', after: { keyId: key.id } }),
      );
      return { keyId: key.id, rotatedAt: isoTime(key.createdMs) };
    },
    /** Makes a tenant with its owner, all or nothing; `also` writes what else it begins with. */
    async createTenant(of: NewTenant, also: (work: Parameters<Needs['withTenant']>[0], tenantId: string, nowMs: number) => Promise<void>) {
      const password_hash = await hashPassword(of.owner.password);
      const now = clock.now();
      const created_at = isoTime(now);
      const { name, environment, tier } = of;
      const tenant: TenantRow = { id: newId('ten', now), name, environment, tier, clock_offset_ms: 0, created_at };
      const email = of.owner.email.trim().toLowerCase();
      const userId = newId('usr', now);
      await database.unitOfWork.run(null, async (work) => {
        work.insert(TENANTS, tenant);
        await on.withTenant(work, tenant.id);
        work.insert(USERS, {
          tenant_id: tenant.id,
          id: userId,
          email,
          password_hash,
          role: 'owner',
          failed_logins: 0,
          locked_until_ms: 0,
          two_factor: 'off',
          phone: null,
          permissions: null,
          merchant_id: null,
          last_seen_at: null,
          created_at,
        });
        await also(work, tenant.id, now);
        on.audit(work, {
          by: { tenantId: tenant.id, credentialId: userId, name: email, ip: null, requestId: newId('req', now) },
          action: 'tenant.created',
          resource: 'tenant',
          after: { name, environment, tier, owner: email },
        });
      });
      tenants.know(tenant);
      return tenant.id;
    },
    /** What the hourly clean-up does for a tenant. */
    sweeps: [sessions.sweep, codes.sweep, links.sweep, signingKeys.sweep],
  };
}
