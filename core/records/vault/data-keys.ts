import { type KeyObject, randomBytes } from 'node:crypto';
import { type Database, lit, queriesOn, TENANT, UniqueViolation, type Work } from '#core/database';
import { assert, type Clock, isoTime, ServiceError } from '#core/kernel';
import type { KeyRing, Rewrap } from './key-ring.ts';
import { DATA_KEYS, type DataKeyRow, OWNER_KEYS, VAULT } from './schema.ts';
import { dataKeyContext, deriveKey, KEY_BYTES, keyOf } from './sealing.ts';

const queries = queriesOn(DATA_KEYS, OWNER_KEYS, VAULT);

/** A tenant's data key of one version, unwrapped. */
interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
  readonly fingerprintKey: KeyObject;
}

/** Version of the key of a tenant's fingerprints. It is never replaced, so that fingerprints stay comparable after rotations. */
const FINGERPRINT_VERSION = 0;

/** Lifetime of cached keys. After this time a version of another server is used here too. */
const CACHE_LIFETIME_MS = 60_000;
/** Longest time until data encrypted with an older version reaches the database, on any server. */
const USE_WITHIN_MS = 3_600_000;
/** Minimum time between rotations, so that every server knows of one before the next. */
const RENEWAL_INTERVAL_MIN_MS = 2 * CACHE_LIFETIME_MS;

interface CachedKeys {
  readonly current: DataKey;
  readonly byVersion: ReadonlyMap<number, DataKey>;
  /** Creation time of each version, in milliseconds of the tenant's time. */
  readonly createdMs: ReadonlyMap<number, number>;
  readonly untilMs: number;
}

/** The data keys of tenants, wrapped by the master key in the database and unwrapped in memory. */
export class DataKeys {
  readonly #database: Database;
  readonly #clockOf: (tenantId: string) => Clock;
  readonly #ring: KeyRing;
  /** Data keys by tenant, with the newest version under `current`. */
  readonly #cache = new Map<string, CachedKeys>();

  constructor(database: Database, ring: KeyRing, clockOf: (tenantId: string) => Clock) {
    this.#database = database;
    this.#clockOf = clockOf;
    this.#ring = ring;
  }

