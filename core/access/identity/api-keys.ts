import { Cache, type Condition, conditionsOn, listOf, newestPage, type Page, type PageRequest, queriesOn, type Work } from '#core/database';
import { type Actor, type ApprovalSubject, assert, type Clock, isId, isoTime, newId, type Permission, ServiceError } from '#core/kernel';
import { isWithinRights, type Rights } from '#shared/api-key-rights';
import type { PersonRights } from './access-dependencies.ts';
import { permissionsIn } from './custom-roles.ts';
import type { Dependencies } from './dependencies.ts';
import { networksOf, storedNetworks } from './networks.ts';
import { originsOf, storedOrigins } from './origins.ts';
import type { ApiKey } from './records.ts';
import { API_KEY_PERMISSIONS, checkGrant, checkHolds, LIVE_API_KEY_PERMISSIONS, permissionsFrom } from './roles.ts';
import { API_KEYS, type ApiKeyRow, isTierWithin, type Tier, USERS } from './schema.ts';
import { parseSpendingLimits, type SpendingLimitsInput, showSpendingLimits } from './spending.ts';
import { hashSecret, newSecret } from './tokens.ts';

const apiKey = conditionsOn(API_KEYS);

/** Largest number of people in one list of a condition. */
const PEOPLE_PER_LIST = 500;
/** Shortest time between two updates of a key's last use. */
const USED_EVERY_MS = 60_000;

export interface ApiKeyFilter {
  readonly status?: string | undefined;
  /** ID of the person who made or last extended the keys. */
  readonly createdById?: string | undefined;
  /** Role of the people who made or last extended the keys, who have no permissions of their own. */
  readonly creatorRole?: string | undefined;
}

export interface NewApiKey {
  readonly name: string;
  readonly scope: 'merchant' | 'tenant';
  readonly merchantId?: string;
  readonly permissions?: readonly string[];
  readonly tier?: Tier;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly spendingLimits?: SpendingLimitsInput | null;
  readonly allowedOrigins?: readonly string[];
  readonly allowedAddresses?: readonly string[];
}

export interface ApiKeyChange {
  readonly name?: string;
  readonly permissions?: readonly string[];
  readonly expiresAt?: string | null;
  /** Null removes the limits. */
  readonly spendingLimits?: SpendingLimitsInput | null;
  /** Replaces all origins. */
  readonly allowedOrigins?: readonly string[];
  /** Replaces all addresses. */
  readonly allowedAddresses?: readonly string[];
}

