import type { KeyObject } from 'node:crypto';
import type { Database, Work } from '#core/database';
import { type Actor, type Clock, type Currency, isoTime, isTimeZone, newId, parseCurrency, ServiceError } from '#core/kernel';
import { hashPassword } from './passwords.ts';
import { API_KEY_PERMISSIONS, permissionsFrom, permissionsOfRole } from './roles.ts';
import {
  API_KEYS,
  type ApiKeyRow,
  type Environment,
  MERCHANTS,
  type MerchantRow,
  SESSIONS,
  TENANTS,
  type TenantRow,
  type Tier,
  USERS,
} from './schema.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { hashSecret, newSecret, readAccessToken } from './tokens.ts';

export { ROLES, type Role } from './roles.ts';
export type { Environment, Tier } from './schema.ts';
export type { SignedIn } from './sign-in.ts';

export const TABLES = [TENANTS, MERCHANTS, USERS, API_KEYS, SESSIONS];

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly tier: Tier;
}

export interface Merchant {
  readonly merchantId: string;
  readonly name: string;
  readonly legalName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly currency: Currency;
  readonly timezone: string;
  readonly country: string;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly vtSettings: VtSettings;
}

/** How a merchant's virtual terminal asks and prints (decisions 9). */
export interface VtSettings {
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
  readonly allowedModes: readonly ('card' | 'ach' | 'token')[];
  readonly defaultType: 'sale' | 'auth';
  readonly receiptWidth: '58mm' | '80mm' | 'letter';
  readonly autoPrint: boolean;
  readonly receiptHeader: string;
  readonly receiptFooter: string;
}

const VT_DEFAULTS: VtSettings = {
  requireCvv: true,
  requireZip: true,
  allowedModes: ['card', 'ach', 'token'],
  defaultType: 'sale',
  receiptWidth: '80mm',
  autoPrint: false,
  receiptHeader: '',
  receiptFooter: '',
};

/** Who a credential stands for; the rest of the Actor comes from the request. */
export type Principal = Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'merchantId' | 'permissions'> & {
  readonly tier: Tier;
  readonly kind: 'api-key' | 'user';
  readonly scope: 'merchant' | 'tenant';
  readonly userId: string | null;
};

export interface NewMerchant {
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
  readonly country?: string;
  readonly city?: string;
  readonly state?: string;
  readonly vtSettings?: Partial<VtSettings>;
}

export interface NewTenant {
  readonly name: string;
  readonly environment: Environment;
  readonly tier: Tier;
  readonly merchant: NewMerchant;
  readonly owner: { readonly email: string; readonly password: string };
}

export interface NewApiKey {
  readonly name: string;
  readonly scope: 'merchant' | 'tenant';
  readonly merchantId?: string;
  /** A given key, for credentials that must come out the same again; otherwise one is made. */
  readonly key?: string;
}

/** Who is asking, and what they may do (specification 5; decisions 3). */
export interface Identity extends SignIn {
  /** Reads every tenant once, so that what goes on without a request knows their clocks and environments. */
  load(): Promise<void>;
  tenant(tenantId: string): Promise<Tenant | null>;
  /** Any tenant at all? Until then the installation waits to be set up. */
  firstTenant(): Promise<Tenant | null>;
  hasLiveTenant(): Promise<boolean>;
  /** The tenants in which an e-mail address has a user. */
  tenantsOf(email: string): Promise<string[]>;
  /** UNAUTHORIZED for a wrong, expired or revoked key, or one of another tenant; `tenantId` null takes the key's own. */
  authenticateKey(tenantId: string | null, key: string): Promise<Principal>;
  /** UNAUTHORIZED, TOKEN_INVALID, TOKEN_EXPIRED; FORBIDDEN for a token of another tenant. */
  authenticateToken(tenantId: string, token: string): Promise<Principal>;
  /** The merchant that a call acts for: the named one, else the credential's, else the tenant's first. */
  merchantFor(by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string): Promise<Merchant>;
  merchantsOf(by: Pick<Actor, 'tenantId' | 'merchantId'>): Promise<Merchant[]>;
  /** Makes a tenant with its first merchant and its owner, all or nothing. */
  createTenant(of: NewTenant): Promise<{ tenantId: string; merchantId: string }>;
  /** Answers the key in clear, this once. */
  createApiKey(tenantId: string, of: NewApiKey): Promise<{ keyId: string; key: string }>;
  clockOf(tenantId: string): Clock;
  /**
   * Sets a tenant's clock forward and keeps it so for every server; an earlier time changes nothing. Held, it stands still here until it is set
   * again without (the sandbox test clock, decisions 5).
   */
  setClock(tenantId: string, toMs: number, held: boolean): Promise<void>;
  /** Takes up what other servers changed of the tenants' clocks; at most once a second. */
  refreshClocks(): Promise<void>;
  environmentOf(tenantId: string): Environment;
}

/** Lists the `tenant_id` of every tenant, for whoever looks at all of them. */
export const EVERY_TENANT = 'SELECT id AS tenant_id FROM tenants';

/** Another server may have changed what is cached here; on SQLite there is none. */
const SHARED_CACHE_MS = 1_000;

