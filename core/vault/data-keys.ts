import { type KeyObject, randomBytes } from 'node:crypto';
import { type Database, lit, queriesOn, TENANT, UniqueViolation, type Work } from '#core/database';
import { assert, type Clock, isoTime, ServiceError } from '#core/kernel';
import type { KeyRing, Rewrap } from './key-ring.ts';
import { DATA_KEYS, type DataKeyRow, OWNER_KEYS, VAULT } from './schema.ts';

const queries = queriesOn(DATA_KEYS, OWNER_KEYS, VAULT);

import { dataKeyContext, deriveKey, KEY_BYTES, keyOf } from './sealing.ts';

/** A tenant's data key of one version, unwrapped. */
interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
  readonly fingerprintKey: KeyObject;
}

/** The key of a tenant's fingerprints. It is never replaced, so that fingerprints stay comparable over rotations. */
const FINGERPRINT_VERSION = 0;

/** A version that another server made is used here no later than this. */
const SHARED_MS = 60_000;
/** Longest time that something encrypted under an older version may take to reach the database, on any server. */
const GRACE_MS = 3_600_000;
/** Shortest time between renewals, so that every server knows of one before the next. */
const RENEWALS_APART_MS = 2 * SHARED_MS;

interface Known {
  readonly current: DataKey;
  readonly byVersion: ReadonlyMap<number, DataKey>;
  /** Creation time of each version, in milliseconds of the tenant's time. */
  readonly madeMs: ReadonlyMap<number, number>;
  readonly untilMs: number;
}

/** The data keys of tenants, wrapped by the master key in the database and unwrapped in memory. */
export class DataKeys {
  readonly #database: Database;
  readonly #clockOf: (tenantId: string) => Clock;
  readonly #ring: KeyRing;
  /** Data keys by tenant, with the newest version under `current`. */
  readonly #known = new Map<string, Known>();

  constructor(database: Database, ring: KeyRing, clockOf: (tenantId: string) => Clock) {
    this.#database = database;
    this.#clockOf = clockOf;
    this.#ring = ring;
  }