export function createApiKeys(deps: Dependencies) {
  const { database, audit, tenants } = deps;
  const byHash = new Cache<ApiKeyRow>(database, 'api-keys');
  /** Origins of all valid keys with the time until which they hold; null without an end. */
  const origins = new Cache<ReadonlyMap<string, string | null>>(database, 'origins');
  const used = new Map<string, number>();

  const unauthorized = () => new ServiceError('UNAUTHORIZED', 'The API key is not valid.');

  async function rowOf(actor: Actor, id: string): Promise<ApiKeyRow> {
    const row = await database.read(actor.tenantId).one(API_KEYS, { id });
    if (!row) throw new ServiceError('NOT_FOUND', 'No API key has this ID.');
    if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This API key belongs to another merchant.');
    return row;
  }

  const toApiKey = (row: ApiKeyRow) => apiKeyOf(row, tenants.clockOf(row.tenant_id));

  function futureTime(expiresAt: string): string {
    const at = /^\d{4}-\d\d-\d\d/.test(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
    if (!Number.isFinite(at)) throw new ServiceError('INVALID_DATE', '`expiresAt` must be an ISO 8601 time.', { field: 'expiresAt' });
    if (at <= Date.now()) throw new ServiceError('INVALID_DATE', '`expiresAt` must be in the future.', { field: 'expiresAt' });
    return isoTime(at);
  }

  /**
   * Returns the permissions of a new key: the named ones, or those of its creator without the permissions for users, roles and API keys, and on a
   * live account without unlinked credits.
   */
  function granted(actor: Actor, permissions: readonly string[] | undefined): Permission[] {
    if (permissions !== undefined) return checkGrant(actor, permissions);
    const byDefault = tenants.environmentOf(actor.tenantId) === 'live' ? LIVE_API_KEY_PERMISSIONS : API_KEY_PERMISSIONS;
    return [...byDefault].filter((permission) => actor.permissions.has(permission));
  }

  const auditFields = ({
    name,
    scope,
    merchantId,
    permissions,
    tier,
    expiresAt,
    last4,
    spendingLimits,
    allowedOrigins,
    allowedAddresses,
  }: ApiKey) => ({
    name,
    scope,
    merchantId,
    permissions,
    tier,
    expiresAt,
    last4,
    spendingLimits: spendingLimits && { ...spendingLimits, movedToday: undefined },
    allowedOrigins,
    allowedAddresses,
  });

  /** Records the use of a key, at most once a minute. No request waits for it. */
  function recordUse(row: ApiKeyRow): void {
    const now = Date.now();
    if (now - (used.get(row.id) ?? 0) < USED_EVERY_MS) return;
    used.set(row.id, now);
    void database.unitOfWork
      .transaction(row.tenant_id, (work) => work.update(API_KEYS, { id: row.id }, { last_used_at: isoTime(now) }))
      .catch(() => used.delete(row.id));
  }

  /** Returns the conditions for keys of a status, which follows from their times. */
  function statusConditions(status: string | undefined): Condition[] {
    const now = isoTime(Date.now());
    if (status === 'revoked') return [apiKey('revoked_at', 'is not', null)];
    if (status === 'expired') return [apiKey('revoked_at', 'is', null), apiKey('expires_at', '<=', now)];
    if (status !== 'active') return [];
    return [apiKey('revoked_at', 'is', null), apiKey.or([apiKey('expires_at', 'is', null), apiKey('expires_at', '>', now)])];
  }

  /** Returns keys in the form of the API; of each key, whether its creator was removed. */
  async function shown(tenantId: string, rows: readonly ApiKeyRow[]): Promise<ApiKey[]> {
    const creators = new Set(rows.flatMap(({ creator_id }) => creator_id ?? []));
    const present = new Set<string>();
    for (const id of creators) if (await database.read(tenantId).one(USERS, { id })) present.add(id);
    return rows.map((row) => ({ ...toApiKey(row), isCreatorRemoved: row.creator_id !== null && !present.has(row.creator_id) }));
  }

  /** Returns the keys that are not revoked and that a person made or last extended, because the person may know them. */
  async function keysOf(work: Work, userId: string): Promise<ApiKeyRow[]> {
    const made = await work.find(API_KEYS, { creator_id: userId, revoked_at: null });
    const extended = await work.find(API_KEYS, { changer_id: userId, revoked_at: null });
    return [...made, ...extended.filter(({ creator_id }) => creator_id !== userId)];
  }

  /** Returns the condition for keys that one of these people made or last extended. Without people, no key meets it. */
  function isOf(userIds: readonly string[]): Condition {
    const listCount = Math.max(1, Math.ceil(userIds.length / PEOPLE_PER_LIST));
    const lists = Array.from({ length: listCount }, (_, at) => userIds.slice(at * PEOPLE_PER_LIST, (at + 1) * PEOPLE_PER_LIST));
    return apiKey.or(
      lists
        .map((ids) => listOf(ids.length === 0 ? [''] : ids))
        .flatMap((ids) => [apiKey('creator_id', 'in', ids), apiKey('changer_id', 'in', ids)]),
    );
  }

  /**
   * Checks in the unit of work that creates a key or a link that the caller still holds its rights. Locks the caller, so that a reduction of the caller's
   * rights either comes first or finds the key or link. @throws ServiceError PERMISSION_DENIED, UNAUTHORIZED.
   */
  async function checkStillHolds(work: Work, actor: Actor, key: Rights): Promise<void> {
    if (!isId('usr', actor.credentialId)) return;
    const person = await work.lockOne(USERS, { id: actor.credentialId });
    if (!person) throw new ServiceError('UNAUTHORIZED', 'This user was removed.');
    const rights = { permissions: await permissionsIn(work, person), merchantId: person.merchant_id };
    if (!isWithinRights(key, rights))
      throw new ServiceError(
        'PERMISSION_DENIED',
        'Your rights were reduced at the same time, so you can no longer give these to a key or a link.',
        {
          details: { reason: 'rights_reduced' },
        },
      );
  }

  return {
    checkStillHolds,
    /** Returns the row of a valid key. @throws ServiceError UNAUTHORIZED for a wrong, expired or revoked key, or one of another tenant. */
    async authenticate(tenantId: string | null, key: string): Promise<ApiKeyRow> {
      const hash = hashSecret(key);
      const row =
        byHash.get(hash) ??
        (await byHash.through(hash, async () => (await database.readAcrossTenants().one(API_KEYS, { hash })) ?? undefined));
      if (!row || row.revoked_at !== null || (tenantId !== null && row.tenant_id !== tenantId)) throw unauthorized();
      if (row.expires_at !== null && row.expires_at <= isoTime(Date.now())) throw unauthorized();
      recordUse(row);
      return row;
    },
    /** Returns true if any valid key of any tenant allows an origin. A preflight request of a browser names no key. */
    async isOriginOfAny(origin: string): Promise<boolean> {
      const until = (await origins.through('all', readOrigins)).get(origin);
      return until === null || (until !== undefined && until > isoTime(Date.now()));
    },
    /** Returns the IDs of the users behind a credential: the user, or those who made or last changed a key. Keys cannot make keys. */
    async peopleOf(tenantId: string, credentialId: string): Promise<string[]> {
      if (isId('usr', credentialId)) return [credentialId];
      const row = isId('key', credentialId) ? await database.read(tenantId).one(API_KEYS, { id: credentialId }) : null;
      return [...new Set([row?.creator_id, row?.changer_id].filter((id) => id != null))];
    },
    /** Returns true if the key with this ID is valid. */
    async isActive(tenantId: string, id: string): Promise<boolean> {
      const row = await database.read(tenantId).one(API_KEYS, { id });
      return row !== null && toApiKey(row).status === 'active';
    },
    async page(actor: Actor, filter: ApiKeyFilter, pageRequest: PageRequest): Promise<Page<ApiKey>> {
      const read = database.read(actor.tenantId);
      const where = actor.merchantId === null ? {} : { merchant_id: actor.merchantId };
      const conditions = statusConditions(filter.status);
      if (filter.createdById !== undefined) conditions.push(isOf([filter.createdById]));
      if (filter.creatorRole !== undefined) {
        const people = await read.find(USERS, { role: filter.creatorRole, permissions: null });
        conditions.push(isOf(people.map(({ id }) => id)));
      }
      const page = await newestPage(read, API_KEYS, 'key', where, pageRequest, conditions);
      return { ...page, items: await shown(actor.tenantId, page.items) };
    },
    async get(actor: Actor, id: string): Promise<ApiKey> {
      const [key] = await shown(actor.tenantId, [await rowOf(actor, id)]);
      assert(key !== undefined, 'a key is shown for each row');
      return key;
    },
    /**
     * Revokes the valid keys that people made or last extended and that may do more than their remaining rights, except those to keep. @throws
     * ServiceError VALIDATION_ERROR on `keepApiKeyIds` for a key that none of these people made or extended.
     */
    async revokeBeyond(work: Work, actor: Actor, people: readonly PersonRights[], keepApiKeyIds: readonly string[]): Promise<void> {
      const made: { row: ApiKeyRow; rights: Rights | null }[] = [];
      for (const { userId, rights } of people) for (const row of await keysOf(work, userId)) made.push({ row, rights });
      const unknown = keepApiKeyIds.find((id) => !made.some(({ row }) => row.id === id));
      if (unknown !== undefined)
        throw new ServiceError(
          'VALIDATION_ERROR',
          `\`keepApiKeyIds\` names ${unknown.slice(0, 60)}, which is no valid key of the person.`,
          {
            field: 'keepApiKeyIds',
          },
        );
      const revoked_at = isoTime(Date.now());
      const revoked = new Set<string>();
      for (const { row, rights } of made) {
        const key = { permissions: permissionsOfKey(row), merchantId: row.merchant_id };
        if (revoked.has(row.id) || keepApiKeyIds.includes(row.id) || isWithinRights(key, rights)) continue;
        revoked.add(row.id);
        await work.update(API_KEYS, { id: row.id }, { revoked_at });
        audit(work, {
          actor,
          action: 'api_key.revoked',
          resource: `api-keys/${row.id}`,
          merchantId: row.merchant_id,
          before: auditFields(toApiKey(row)),
          after: null,
        });
      }
      work.afterCommit(() => {
        byHash.clear();
        origins.clear();
      });
    },
    /** Returns the key of a request. */
    async own({ tenantId, credentialId }: Pick<Actor, 'tenantId' | 'credentialId'>): Promise<ApiKey> {
      const row = await database.read(tenantId).one(API_KEYS, { id: credentialId });
      if (!row) throw unauthorized();
      return toApiKey(row);
    },
    /** Creates a key and returns it in clear text, which is possible only here. */
    async create(actor: Actor, input: NewApiKey): Promise<ApiKey & { readonly key: string }> {
      if (input.scope === 'merchant' && input.merchantId === undefined)
        throw new ServiceError('REQUIRED_FIELD_MISSING', '`merchantId` is required for a key of one merchant.', { field: 'merchantId' });
      if (input.scope === 'tenant' && actor.merchantId !== null)
        throw new ServiceError(
          'MERCHANT_NOT_AUTHORIZED',
          "You have access to one merchant, so you can't create a key for the whole account.",
          {
            field: 'scope',
          },
        );
      if (input.merchantId !== undefined) await deps.checkMerchant(actor, input.merchantId);
      const permissions = granted(actor, input.permissions);
      const tenant = await tenants.find(actor.tenantId);
      if (input.tier !== undefined && tenant && !isTierWithin(input.tier, tenant.tier))
        throw new ServiceError(
          'VALIDATION_ERROR',
          `\`tier\` must not be above the account's tier, which is ${tenant.tier}. Omit it to use the account's tier.`,
          { field: 'tier', details: { tier: tenant.tier } },
        );
      const { secret, hash } = newSecret(`pk_${tenant?.environment ?? 'sandbox'}_`);
      const row = rowFor(
        actor,
        { ...input, expiresAt: input.expiresAt === undefined ? undefined : futureTime(input.expiresAt) },
        secret,
        hash,
        permissions,
      );
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        if (row.allowed_origins !== null) work.afterCommit(() => origins.clear());
        const key = toApiKey(row);
        const details = { action: 'api_key.created', before: null, after: auditFields({ ...key, last4: '' }) };
        await deps.checkApproval(work, actor, accessChange(row.merchant_id, 'api-keys', details));
        await checkStillHolds(work, actor, { permissions, merchantId: row.merchant_id });
        work.insert(API_KEYS, row);
        audit(work, {
          actor,
          action: 'api_key.created',
          resource: `api-keys/${row.id}`,
          merchantId: row.merchant_id,
          after: auditFields(key),
        });
      });
      return { ...toApiKey(row), key: secret };
    },
    /**
     * Changes name, permissions, expiry, spending limits, origins or addresses, effective with the next request. @throws ServiceError PERMISSION_DENIED for a change
     * of anything but the name of a key with permissions that the caller lacks.
     */
    async update(actor: Actor, id: string, input: ApiKeyChange): Promise<ApiKey> {
      const before = await rowOf(actor, id);
      if (before.revoked_at !== null)
        throw new ServiceError('RESOURCE_CONFLICT', 'This API key is revoked.', { details: { reason: 'revoked' } });
      const set: Partial<ApiKeyRow> = {};
      if (input.name !== undefined) set.name = input.name;
      if (input.permissions !== undefined) set.permissions = JSON.stringify(checkGrant(actor, input.permissions));
      if (input.expiresAt !== undefined) set.expires_at = input.expiresAt === null ? null : futureTime(input.expiresAt);
      if (input.spendingLimits !== undefined) set.spending_limits = storedLimits(input.spendingLimits);
      if (input.allowedOrigins !== undefined) set.allowed_origins = storedOrigins(input.allowedOrigins);
      if (input.allowedAddresses !== undefined) set.allowed_addresses = storedNetworks(input.allowedAddresses);
      const after = { ...before, ...set };
      if (isExtension(set)) checkHolds(actor, permissionsOfKey(after));
      if (Object.keys(set).length > 0) await write(actor, before, set, 'api_key.updated', after);
      return toApiKey(after);
    },
    /** Revokes a key immediately and permanently. */
    async revoke(actor: Actor, id: string): Promise<void> {
      const before = await rowOf(actor, id);
      if (before.revoked_at !== null) return;
      await write(actor, before, { revoked_at: isoTime(Date.now()) }, 'api_key.revoked', before);
    },
    /** Creates a given key if it is missing. Used for the demo, whose keys must be the same every time. */
    async ensure(tenantId: string, input: NewApiKey & { readonly key: string }): Promise<void> {
      const hash = hashSecret(input.key);
      const existing = await database.read(tenantId).one(API_KEYS, { hash });
      if (existing) return;
      const row = rowFor({ tenantId, name: 'demo', credentialId: null }, input, input.key, hash, [...API_KEY_PERMISSIONS]);
      await database.unitOfWork.transaction(tenantId, async (work) => work.insert(API_KEYS, row));
    },
  };

  async function write(actor: Actor, before: ApiKeyRow, set: Partial<ApiKeyRow>, action: string, after: ApiKeyRow): Promise<void> {
    await database.unitOfWork.transaction(actor.tenantId, async (work) => {
      // A revocation takes effect immediately: a leaked key must not wait for a second person.
      const isExtended = action === 'api_key.updated' && isExtension(set);
      if (isExtended) {
        const details = { action, before: auditFields(toApiKey(before)), after: auditFields(toApiKey(after)) };
        await deps.checkApproval(work, actor, accessChange(before.merchant_id, `api-keys/${before.id}`, details));
        if (set.permissions !== undefined)
          await checkStillHolds(work, actor, { permissions: permissionsOfKey(after), merchantId: before.merchant_id });
      }
      await work.update(API_KEYS, { id: before.id }, isExtended ? { ...set, changer_id: actor.credentialId } : set);
      audit(work, {
        actor,
        action,
        resource: `api-keys/${before.id}`,
        merchantId: before.merchant_id,
        before: auditFields(toApiKey(before)),
        after: action === 'api_key.revoked' ? null : auditFields(toApiKey(after)),
      });
    });
    byHash.delete(before.hash);
    origins.clear();
  }

  async function readOrigins(): Promise<ReadonlyMap<string, string | null>> {
    const found = new Map<string, string | null>();
    const inUse = queriesOn(API_KEYS)
      .selectFrom('api_keys')
      .select(['allowed_origins', 'expires_at'])
      .where('allowed_origins', 'is not', null)
      .where('revoked_at', 'is', null);
    for (const row of await database.readAcrossTenants().rows(inUse)) {
      for (const origin of originsOf(row)) {
        const known = found.get(origin);
        const isLonger = known === undefined || (known !== null && (row.expires_at === null || row.expires_at > known));
        if (isLonger) found.set(origin, row.expires_at);
      }
    }
    return found;
  }
}

