import { type Database, lit, queriesOn, sql, TENANT, timeOf, type Work } from '#core/database';
import { idFloor, later, type TenantTime, tenantTime } from '#core/kernel';
import { restAfter } from './retry-schedule.ts';
import { type Channel, IS_SECRET, MESSAGES, type MessageChannelRow } from './schema.ts';

const queries = queriesOn(MESSAGES);

/** What ends so shortly before the rest of its channel is left as it is: several faults at once write a long queue down only once. */
const NEARLY_MS = 60_000;

/**
 * A channel at fault rests as a whole: what is queued and in nobody's hands is tried when the rest ends or when it would be of no use any more,
 * and what has waited too long has failed. Call it with the channel's row locked.
 */
export async function restQueue(
  database: Pick<Database, 'nowSql'>,
  work: Work,
  channel: Channel,
  words: string,
  atMs: TenantTime,
): Promise<void> {
  const { untilMs, patienceMs } = restAfter(atMs);
  const queued = queries
    .updateTable('messages')
    .where('tenant_id', '=', TENANT)
    .where('channel', '=', channel)
    .where('status', '=', lit('queued'))
    .where('due_ms', 'is not', null)
    .where('lease_ms', '<=', timeOf(database));
  await work.change(
    queued
      .set(({ eb, or }) => {
        const isSecret = or([eb('sealed', 'is not', null), sql<boolean>`${sql.raw(IS_SECRET)}`]);
        return {
          status: 'failed',
          due_ms: null,
          last_error: words,
          body: eb.case().when(isSecret).then(lit<string>('')).else(eb.ref('body')).end(),
          html: eb.case().when(isSecret).then(lit<string | null>(null)).else(eb.ref('html')).end(),
          sealed: null,
        };
      })
      .where('id', '<', idFloor('msg', patienceMs + 1)),
  );
  await work.change(
    queued
      .set(({ eb, ref }) => ({
        due_ms: eb.case().when('expires_ms', '<', untilMs).then(ref('expires_ms')).else(untilMs).end(),
        last_error: words,
      }))
      .where('due_ms', '<', later(untilMs, -NEARLY_MS))
      .where(({ or, eb }) => or([eb('expires_ms', 'is', null), eb('due_ms', '<', eb.ref('expires_ms'))])),
  );
}

/** What is queued is tried at once. Call it with the channel's row locked. */
export async function wakeQueue(work: Work, channel: Channel, nowMs: TenantTime): Promise<void> {
  await work.change(
    queries
      .updateTable('messages')
      .set({ due_ms: nowMs })
      .where('tenant_id', '=', TENANT)
      .where('channel', '=', channel)
      .where('status', '=', lit('queued'))
      .where(({ or, eb }) => or([eb('due_ms', 'is', null), eb('due_ms', '>', nowMs)])),
  );
}

/** When what is written for a channel is tried first: at once, or when its rest ends. */
export function firstTry({ rest_ms }: MessageChannelRow, atMs: TenantTime): TenantTime {
  // A rest that is longer than any was begun by a clock that has been put back since.
  return rest_ms !== null && rest_ms > atMs && rest_ms <= restAfter(atMs).untilMs ? tenantTime(rest_ms) : atMs;
}