  async current(tenantId: string): Promise<DataKey> {
    return (await this.#load(tenantId)).current;
  }

  /** Returns the key of a version, with which data is sealed. */
  async ofVersion(tenantId: string, version: number): Promise<DataKey> {
    const known = (await this.#load(tenantId)).byVersion.get(version);
    if (known) return known;
    // Another server rotated the key in the meantime.
    const fresh = (await this.#reload(tenantId)).byVersion.get(version);
    assert(fresh, 'a sealed value refers to an existing data key');
    return fresh;
  }

  /** Returns the key of texts. It derives from the key that is never replaced, so that texts need no re-encryption. */
  async forTexts(tenantId: string): Promise<KeyObject> {
    const { fingerprintKey } = await this.current(tenantId);
    return deriveKey(fingerprintKey.export(), `texts/${tenantId}`);
  }

  /** Adds a version after the current one and returns it. @throws ServiceError RESOURCE_CONFLICT while another server does so. */
  async renew(tenantId: string): Promise<DataKey> {
    const { current } = await this.#reload(tenantId);
    await this.#add(tenantId, current.version + 1).catch((cause: unknown) => {
      if (!(cause instanceof UniqueViolation)) throw cause;
      throw new ServiceError('RESOURCE_CONFLICT', 'The data key is already being renewed.', { cause });
    });
    return (await this.#reload(tenantId)).current;
  }

  /**
   * Returns false if the tenant has no data key yet. @throws ServiceError RESOURCE_CONFLICT if the newest one is so recent that other servers may
   * not know of it.
   */
  async checkRenewable(tenantId: string, account = 'this account'): Promise<boolean> {
    const newest = (await this.#rowsOf(tenantId)).at(-1);
    if (newest === undefined) return false;
    const renewableMs = Date.parse(newest.created_at) + RENEWAL_INTERVAL_MIN_MS;
    if (renewableMs <= this.#clockOf(tenantId).now()) return true;
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      `The data key of ${account} was created at ${newest.created_at}, less than two minutes ago. Try again after ${isoTime(renewableMs)}.`,
    );
  }

  /** Destroys the versions before a given one with which nothing is sealed. Returns their number. */
  async destroyBefore(tenantId: string, version: number): Promise<number> {
    const destroyed = await this.#database.unitOfWork.transaction(tenantId, (work) =>
      work.execute(
        queries
          .deleteFrom('data_keys')
          .where('tenant_id', '=', TENANT)
          .where('version', '>', lit(FINGERPRINT_VERSION))
          .where('version', '<', version)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('vault_entries as e')
                  .select('e.id')
                  .where('e.tenant_id', '=', TENANT)
                  .whereRef('e.key_version', '=', 'data_keys.version')
                  .where('e.owner', 'is', null),
              ),
            ),
          )
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('owner_keys as o')
                  .select('o.owner')
                  .where('o.tenant_id', '=', TENANT)
                  .whereRef('o.key_version', '=', 'data_keys.version'),
              ),
            ),
          ),
      ),
    );
    if (destroyed === 0) return 0;
    this.#cache.delete(tenantId);
    await this.#database.purgeDeletedRows();
    return destroyed;
  }

  /**
   * Returns the version before which all may be destroyed: the newest one that has been in use so long that no request can still use an older one. 0 if
   * there is none; null if there is only one version.
   */
  async destroyableBefore(tenantId: string): Promise<number | null> {
    const { createdMs } = await this.#reload(tenantId);
    if (createdMs.size < 2) return null;
    const latestMs = this.#clockOf(tenantId).now() - USE_WITHIN_MS;
    return Math.max(0, ...[...createdMs].filter(([, atMs]) => atMs <= latestMs).map(([version]) => version));
  }

  /** Wraps all data keys again, in the unit of work that replaces the master key. */
  async rewrapAll(work: Work, rewrap: Rewrap): Promise<void> {
    for (const row of await work.rows(queries.selectFrom('data_keys').selectAll().orderBy('tenant_id').orderBy('version'))) {
      const wrapped = rewrap(dataKeyContext(row.tenant_id, row.version), row.wrapped);
      await work.update(DATA_KEYS, { tenant_id: row.tenant_id, version: row.version }, { wrapped });
    }
  }

  /** Reads the keys from the database, because another server may have rotated them. */
  #reload(tenantId: string): Promise<CachedKeys> {
    this.#cache.delete(tenantId);
    return this.#load(tenantId);
  }

  async #load(tenantId: string): Promise<CachedKeys> {
    const known = this.#cache.get(tenantId);
    if (known && known.untilMs > performance.now()) return known;
    const rows = await this.#rowsOf(tenantId);
    if (rows.length === 0) {
      await this.#add(tenantId, FINGERPRINT_VERSION, 1).catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error;
      });
      return this.#load(tenantId);
    }
    let loaded: CachedKeys;
    try {
      loaded = this.#unwrapped(rows);
    } catch {
      // The master key was replaced after the rows were read, by this server or another one.
      await this.#ring.refresh();
      loaded = this.#unwrapped(await this.#rowsOf(tenantId));
    }
    this.#cache.set(tenantId, loaded);
    return loaded;
  }

  #rowsOf(tenantId: string): Promise<DataKeyRow[]> {
    return this.#database.read(tenantId).find(DATA_KEYS, { tenant_id: tenantId }, { orderBy: [['version', 'asc']] });
  }

  #unwrapped(rows: readonly DataKeyRow[]): CachedKeys {
    const byVersion = new Map<number, DataKey>();
    let fingerprintKey: KeyObject | undefined;
    for (const { tenant_id, version, wrapped } of rows) {
      const key = keyOf(this.#ring.unwrap(dataKeyContext(tenant_id, version), wrapped));
      if (version === FINGERPRINT_VERSION) fingerprintKey = key;
      else if (fingerprintKey) byVersion.set(version, { version, key, fingerprintKey });
    }
    const current = [...byVersion.values()].at(-1);
    assert(current, 'a tenant has a fingerprint key and a data key');
    const untilMs = this.#database.kind === 'sqlite' ? Number.POSITIVE_INFINITY : performance.now() + CACHE_LIFETIME_MS;
    const createdMs = new Map(rows.filter(({ version }) => byVersion.has(version)).map((row) => [row.version, Date.parse(row.created_at)]));
    return { current, byVersion, createdMs, untilMs };
  }

  async #add(tenantId: string, ...versions: number[]): Promise<void> {
    const created_at = isoTime(this.#clockOf(tenantId).now());
    await this.#database.unitOfWork.transaction(tenantId, async (work) => {
      for (const version of versions) {
        const wrapped = await this.#ring.wrap(work, dataKeyContext(tenantId, version), randomBytes(KEY_BYTES));
        work.insert(DATA_KEYS, { tenant_id: tenantId, version, wrapped, created_at });
      }
    });
  }
}
