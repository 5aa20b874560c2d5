import { type Condition, conditionsOn, lit, type Query, queriesOn, sql, TENANT, timeOf } from '#core/database';
import { idFloor } from '#core/kernel';
import { CHANNELS } from './channel.ts';
import type { Dependencies } from './dependencies.ts';
import { IS_SECRET, MAY_EXPIRE, MESSAGE_CHANNELS, MESSAGES } from './schema.ts';

const queries = queriesOn(MESSAGES, MESSAGE_CHANNELS);
const message = conditionsOn(MESSAGES);

type Change = (which: Condition) => Query<unknown>;
const EXPIRE: Change = (which) => queries.updateTable('messages').set({ status: 'expired', sealed: null, due_ms: null }).where(which);
const WAIT: Change = (which) => queries.updateTable('messages').set({ status: 'waiting', due_ms: null }).where(which);
const REMOVE: Change = (which) => queries.deleteFrom('messages').where(which);

const DAY_MS = 86_400_000;
/** A code or a password link that is over is kept for so long, without its text. */
const SECRET_MS = DAY_MS;
const MESSAGE_MS = 400 * DAY_MS;
/** Changed in one unit of work, so that no other waits long. */
const BLOCK = 500;

/** Forgets what has had its time: secrets that are over after a day, every message after 400 (by the tenant's clock). */
export function createSweep(deps: Dependencies) {
  /** Carries a change out block by block; what was changed must no longer fulfil the conditions. */
  async function inBlocks(tenantId: string, change: Change, which: readonly Condition[]): Promise<void> {
    const block = queries
      .selectFrom('messages')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where(({ and }) => and([...which]))
      .limit(BLOCK);
    // Said twice, since a row may have changed between being found and being written.
    const all = message.and([message('tenant_id', '=', TENANT), ...which, message('id', 'in', block)]);
    while ((await deps.database.unitOfWork.run(tenantId, (work) => work.change(change(all)))) === BLOCK);
  }

  return async (tenantId: string): Promise<void> => {
    const now = deps.clockOf(tenantId).now();
    const isFree = message('lease_ms', '<=', timeOf(deps.database));
    await inBlocks(tenantId, EXPIRE, [sql<boolean>`${sql.raw(MAY_EXPIRE)}`, message('expires_ms', '<=', now), isFree]);
    for (const channel of CHANNELS) {
      const ofChannel = queries
        .selectFrom('message_channels')
        .select('channel')
        .where('tenant_id', '=', TENANT)
        .where('channel', '=', channel);
      // Written while its channel was being removed.
      await inBlocks(tenantId, WAIT, [
        message('channel', '=', channel),
        message('due_ms', 'is not', null),
        message('status', '=', lit('queued')),
        isFree,
        message.not(message.exists(ofChannel)),
      ]);
    }
    await inBlocks(tenantId, REMOVE, [
      sql<boolean>`${sql.raw(IS_SECRET)}`,
      message('status', 'not in', [lit('waiting'), lit('queued')]),
      message('id', '<', idFloor('msg', now - SECRET_MS)),
    ]);
    await inBlocks(tenantId, REMOVE, [message('status', '<>', lit('queued')), message('id', '<', idFloor('msg', now - MESSAGE_MS))]);
  };
}