  async current(tenantId: string): Promise<DataKey> {
    return (await this.#of(tenantId)).current;
  }

  /** The key of a version that something is sealed under. */
  async ofVersion(tenantId: string, version: number): Promise<DataKey> {
    const known = (await this.#of(tenantId)).byVersion.get(version);
    if (known) return known;
    // Another server rotated the key in the meantime.
    const fresh = (await this.#fresh(tenantId)).byVersion.get(version);
    assert(fresh, 'what is sealed names a data key that exists');
    return fresh;
  }

  /** Derives from the installation key, so that texts need no re-encryption. */
  async forTexts(tenantId: string): Promise<KeyObject> {
    const { fingerprintKey } = await this.current(tenantId);
    return deriveKey(fingerprintKey.export(), `texts/${tenantId}`);
  }

  /** Adds a version after the present one and returns it. @throws ServiceError RESOURCE_CONFLICT while another server does so. */
  async renew(tenantId: string): Promise<DataKey> {
    const { current } = await this.#fresh(tenantId);
    await this.#add(tenantId, current.version + 1).catch((cause: unknown) => {
      if (!(cause instanceof UniqueViolation)) throw cause;
      throw new ServiceError('RESOURCE_CONFLICT', 'The data key is being renewed already.', { cause });
    });
    return (await this.#fresh(tenantId)).current;
  }

  /** RESOURCE_CONFLICT for a renewal that follows the last too soon for all servers to know of both. */
  async checkRenewable(tenantId: string): Promise<void> {
    const { current, madeMs } = await this.#fresh(tenantId);
    if ((madeMs.get(current.version) ?? 0) > this.#clockOf(tenantId).now() - RENEWALS_APART_MS)
      throw new ServiceError('RESOURCE_CONFLICT', 'The data key was renewed less than two minutes ago.');
  }

  /** Destroys the versions before one that nothing is sealed under. */
  async destroyBefore(tenantId: string, version: number): Promise<number> {
    const destroyed = await this.#database.unitOfWork.run(tenantId, (work) =>
      work.change(
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
    this.#known.delete(tenantId);
    await this.#database.purgeDeletedRows();
    return destroyed;
  }

  /**
   * The version before which all may be destroyed: the newest that has been in use for so long that nothing can still be on its way under an older
   * one. 0 while there is none such; null where there is one version alone.
   */
  async destroyable(tenantId: string): Promise<number | null> {
    const { madeMs } = await this.#fresh(tenantId);
    if (madeMs.size < 2) return null;
    const latestMs = this.#clockOf(tenantId).now() - GRACE_MS;
    return Math.max(0, ...[...madeMs].filter(([, atMs]) => atMs <= latestMs).map(([version]) => version));
  }

  /** Wraps all data keys again, in the unit of work that exchanges the master key. */
  async rewrapAll(work: Work, again: Rewrap): Promise<void> {
    for (const row of await work.rows(queries.selectFrom('data_keys').selectAll().orderBy('tenant_id').orderBy('version'))) {
      const wrapped = again(dataKeyContext(row.tenant_id, row.version), row.wrapped);
      await work.update(DATA_KEYS, { tenant_id: row.tenant_id, version: row.version }, { wrapped });
    }
  }

  /** Reads the database, because another server may have renewed the key. */
  #fresh(tenantId: string): Promise<Known> {
    this.#known.delete(tenantId);
    return this.#of(tenantId);
  }

  async #of(tenantId: string): Promise<Known> {
    const known = this.#known.get(tenantId);
    if (known && known.untilMs > performance.now()) return known;
    const rows = await this.#rowsOf(tenantId);
    if (rows.length === 0) {
      await this.#add(tenantId, FINGERPRINT_VERSION, 1).catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error;
      });
      return this.#of(tenantId);
    }
    let loaded: Known;
    try {
      loaded = this.#unwrapped(rows);
    } catch {
      // The master key was exchanged since the rows were read, here or by another station.
      await this.#ring.refresh();
      loaded = this.#unwrapped(await this.#rowsOf(tenantId));
    }
    this.#known.set(tenantId, loaded);
    return loaded;
  }

  #rowsOf(tenantId: string): Promise<DataKeyRow[]> {
    return this.#database.read(tenantId).find(DATA_KEYS, { tenant_id: tenantId }, { orderBy: [['version', 'asc']] });
  }

  #unwrapped(rows: readonly DataKeyRow[]): Known {
    const byVersion = new Map<number, DataKey>();
    let fingerprintKey: KeyObject | undefined;
    for (const { tenant_id, version, wrapped } of rows) {
      const key = keyOf(this.#ring.unwrap(dataKeyContext(tenant_id, version), wrapped));
      if (version === FINGERPRINT_VERSION) fingerprintKey = key;
      else if (fingerprintKey) byVersion.set(version, { version, key, fingerprintKey });
    }
    const current = [...byVersion.values()].at(-1);
    assert(current, 'a tenant has a fingerprint key and a data key');
    const untilMs = this.#database.kind === 'sqlite' ? Number.POSITIVE_INFINITY : performance.now() + SHARED_MS;
    const madeMs = new Map(rows.filter(({ version }) => byVersion.has(version)).map((row) => [row.version, Date.parse(row.created_at)]));
    return { current, byVersion, madeMs, untilMs };
  }

  async #add(tenantId: string, ...versions: number[]): Promise<void> {
    const created_at = isoTime(this.#clockOf(tenantId).now());
    await this.#database.unitOfWork.run(tenantId, async (work) => {
      for (const version of versions) {
        const wrapped = await this.#ring.wrap(work, dataKeyContext(tenantId, version), randomBytes(KEY_BYTES));
        work.insert(DATA_KEYS, { tenant_id: tenantId, version, wrapped, created_at });
      }
    });
  }
}
