import { type Condition, conditionsOn, listOf, newestPage, type Page, type PageRequest, queriesOn } from '#core/database';
import { type Actor, assert, isId, isoTime } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import { originsOf } from '../origins.ts';
import type { ApiKey } from '../records.ts';
import { API_KEYS, type ApiKeyRow, USERS } from '../schema.ts';
import { hashSecret } from '../tokens.ts';
import { rowOf, toApiKey, unauthorized } from './key.ts';

const apiKey = conditionsOn(API_KEYS);

/** Largest number of people in one list of a condition. */
const PEOPLE_PER_LIST = 500;

export interface ApiKeyFilter {
  readonly status?: string | undefined;
  /** ID of the person who made or last extended the keys. */
  readonly createdById?: string | undefined;
  /** Role of the people who made or last extended the keys, who have no permissions of their own. */
  readonly creatorRole?: string | undefined;
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
async function shown(deps: Dependencies, tenantId: string, rows: readonly ApiKeyRow[]): Promise<ApiKey[]> {
  const creators = new Set(rows.flatMap(({ creator_id }) => creator_id ?? []));
  const present = new Set<string>();
  for (const id of creators) if (await deps.database.read(tenantId).one(USERS, { id })) present.add(id);
  return rows.map((row) => ({ ...toApiKey(deps, row), isCreatorRemoved: row.creator_id !== null && !present.has(row.creator_id) }));
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

/** Returns the IDs of the users behind a credential: the user, or those who made or last changed a key. Keys cannot make keys. */
export async function peopleOf(deps: Dependencies, tenantId: string, credentialId: string): Promise<string[]> {
  if (isId('usr', credentialId)) return [credentialId];
  const row = isId('key', credentialId) ? await deps.database.read(tenantId).one(API_KEYS, { id: credentialId }) : null;
  return [...new Set([row?.creator_id, row?.changer_id].filter((id) => id != null))];
}

export async function listApiKeys(deps: Dependencies, actor: Actor, filter: ApiKeyFilter, pageRequest: PageRequest): Promise<Page<ApiKey>> {
  const read = deps.database.read(actor.tenantId);
  const where = actor.merchantId === null ? {} : { merchant_id: actor.merchantId };
  const conditions = statusConditions(filter.status);
  if (filter.createdById !== undefined) conditions.push(isOf([filter.createdById]));
  if (filter.creatorRole !== undefined) {
    const people = await read.find(USERS, { role: filter.creatorRole, permissions: null });
    conditions.push(isOf(people.map(({ id }) => id)));
  }
  const page = await newestPage(read, API_KEYS, 'key', where, pageRequest, conditions);
  return { ...page, items: await shown(deps, actor.tenantId, page.items) };
}

export async function getApiKey(deps: Dependencies, actor: Actor, id: string): Promise<ApiKey> {
  const [key] = await shown(deps, actor.tenantId, [await rowOf(deps, actor, id)]);
  assert(key !== undefined, 'a key is shown for each row');
  return key;
}

/** Returns the key of a request. */
export async function ownApiKey(deps: Dependencies, { tenantId, credentialId }: Pick<Actor, 'tenantId' | 'credentialId'>): Promise<ApiKey> {
  const row = await deps.database.read(tenantId).one(API_KEYS, { id: credentialId });
  if (!row) throw unauthorized();
  return toApiKey(deps, row);
}

/** Shortest time between two updates of a key's last use. */
const USED_EVERY_MS = 60_000;

/** Records the use of a key, at most once a minute. No request waits for it. */
function recordUse(deps: Dependencies, row: ApiKeyRow): void {
  const now = Date.now();
  if (now - (deps.caches.keyUses.get(row.id) ?? 0) < USED_EVERY_MS) return;
  deps.caches.keyUses.set(row.id, now);
  void deps.database.unitOfWork
    .transaction(row.tenant_id, (work) => work.update(API_KEYS, { id: row.id }, { last_used_at: isoTime(now) }))
    .catch(() => deps.caches.keyUses.delete(row.id));
}

/** Returns the row of a valid key. @throws ServiceError UNAUTHORIZED for a wrong, expired or revoked key, or one of another tenant. */
export async function authenticateApiKey(deps: Dependencies, tenantId: string | null, key: string): Promise<ApiKeyRow> {
  const hash = hashSecret(key);
  const row =
    deps.caches.apiKeys.get(hash) ??
    (await deps.caches.apiKeys.through(hash, async () => (await deps.database.readAcrossTenants().one(API_KEYS, { hash })) ?? undefined));
  if (!row || row.revoked_at !== null || (tenantId !== null && row.tenant_id !== tenantId)) throw unauthorized();
  if (row.expires_at !== null && row.expires_at <= isoTime(Date.now())) throw unauthorized();
  recordUse(deps, row);
  return row;
}

/** Returns true if any valid key of any tenant allows an origin. A preflight request of a browser names no key. */
export async function isOriginOfAny(deps: Dependencies, origin: string): Promise<boolean> {
  const until = (await deps.caches.origins.through('all', () => readOrigins(deps))).get(origin);
  return until === null || (until !== undefined && until > isoTime(Date.now()));
}

async function readOrigins(deps: Dependencies): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  const inUse = queriesOn(API_KEYS)
    .selectFrom('api_keys')
    .select(['allowed_origins', 'expires_at'])
    .where('allowed_origins', 'is not', null)
    .where('revoked_at', 'is', null);
  for (const row of await deps.database.readAcrossTenants().rows(inUse)) {
    for (const origin of originsOf(row)) {
      const known = found.get(origin);
      const isLonger = known === undefined || (known !== null && (row.expires_at === null || row.expires_at > known));
      if (isLonger) found.set(origin, row.expires_at);
    }
  }
  return found;
}