/** Returns true for a change by which a key may do more, or for longer. */
const isExtension = (set: Partial<ApiKeyRow>): boolean => Object.keys(set).some((column) => column !== 'name');

/** Returns the change of an API key as the approver sees it. */
function accessChange(merchantId: string | null, resource: string, details: Record<string, unknown>): ApprovalSubject {
  return { kind: 'access_change', merchantId, resource, amount: null, details };
}

function rowFor(
  actor: Pick<Actor, 'tenantId' | 'name'> & { readonly credentialId: string | null },
  input: NewApiKey,
  secret: string,
  hash: string,
  permissions: readonly Permission[],
): ApiKeyRow {
  const now = Date.now();
  return {
    tenant_id: actor.tenantId,
    id: newId('key', now),
    name: input.name,
    scope: input.scope,
    merchant_id: input.scope === 'tenant' ? null : (input.merchantId ?? null),
    hash,
    last4: secret.slice(-4),
    permissions: JSON.stringify(permissions),
    tier: input.tier ?? null,
    expires_at: input.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    spending_limits: storedLimits(input.spendingLimits),
    spent_day: null,
    spent_minor: 0,
    allowed_origins: storedOrigins(input.allowedOrigins),
    allowed_addresses: storedNetworks(input.allowedAddresses),
    created_by: actor.name,
    creator_id: actor.credentialId,
    changer_id: null,
    created_at: isoTime(now),
  };
}

