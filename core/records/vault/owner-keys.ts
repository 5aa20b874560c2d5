import { type KeyObject, randomBytes } from 'node:crypto';
import { queriesOn, type Read, TENANT, type Work } from '#core/database';
import type { DataKeys } from './data-keys.ts';
import { OWNER_KEYS, type OwnerKeyRow } from './schema.ts';
import { KEY_BYTES, keyOf, open, seal } from './sealing.ts';

const ownerContext = ({ tenant_id, owner, key_version }: Pick<OwnerKeyRow, 'tenant_id' | 'owner' | 'key_version'>) =>
  `owner-key|${tenant_id}|${owner}|${key_version}`;

/** Keys of owners, wrapped by the data key of their tenant. Destroying an owner's key destroys everything that was sealed with it. */
export class OwnerKeys {
  readonly #keys: DataKeys;

  constructor(keys: DataKeys) {
    this.#keys = keys;
  }

  /** Returns the key of a new owner, to be written in the unit of work that creates the owner. */
  async create(tenantId: string, owner: string): Promise<OwnerKeyRow> {
    const { key, version } = await this.#keys.current(tenantId);
    const row = { tenant_id: tenantId, owner, key_version: version };
    return { ...row, wrapped: seal(key, ownerContext(row), randomBytes(KEY_BYTES)) };
  }

  /** Returns the key of an owner; null if it was destroyed. */
  async keyOf(read: Read, tenantId: string, owner: string): Promise<KeyObject | null> {
    const row = await read.one(OWNER_KEYS, { owner });
    if (!row) return null;
    const { key } = await this.#keys.ofVersion(tenantId, row.key_version);
    return keyOf(open(key, ownerContext(row), row.wrapped));
  }

  /** Re-encrypts one block of owners' keys with the current data key. Returns their number. */
  async rewrap(work: Work, tenantId: string, block: number): Promise<number> {
    const { key, version } = await this.#keys.current(tenantId);
    const rows = await work.rows(
      queriesOn(OWNER_KEYS)
        .selectFrom('owner_keys')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('key_version', '<', version)
        .orderBy('key_version')
        .orderBy('owner')
        .limit(block),
    );
    for (const row of rows) {
      const before = await this.#keys.ofVersion(tenantId, row.key_version);
      const wrapped = seal(key, ownerContext({ ...row, key_version: version }), open(before.key, ownerContext(row), row.wrapped));
      // Only unchanged keys, because another server may be re-encrypting them too.
      await work.update(OWNER_KEYS, { owner: row.owner, key_version: row.key_version }, { wrapped, key_version: version });
    }
    return rows.length;
  }
}
