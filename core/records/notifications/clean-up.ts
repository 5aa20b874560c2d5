import { type Condition, conditionsOn, lit, type Query, queriesOn, sql, TENANT, timeOf } from '#core/database';
import { idFloor } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { CHANNELS, IS_SECRET, MAY_EXPIRE, MESSAGE_CHANNELS, MESSAGE_COUNTS, MESSAGES } from './schema.ts';

const queries = queriesOn(MESSAGES, MESSAGE_CHANNELS, MESSAGE_COUNTS);
const message = conditionsOn(MESSAGES);

type Change = (conditions: Condition) => Query<unknown>;
const EXPIRE: Change = (conditions) =>
  queries.updateTable('messages').set({ status: 'expired', sealed: null, due_ms: null }).where(conditions);
const WAIT: Change = (conditions) => queries.updateTable('messages').set({ status: 'waiting', due_ms: null }).where(conditions);
const REMOVE: Change = (conditions) => queries.deleteFrom('messages').where(conditions);

const DAY_MS = 86_400_000;
/** Retention of a used or expired code or password link, without its text. */
const SECRET_MS = DAY_MS;
const MESSAGE_MS = 400 * DAY_MS;
/** Rows changed in one unit of work, so that other work does not wait long. */
const BLOCK = 500;

/**
 * Creates the hourly clean-up of messages: deletes used and expired secrets after a day, and every message after 400 days, in the tenant's
 * time.
 */
export function createCleanUp(deps: Dependencies) {
  /** Applies a change in blocks. A changed row must no longer meet the conditions. */
  async function inBlocks(tenantId: string, change: Change, conditions: readonly Condition[]): Promise<void> {
    const block = queries
      .selectFrom('messages')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where(({ and }) => and([...conditions]))
      .limit(BLOCK);
    // The conditions are repeated, because a row may have changed between being found and being written.
    const all = message.and([message('tenant_id', '=', TENANT), ...conditions, message('id', 'in', block)]);
    while ((await deps.database.unitOfWork.transaction(tenantId, (work) => work.execute(change(all)))) === BLOCK);
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
      // Messages that were written while their channel was being removed.
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
    const yesterday = Math.floor(deps.now() / DAY_MS) - 1;
    await deps.database.unitOfWork.transaction(tenantId, (work) =>
      work.execute(queries.deleteFrom('message_counts').where('tenant_id', '=', TENANT).where('day', '<', yesterday)),
    );
    await inBlocks(tenantId, REMOVE, [message('status', '<>', lit('queued')), message('id', '<', idFloor('msg', now - MESSAGE_MS))]);
  };
}
