import { createSecretKey, randomBytes } from 'node:crypto';
import { queriesOn, TENANT } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { SigningKey } from './caches.ts';
import type { Dependencies } from './dependencies.ts';
import { SIGNING_KEYS, type SigningKeyRow } from './schema.ts';

const KEY_BYTES = 32;
/** Age at which a key is replaced automatically. */
const KEY_LIFE_MS = 90 * 86_400_000;
/** Retention of a replaced key; longer than the lifetime of any token that it signed. */
const RETIRED_KEPT_MS = 24 * 3_600_000;

const purpose = (id: string) => `signing-key/${id}`;

async function openKey(deps: Dependencies, row: SigningKeyRow): Promise<SigningKey> {
  const bytes = Buffer.from(await deps.secrets.open(row.tenant_id, purpose(row.id), row.sealed), 'base64');
  return { id: row.id, tenantId: row.tenant_id, key: createSecretKey(bytes), createdMs: row.created_ms };
}

/** Creates a new signing key and returns it. The newest one signs; older ones verify until their tokens have expired, so a rotation signs nobody out. */
async function addSigningKey(deps: Dependencies, tenantId: string): Promise<SigningKey> {
  const now = Date.now();
  const id = newId('sig', now);
  const sealed = await deps.secrets.seal(tenantId, purpose(id), randomBytes(KEY_BYTES).toString('base64'));
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await work.update(SIGNING_KEYS, { tenant_id: tenantId, retired_ms: null }, { retired_ms: now });
    work.insert(SIGNING_KEYS, { tenant_id: tenantId, id, sealed, created_ms: now, retired_ms: null });
  });
  deps.caches.newestSigningKeys.delete(tenantId);
  return currentSigningKey(deps, tenantId);
}

/** Returns the key to sign with. */
export async function currentSigningKey(deps: Dependencies, tenantId: string): Promise<SigningKey> {
  const known = await deps.caches.newestSigningKeys.through(tenantId, async () => {
    const [row] = await deps.database.read(tenantId).find(SIGNING_KEYS, { tenant_id: tenantId }, { orderBy: [['id', 'desc']], limit: 1 });
    return row && openKey(deps, row);
  });
  return known ?? addSigningKey(deps, tenantId);
}

/** Returns the key that a token names. @throws ServiceError TOKEN_INVALID if the key is unknown or was replaced too long ago. */
export async function findSigningKey(deps: Dependencies, id: string): Promise<SigningKey> {
  const found = await deps.caches.signingKeys.through(id, async () => {
    const [row] = await deps.database.readAcrossTenants().find(SIGNING_KEYS, { id }, { limit: 1 });
    return row && openKey(deps, row);
  });
  if (!found) throw new ServiceError('TOKEN_INVALID', 'The token is signed with an unknown key.');
  return found;
}

/** Replaces a key that is too old, and deletes replaced keys that no token needs any more. */
export async function replaceOldSigningKeys(deps: Dependencies, tenantId: string): Promise<void> {
  const present = await currentSigningKey(deps, tenantId);
  if (Date.now() - present.createdMs > KEY_LIFE_MS) await addSigningKey(deps, tenantId);
  const before = Date.now() - RETIRED_KEPT_MS;
  const removed = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const rows = await work.rows(
      queriesOn(SIGNING_KEYS).selectFrom('signing_keys').select('id').where('tenant_id', '=', TENANT).where('retired_ms', '<=', before),
    );
    for (const { id } of rows) await work.delete(SIGNING_KEYS, { id });
    return rows;
  });
  for (const { id } of removed) deps.caches.signingKeys.delete(id);
}

/** Replaces the signing key. Tokens of the old key stay valid until they expire. */
export async function rotateSigningKey(deps: Dependencies, actor: Actor): Promise<{ keyId: string; rotatedAt: string }> {
  const key = await addSigningKey(deps, actor.tenantId);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) =>
    deps.audit(work, { actor, action: 'signing_key.rotated', resource: 'auth/signing-key', after: { keyId: key.id } }),
  );
  return { keyId: key.id, rotatedAt: isoTime(key.createdMs) };
}
