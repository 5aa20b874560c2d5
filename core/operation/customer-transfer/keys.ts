import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { redactLongNumbers } from '#shared/card-numbers';
import type { Dependencies } from './dependencies.ts';
import { createKeyPair, type DecryptionKey } from './openpgp.ts';
import type { TransferKey } from './records.ts';
import { TRANSFER_KEYS, type TransferKeyRow } from './schema.ts';

const DAY_MS = 86_400_000;
/** Lifetime of a key. Providers need up to four weeks for a file. */
const LIFETIME_MS = 90 * DAY_MS;
const KEYS_MAX = 20;
const PURPOSE = 'transfer-key';

const toTransferKey = (row: TransferKeyRow): TransferKey => ({
  transferKeyId: row.id,
  name: row.name,
  fingerprint: row.fingerprint,
  publicKey: row.public_key,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  destroyedAt: row.destroyed_at,
  destroyedReason: row.destroyed_reason,
});

/** Creates a key pair for one transfer. The private key is stored sealed and never leaves the service. @throws ServiceError RESOURCE_CONFLICT above 20 keys. */
export async function createTransferKey(deps: Dependencies, actor: Actor, name: string): Promise<TransferKey> {
  const { database, vault } = deps;
  const { tenantId } = actor;
  const checkRoom = (open: readonly TransferKeyRow[]) => {
    if (open.length >= KEYS_MAX)
      throw new ServiceError('RESOURCE_CONFLICT', `This account has ${KEYS_MAX} transfer keys. Destroy one that is not needed any more.`);
  };
  checkRoom(await openKeys(deps, tenantId));
  const text = redactLongNumbers(name.trim()) || 'Transfer';
  const pair = await createKeyPair(`Paydesk: ${text}`);
  const nowMs = deps.clockOf(tenantId).now();
  const id = newId('tky', nowMs);
  const owner = await vault.newOwner(tenantId, id);
  return database.unitOfWork.transaction(tenantId, async (work) => {
    vault.insertOwner(work, owner);
    const box = await vault.boxOf(work, tenantId, id);
    if (box === null) throw new ServiceError('DATABASE_ERROR', 'The transfer key could not be stored.');
    const row: TransferKeyRow = {
      tenant_id: tenantId,
      id,
      name: text,
      fingerprint: pair.fingerprint,
      public_key: pair.publicKey,
      sealed_private: box.seal(PURPOSE, pair.privateKey),
      created_by: actor.name,
      created_at: isoTime(nowMs),
      expires_at: isoTime(nowMs + LIFETIME_MS),
      destroyed_at: null,
      destroyed_reason: null,
    };
    work.insert(TRANSFER_KEYS, row);
    const after = { name: text, fingerprint: pair.fingerprint, expiresAt: row.expires_at };
    deps.audit(work, { actor, action: 'transfer_key.created', resource: `customers/transfer-keys/${id}`, merchantId: null, after });
    work.afterCommit(() => deps.changed(tenantId, 'customers', null));
    return toTransferKey(row);
  });
}

/** Returns the transfer keys of the account, newest first. Private keys are never part of it. */
export async function transferKeys({ database }: Dependencies, { tenantId }: Actor): Promise<TransferKey[]> {
  const rows = await database.read(tenantId).find(TRANSFER_KEYS, {}, { orderBy: [['id', 'desc']], limit: 200 });
  return rows.map(toTransferKey);
}

/** Destroys the private key of a transfer key. Files that were encrypted for it can never be opened again. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT */
export async function destroyTransferKey(deps: Dependencies, actor: Actor, id: string): Promise<TransferKey> {
  const { tenantId } = actor;
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(TRANSFER_KEYS, { id });
    if (!row) throw new ServiceError('NOT_FOUND', `There is no transfer key ${id.slice(0, 60)}.`, { details: { transferKeyId: id } });
    if (row.sealed_private === null) throw new ServiceError('RESOURCE_CONFLICT', 'This transfer key was destroyed before.');
    const at = isoTime(deps.clockOf(tenantId).now());
    await destroyKeyIn(deps, work, id, 'person', at);
    const before = { name: row.name, fingerprint: row.fingerprint };
    deps.audit(work, { actor, action: 'transfer_key.destroyed', resource: `customers/transfer-keys/${id}`, merchantId: null, before });
    work.afterCommit(() => deps.changed(tenantId, 'customers', null));
    return toTransferKey({ ...row, sealed_private: null, destroyed_at: at, destroyed_reason: 'person' });
  });
}

/** Destroys a private key in a unit of work, if it still exists. */
export async function destroyKeyIn(
  { vault }: Pick<Dependencies, 'vault'>,
  work: Work,
  id: string,
  destroyed_reason: NonNullable<TransferKeyRow['destroyed_reason']>,
  destroyed_at: string,
): Promise<void> {
  const row = await work.lockOne(TRANSFER_KEYS, { id });
  if (!row || row.sealed_private === null) return;
  await work.update(TRANSFER_KEYS, { id }, { sealed_private: null, destroyed_at, destroyed_reason });
  await vault.destroyOwner(work, id);
}

const queries = queriesOn(TRANSFER_KEYS);

/** Returns the rows of the keys whose private key still exists. */
export const openKeys = ({ database }: Pick<Dependencies, 'database'>, tenantId: string): Promise<TransferKeyRow[]> =>
  database
    .read(tenantId)
    .rows(queries.selectFrom('transfer_keys').selectAll().where('tenant_id', '=', TENANT).where('sealed_private', 'is not', null));

/** Returns the keys with which a file of the account may be decrypted. */
export async function decryptionKeys(deps: Dependencies, tenantId: string): Promise<DecryptionKey[]> {
  const rows = await openKeys(deps, tenantId);
  return rows.map(({ id, public_key, sealed_private }) => ({
    id,
    publicKey: public_key,
    async privateKey() {
      const box = await deps.vault.boxOf(deps.database.read(tenantId), tenantId, id);
      if (box === null || sealed_private === null) throw new ServiceError('RESOURCE_CONFLICT', 'This transfer key was destroyed.');
      return box.open(PURPOSE, sealed_private);
    },
  }));
}