const storedLimits = (input: SpendingLimitsInput | null | undefined) => (input == null ? null : JSON.stringify(parseSpendingLimits(input)));

const permissionsByList = new Map<string, ReadonlySet<Permission>>();
const LISTS_MAX = 1_000;

/** Returns the permissions of a key. Lists that were read before are remembered, because every request needs those of its key. */
export function permissionsOfKey({ permissions: list }: ApiKeyRow): ReadonlySet<Permission> {
  if (list === null) return API_KEY_PERMISSIONS;
  const known = permissionsByList.get(list);
  if (known !== undefined) return known;
  if (permissionsByList.size >= LISTS_MAX) permissionsByList.clear();
  const permissions = permissionsFrom(JSON.parse(list) as string[]);
  permissionsByList.set(list, permissions);
  return permissions;
}

function apiKeyOf(row: ApiKeyRow, clock: Clock): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= isoTime(Date.now());
  return {
    id: row.id,
    keyId: row.id,
    name: row.name,
    scope: row.scope,
    merchantId: row.merchant_id,
    permissions: [...permissionsOfKey(row)],
    tier: row.tier as Tier | null,
    last4: row.last4,
    status: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    spendingLimits: showSpendingLimits(row, clock),
    allowedOrigins: originsOf(row),
    allowedAddresses: networksOf(row),
    createdBy: row.created_by,
    createdById: row.creator_id,
    isCreatorRemoved: false,
    createdAt: row.created_at,
  };
}
