import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Cache, queriesOn, TENANT } from '#core/database';
import { newId, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { SIGNING_KEYS, type SigningKeyRow } from './schema.ts';

const KEY_BYTES = 32;
/** Age at which a key is replaced automatically. */
const KEY_LIFE_MS = 90 * 86_400_000;
/** Retention of a replaced key; longer than the lifetime of any token that it signed. */
const RETIRED_KEPT_MS = 24 * 3_600_000;

export interface SigningKey {
  readonly id: string;
  readonly tenantId: string;
  readonly key: KeyObject;
  readonly createdMs: number;
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

/**
 * Keys that sign a tenant's tokens. The newest one signs; older ones verify until their tokens have expired, so a rotation signs nobody
 * out. All times are real time.
 */
export function createSigningKeys({ database, secrets }: Pick<Dependencies, 'database' | 'secrets'>) {
  const byId = new Cache<SigningKey>(database, 'signing-keys-by-id');
  const newest = new Cache<SigningKey>(database, 'signing-keys');

  const purpose = (id: string) => `signing-key/${id}`;

  async function openKey(row: SigningKeyRow): Promise<SigningKey> {
    const bytes = Buffer.from(await secrets.open(row.tenant_id, purpose(row.id), row.sealed), 'base64');
    return { id: row.id, tenantId: row.tenant_id, key: createSecretKey(bytes), createdMs: row.created_ms };
  }

  async function add(tenantId: string): Promise<SigningKey> {
    const now = Date.now();
    const id = newId('sig', now);
    const sealed = await secrets.seal(tenantId, purpose(id), randomBytes(KEY_BYTES).toString('base64'));
    await database.unitOfWork.transaction(tenantId, async (work) => {
      await work.update(SIGNING_KEYS, { tenant_id: tenantId, retired_ms: null }, { retired_ms: now });
      work.insert(SIGNING_KEYS, { tenant_id: tenantId, id, sealed, created_ms: now, retired_ms: null });
    });
    newest.delete(tenantId);
    return current(tenantId);
  }

  async function current(tenantId: string): Promise<SigningKey> {
    const known = await newest.through(tenantId, async () => {
      const [row] = await database.read(tenantId).find(SIGNING_KEYS, { tenant_id: tenantId }, { orderBy: [['id', 'desc']], limit: 1 });
      return row && openKey(row);
    });
    return known ?? add(tenantId);
  }

  return {
    /** Returns the key to sign with. */
    current,
    /** Returns the key that a token names. @throws ServiceError TOKEN_INVALID if the key is unknown or was replaced too long ago. */
    async find(id: string): Promise<SigningKey> {
      const found = await byId.through(id, async () => {
        const [row] = await database.readAcrossTenants().find(SIGNING_KEYS, { id }, { limit: 1 });
        return row && openKey(row);
      });
      if (!found) throw new ServiceError('TOKEN_INVALID', 'The token is signed with an unknown key.');
      return found;
    },
    /** Creates a new signing key and returns it. */
    rotate: async (tenantId: string): Promise<SigningKey> => add(tenantId),
    /** Replaces a key that is too old, and deletes replaced keys that no token needs any more. */
    async cleanUp(tenantId: string): Promise<void> {
      const present = await current(tenantId);
      if (Date.now() - present.createdMs > KEY_LIFE_MS) await add(tenantId);
      const before = Date.now() - RETIRED_KEPT_MS;
      const removed = await database.unitOfWork.transaction(tenantId, async (work) => {
        const rows = await work.rows(
          queriesOn(SIGNING_KEYS).selectFrom('signing_keys').select('id').where('tenant_id', '=', TENANT).where('retired_ms', '<=', before),
        );
        for (const { id } of rows) await work.delete(SIGNING_KEYS, { id });
        return rows;
      });
      for (const { id } of removed) byId.delete(id);
    },
  };
}