const noMerchant = (merchantId: string) =>
  new ServiceError('MERCHANT_NOT_FOUND', `There is no merchant ${merchantId.slice(0, 60)}.`, { details: { merchantId } });
const unauthorized = () => new ServiceError('UNAUTHORIZED', 'The API key is not valid.');

export interface IdentityNeeds {
  readonly database: Database;
  /** Signs access tokens. */
  readonly signing: KeyObject;
  readonly clock: Clock;
  /** What else a new tenant begins with, in the unit of work that makes it. */
  readonly withTenant: (work: Work, tenantId: string, nowMs: number) => Promise<void>;
}

export function createIdentity({ database, signing, clock: realClock, withTenant }: IdentityNeeds): Identity {
  const lifetimeMs = database.kind === 'sqlite' ? Number.POSITIVE_INFINITY : SHARED_CACHE_MS;
  const tenants = new Map<string, { tenant: TenantRow; untilMs: number }>();
  const apiKeys = new Map<string, { row: ApiKeyRow; untilMs: number }>();
  const merchants = new Map<string, { list: MerchantRow[]; untilMs: number }>();
  const standing = new Map<string, number>();
  let refreshedAt = 0;
  const until = () => realClock.now() + lifetimeMs;

  async function tenantRow(tenantId: string): Promise<TenantRow | null> {
    const cached = tenants.get(tenantId);
    if (cached && cached.untilMs > realClock.now()) return cached.tenant;
    const row = await database.readAcrossTenants().one(TENANTS, { id: tenantId });
    if (row) tenants.set(tenantId, { tenant: row, untilMs: until() });
    return row;
  }

  async function keyRow(key: string): Promise<ApiKeyRow | null> {
    const hash = hashSecret(key);
    const cached = apiKeys.get(hash);
    if (cached && cached.untilMs > realClock.now()) return cached.row;
    const [row] = await database.readAcrossTenants().find(API_KEYS, { hash }, { limit: 1 });
    if (row) apiKeys.set(hash, { row, untilMs: until() });
    return row ?? null;
  }

  async function merchantRows(tenantId: string): Promise<MerchantRow[]> {
    const cached = merchants.get(tenantId);
    if (cached && cached.untilMs > realClock.now()) return cached.list;
    const list = await database.read(tenantId).find(MERCHANTS, { tenant_id: tenantId }, { orderBy: [['id', 'asc']] });
    merchants.set(tenantId, { list, untilMs: until() });
    return list;
  }

  async function load(): Promise<void> {
    for (const row of await database.readAcrossTenants().all<TenantRow>('SELECT * FROM tenants'))
      tenants.set(row.id, { tenant: row, untilMs: until() });
  }

  return {
    ...createSignIn(database, signing),
    load,
    async tenant(tenantId) {
      const row = await tenantRow(tenantId);
      return row ? toTenant(row) : null;
    },
    async firstTenant() {
      const [row] = await database.readAcrossTenants().all<TenantRow>('SELECT * FROM tenants ORDER BY id LIMIT 1');
      return row ? toTenant(row) : null;
    },
    async hasLiveTenant() {
      return (await database.readAcrossTenants().one(TENANTS, { environment: 'live' })) !== null;
    },
    async tenantsOf(email) {
      const rows = await database
        .readAcrossTenants()
        .find(USERS, { email: email.trim().toLowerCase() }, { orderBy: [['tenant_id', 'asc']] });
      return rows.map((row) => row.tenant_id);
    },
    async authenticateKey(tenantId, key) {
      const row = await keyRow(key);
      if (!row || row.revoked_at !== null || (tenantId !== null && row.tenant_id !== tenantId)) throw unauthorized();
      if (row.expires_at !== null && row.expires_at <= isoTime(realClock.now())) throw unauthorized();
      const tenant = await tenantRow(row.tenant_id);
      if (!tenant) throw unauthorized();
      return {
        tenantId: row.tenant_id,
        credentialId: row.id,
        name: row.name,
        merchantId: row.merchant_id,
        permissions: row.permissions === null ? API_KEY_PERMISSIONS : permissionsFrom(JSON.parse(row.permissions) as string[]),
        tier: (row.tier as Tier | null) ?? tenant.tier,
        kind: 'api-key',
        scope: row.scope,
        userId: null,
      };
    },
    async authenticateToken(tenantId, token) {
      const claims = await readAccessToken(signing, token);
      if (claims.tenantId !== tenantId) throw new ServiceError('FORBIDDEN', 'This access token belongs to another tenant.');
      const read = database.read(tenantId);
      const [session, user, tenant] = await Promise.all([
        read.one(SESSIONS, { id: claims.sessionId }),
        read.one(USERS, { id: claims.userId }),
        tenantRow(tenantId),
      ]);
      if (!session || session.revoked_at !== null || !user || !tenant) {
        throw new ServiceError('TOKEN_INVALID', 'The session of this access token has ended; sign in again.');
      }
      return {
        tenantId,
        credentialId: user.id,
        name: user.email,
        merchantId: null,
        permissions: permissionsOfRole(user.role),
        tier: tenant.tier,
        kind: 'user',
        scope: 'tenant',
        userId: user.id,
      };
    },
    async merchantFor(by, merchantId) {
      const wanted = merchantId ?? by.merchantId ?? undefined;
      const list = await merchantRows(by.tenantId);
      const row = wanted === undefined ? list[0] : list.find(({ id }) => id === wanted);
      if (!row) throw noMerchant(wanted ?? '');
      if (by.merchantId !== null && row.id !== by.merchantId) {
        throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This credential does not act for that merchant.', {
          details: { merchantId: row.id },
        });
      }
      return toMerchant(row);
    },
    async merchantsOf(by) {
      const list = await merchantRows(by.tenantId);
      return list.filter(({ id }) => by.merchantId === null || id === by.merchantId).map(toMerchant);
    },
    async createTenant(of) {
      if (!isTimeZone(of.merchant.timezone)) {
        throw new ServiceError('VALIDATION_ERROR', 'The time zone must be an IANA name such as America/New_York.', { field: 'timezone' });
      }
      const currency = parseCurrency(of.merchant.currency);
      const password_hash = await hashPassword(of.owner.password);
      const now = realClock.now();
      const created_at = isoTime(now);
      const tenant: TenantRow = {
        id: newId('ten', now),
        name: of.name,
        environment: of.environment,
        tier: of.tier,
        clock_offset_ms: 0,
        created_at,
      };
      const merchant = merchantRow(tenant.id, of.merchant, currency, now);
      await database.unitOfWork.run(null, async (work) => {
        await work.insert(TENANTS, tenant);
        await work.insert(MERCHANTS, merchant);
        await withTenant(work, tenant.id, now);
        await work.insert(USERS, {
          tenant_id: tenant.id,
          id: newId('usr', now),
          email: of.owner.email.trim().toLowerCase(),
          password_hash,
          role: 'owner',
          failed_logins: 0,
          locked_until_ms: 0,
          created_at,
        });
      });
      tenants.set(tenant.id, { tenant, untilMs: until() });
      return { tenantId: tenant.id, merchantId: merchant.id };
    },
    async createApiKey(tenantId, of) {
      const tenant = await tenantRow(tenantId);
      const key = of.key ?? newSecret(`pk_${tenant?.environment ?? 'sandbox'}_`).secret;
      const now = realClock.now();
      const keyId = newId('key', now);
      await database.unitOfWork.run(tenantId, (work) =>
        work.insert(API_KEYS, {
          tenant_id: tenantId,
          id: keyId,
          name: of.name,
          scope: of.scope,
          merchant_id: of.merchantId ?? null,
          hash: hashSecret(key),
          last4: key.slice(-4),
          permissions: null,
          tier: null,
          expires_at: null,
          revoked_at: null,
          created_at: isoTime(now),
        }),
      );
      return { keyId, key };
    },
    clockOf(tenantId) {
      return { now: () => standing.get(tenantId) ?? realClock.now() + (tenants.get(tenantId)?.tenant.clock_offset_ms ?? 0) };
    },
    async setClock(tenantId, toMs, held) {
      const clock_offset_ms = toMs - realClock.now();
      await database.unitOfWork.run(null, (work) =>
        work.run('UPDATE tenants SET clock_offset_ms = :offset WHERE id = :id AND clock_offset_ms < :offset', {
          offset: clock_offset_ms,
          id: tenantId,
        }),
      );
      const row = await database.readAcrossTenants().one(TENANTS, { id: tenantId });
      if (row) tenants.set(tenantId, { tenant: row, untilMs: until() });
      if (held) standing.set(tenantId, toMs);
      else standing.delete(tenantId);
    },
    async refreshClocks() {
      if (database.kind === 'sqlite' || realClock.now() - refreshedAt < SHARED_CACHE_MS) return;
      refreshedAt = realClock.now();
      await load();
    },
    environmentOf(tenantId) {
      return tenants.get(tenantId)?.tenant.environment ?? 'live';
    },
  };
}

function merchantRow(tenantId: string, of: NewMerchant, currency: Currency, now: number): MerchantRow {
  return {
    tenant_id: tenantId,
    id: newId('mer', now),
    name: of.name,
    legal_name: null,
    email: null,
    phone: null,
    currency,
    timezone: of.timezone,
    country: of.country ?? 'US',
    address: null,
    city: of.city ?? null,
    state: of.state ?? null,
    zip: null,
    vt_settings: JSON.stringify(of.vtSettings ?? {}),
    created_at: isoTime(now),
  };
}

function toTenant(row: TenantRow): Tenant {
  return { tenantId: row.id, name: row.name, environment: row.environment, tier: row.tier };
}

function toMerchant(row: MerchantRow): Merchant {
  return {
    merchantId: row.id,
    name: row.name,
    legalName: row.legal_name,
    email: row.email,
    phone: row.phone,
    currency: row.currency as Currency,
    timezone: row.timezone,
    country: row.country,
    address: row.address,
    city: row.city,
    state: row.state,
    zip: row.zip,
    vtSettings: { ...VT_DEFAULTS, ...(JSON.parse(row.vt_settings) as Partial<VtSettings>) },
  };
}
