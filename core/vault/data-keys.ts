import { type KeyObject, randomBytes } from 'node:crypto';
import { type Database, UniqueViolation } from '#core/database';
import { assert, type Clock, isoTime } from '#core/kernel';
import { DATA_KEYS } from './schema.ts';
import { deriveKey, KEY_BYTES, keyOf, open, seal } from './sealing.ts';

/** A tenant's data key of one version, unwrapped. */
export interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
  readonly fingerprintKey: KeyObject;
}

/** The key of a tenant's fingerprints. It is never replaced, so that fingerprints stay comparable over rotations. */
export const FINGERPRINT_VERSION = 0;

const keyContext = (tenantId: string, version: number) => `data-key|${tenantId}|${version}`;

/** The data keys of tenants, wrapped by the master key in the database and unwrapped in memory. */
export class DataKeys {
  readonly #database: Database;
  readonly #clockOf: (tenantId: string) => Clock;
  #master: KeyObject;
  /** By tenant, the newest version under `current`. */
  readonly #known = new Map<string, { current: DataKey; byVersion: Map<number, DataKey> }>();

  constructor(database: Database, masterKey: Buffer, clockOf: (tenantId: string) => Clock) {
    this.#database = database;
    this.#clockOf = clockOf;
    this.#master = keyOf(masterKey);
  }

  async current(tenantId: string): Promise<DataKey> {
    return (await this.#of(tenantId)).current;
  }

  /** The key of a version that something is sealed under. */
  async ofVersion(tenantId: string, version: number): Promise<DataKey> {
    const known = (await this.#of(tenantId)).byVersion.get(version);
    if (known) return known;
    // Another server rotated the key meanwhile.
    this.#known.delete(tenantId);
    const fresh = (await this.#of(tenantId)).byVersion.get(version);
    assert(fresh, 'what is sealed names a data key that exists');
    return fresh;
  }

  /** Made from the key that outlives rotations, so that texts need no sealing anew. */
  async forTexts(tenantId: string): Promise<KeyObject> {
    const { fingerprintKey } = await this.current(tenantId);
    return deriveKey(fingerprintKey.export(), `texts/${tenantId}`);
  }

  /** Adds a version behind the present one; answers both. */
  async renew(tenantId: string): Promise<{ before: DataKey; current: DataKey }> {
    const before = await this.current(tenantId);
    await this.#add(tenantId, before.version + 1);
    this.#known.delete(tenantId);
    return { before, current: await this.current(tenantId) };
  }

  /** Destroys the versions older than one that nothing is sealed under any more. */
  async destroyBefore(tenantId: string, version: number): Promise<void> {
    await this.#database.unitOfWork.run(tenantId, (work) =>
      work.run('DELETE FROM data_keys WHERE tenant_id = :tenantId AND version > :fingerprint AND version < :version', {
        fingerprint: FINGERPRINT_VERSION,
        version,
      }),
    );
    this.#known.delete(tenantId);
  }

  /** Wraps all data keys with another master key and goes on with it. */
  async wrapWith(next: Buffer): Promise<void> {
    const nextKey = keyOf(next);
    await this.#database.unitOfWork.run(null, async (work) => {
      for (const row of await work.all<{ tenant_id: string; version: number; wrapped: string }>(
        'SELECT tenant_id, version, wrapped FROM data_keys',
      )) {
        const context = keyContext(row.tenant_id, row.version);
        const wrapped = seal(nextKey, context, open(this.#master, context, row.wrapped));
        await work.update(DATA_KEYS, { tenant_id: row.tenant_id, version: row.version }, { wrapped });
      }
    });
    this.#master = nextKey;
    this.#known.clear();
  }

  async #of(tenantId: string): Promise<{ current: DataKey; byVersion: Map<number, DataKey> }> {
    const known = this.#known.get(tenantId);
    if (known) return known;
    const rows = await this.#database.read(tenantId).find(DATA_KEYS, { tenant_id: tenantId }, { orderBy: [['version', 'asc']] });
    if (rows.length === 0) {
      await this.#add(tenantId, FINGERPRINT_VERSION, 1).catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error;
      });
      return this.#of(tenantId);
    }
    const byVersion = new Map<number, DataKey>();
    let fingerprintKey: KeyObject | undefined;
    for (const { version, wrapped } of rows) {
      const key = keyOf(open(this.#master, keyContext(tenantId, version), wrapped));
      if (version === FINGERPRINT_VERSION) fingerprintKey = key;
      else if (fingerprintKey) byVersion.set(version, { version, key, fingerprintKey });
    }
    const current = [...byVersion.values()].at(-1);
    assert(current, 'a tenant has a fingerprint key and a data key');
    const loaded = { current, byVersion };
    this.#known.set(tenantId, loaded);
    return loaded;
  }

  async #add(tenantId: string, ...versions: number[]): Promise<void> {
    const created_at = isoTime(this.#clockOf(tenantId).now());
    await this.#database.unitOfWork.run(tenantId, async (work) => {
      for (const version of versions) {
        const wrapped = seal(this.#master, keyContext(tenantId, version), randomBytes(KEY_BYTES));
        await work.insert(DATA_KEYS, { tenant_id: tenantId, version, wrapped, created_at });
      }
    });
  }
}
