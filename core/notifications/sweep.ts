import { idFloor } from '#core/kernel';
import type { Needs } from './needs.ts';

const DAY_MS = 86_400_000;
/** A code or a password link that is over is kept for so long, without its text. */
const SECRET_MS = DAY_MS;
const MESSAGE_MS = 400 * DAY_MS;

/** Forgets what has had its time: secrets that are over after a day, every message after 400 (by the tenant's clock). */
export function createSweep(on: Needs) {
  return async (tenantId: string): Promise<void> => {
    const now = on.clockOf(tenantId).now();
    await on.database.unitOfWork.run(tenantId, async (work) => {
      await work.run(
        `UPDATE messages SET status = 'expired', sealed = NULL, due_ms = NULL
         WHERE tenant_id = :tenantId AND status IN ('waiting', 'queued') AND expires_ms <= :now AND lease_ms <= ${on.database.nowSql}`,
        { now },
      );
      // Written while its channel was being removed.
      await work.run(
        `UPDATE messages SET status = 'waiting', due_ms = NULL WHERE tenant_id = :tenantId AND status = 'queued' AND lease_ms <= ${on.database.nowSql}
         AND NOT EXISTS (SELECT 1 FROM message_channels c WHERE c.tenant_id = messages.tenant_id AND c.channel = messages.channel)`,
      );
      await work.run(
        `DELETE FROM messages WHERE tenant_id = :tenantId AND kind IN ('code', 'password') AND status IN ('sent', 'failed', 'expired') AND id < :before`,
        { before: idFloor('msg', now - SECRET_MS) },
      );
      await work.run("DELETE FROM messages WHERE tenant_id = :tenantId AND status <> 'queued' AND id < :before", {
        before: idFloor('msg', now - MESSAGE_MS),
      });
    });
  };
}
