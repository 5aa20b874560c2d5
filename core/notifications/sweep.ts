import { idFloor } from '#core/kernel';
import { CHANNELS } from './channel.ts';
import type { Needs } from './needs.ts';
import { IS_SECRET, MAY_EXPIRE } from './schema.ts';

const DAY_MS = 86_400_000;
/** A code or a password link that is over is kept for so long, without its text. */
const SECRET_MS = DAY_MS;
const MESSAGE_MS = 400 * DAY_MS;
/** Changed in one unit of work, so that no other waits long. */
const BLOCK = 500;

/** Forgets what has had its time: secrets that are over after a day, every message after 400 (by the tenant's clock). */
export function createSweep(on: Needs) {
  const free = `lease_ms <= ${on.database.nowSql}`;

  /** Carries a change out block by block; what was changed must no longer be among those `which` says. */
  async function inBlocks(tenantId: string, change: string, which: string, params: Record<string, string | number>): Promise<void> {
    // Said twice, since a row may have changed between being found and being written.
    const sql = `${change} WHERE tenant_id = :tenantId AND ${which} AND id IN (SELECT id FROM messages WHERE tenant_id = :tenantId AND ${which} LIMIT ${BLOCK})`;
    while ((await on.database.unitOfWork.run(tenantId, (work) => work.run(sql, params))) === BLOCK);
  }

  return async (tenantId: string): Promise<void> => {
    const now = on.clockOf(tenantId).now();
    await inBlocks(
      tenantId,
      "UPDATE messages SET status = 'expired', sealed = NULL, due_ms = NULL",
      `${MAY_EXPIRE} AND expires_ms <= :now AND ${free}`,
      { now },
    );
    // Written while its channel was being removed.
    const isGone = 'NOT EXISTS (SELECT 1 FROM message_channels WHERE tenant_id = :tenantId AND channel = :channel)';
    for (const channel of CHANNELS) {
      const which = `channel = :channel AND due_ms IS NOT NULL AND status = 'queued' AND ${free} AND ${isGone}`;
      await inBlocks(tenantId, "UPDATE messages SET status = 'waiting', due_ms = NULL", which, { channel });
    }
    await inBlocks(tenantId, 'DELETE FROM messages', `${IS_SECRET} AND status NOT IN ('waiting', 'queued') AND id < :before`, {
      before: idFloor('msg', now - SECRET_MS),
    });
    await inBlocks(tenantId, 'DELETE FROM messages', "status <> 'queued' AND id < :before", { before: idFloor('msg', now - MESSAGE_MS) });
  };
}
