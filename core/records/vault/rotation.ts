import { queriesOn, TENANT, type Work } from '#core/database';
import type { Dependencies } from './dependencies.ts';
import { entryContext, secretOf } from './entries.ts';
import { VAULT } from './schema.ts';
import { seal } from './sealing.ts';

const REWRAP_BLOCK = 200;

/** Re-encrypts one block of entries of older versions with the current key. */
async function reencryptBlock(deps: Dependencies, work: Work, tenantId: string): Promise<number> {
  const current = await deps.keys.current(tenantId);
  const rows = await work.rows(
    queriesOn(VAULT)
      .selectFrom('vault_entries')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('owner', 'is', null)
      .where('key_version', '<', current.version)
      .orderBy('key_version')
      .orderBy('id')
      .limit(REWRAP_BLOCK),
  );
  for (const row of rows) {
    const next = { ...row, key_version: current.version };
    const sealed = seal(current.key, entryContext(next), await secretOf(deps, row));
    // Only unchanged entries, because one may have been assigned to an owner in the meantime.
    await work.update(VAULT, { id: row.id, owner: null, key_version: row.key_version }, { sealed, key_version: current.version });
  }
  return rows.length;
}

/** Runs a step block by block, each in its own unit of work. Returns the number of rows. */
async function runInBlocks(deps: Dependencies, tenantId: string, step: (work: Work) => Promise<number>): Promise<number> {
  let reencrypted = 0;
  for (;;) {
    const count = await deps.database.unitOfWork.transaction(tenantId, step);
    reencrypted += count;
    if (count < REWRAP_BLOCK) return reencrypted;
  }
}

/** Re-encrypts entries of older data keys with the current one. Returns their number. */
async function reencryptOldEntries(deps: Dependencies, tenantId: string): Promise<number> {
  const reencrypted = await runInBlocks(deps, tenantId, (work) => reencryptBlock(deps, work, tenantId));
  await runInBlocks(deps, tenantId, (work) => deps.ownerKeys.rewrap(work, tenantId, REWRAP_BLOCK));
  return reencrypted;
}

async function destroyUnusedKeys(deps: Dependencies, tenantId: string): Promise<void> {
  const version = await deps.keys.destroyableBefore(tenantId);
  if (version !== null) await deps.keys.destroyBefore(tenantId, version);
}

/**
 * Creates a new data key for a tenant and re-encrypts every entry and every owner's key. Former keys stay as long as a sale in progress on
 * any workstation may still use them. Returns the number of re-encrypted entries. @throws ServiceError RESOURCE_CONFLICT while another
 * workstation does so.
 */
export async function rotateDataKey(deps: Dependencies, tenantId: string): Promise<number> {
  await deps.keys.renew(tenantId);
  const reencrypted = await reencryptOldEntries(deps, tenantId);
  await destroyUnusedKeys(deps, tenantId);
  return reencrypted;
}

/**
 * Creates a new data key for all new data; `finishRotation` re-encrypts the rest. @throws ServiceError RESOURCE_CONFLICT right after
 * another rotation.
 */
export async function renewDataKey(deps: Dependencies, tenantId: string): Promise<number> {
  await deps.keys.checkRenewable(tenantId);
  return (await deps.keys.renew(tenantId)).version;
}

/** Re-encrypts everything that is not with the current data key and destroys unused keys. Can run at any time and repeatedly. */
export async function finishRotation(deps: Dependencies, tenantId: string): Promise<void> {
  if ((await deps.keys.destroyableBefore(tenantId)) === null) return;
  await reencryptOldEntries(deps, tenantId);
  await destroyUnusedKeys(deps, tenantId);
}

/** Creates a new master key and wraps all data keys with it; the old one becomes useless. Returns the ID of the new key. */
export const rotateMasterKey = (deps: Dependencies, note?: (work: Work) => void): Promise<string> =>
  deps.keyRing.exchange(async (work, again) => {
    await deps.keys.rewrapAll(work, again);
    note?.(work);
  });
