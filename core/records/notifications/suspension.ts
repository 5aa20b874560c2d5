import { type Database, lit, queriesOn, sql, TENANT, timeOf, type Work } from '#core/database';
import { idFloor, later, type TenantTime, tenantTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { DELIVER_JOB, suspensionAfter } from './retry-schedule.ts';
import { type Channel, IS_SECRET, MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow } from './schema.ts';

const queries = queriesOn(MESSAGES);

/** A message due this shortly before the end of the suspension keeps its time, so that parallel faults update a long queue only once. */
const UPDATE_TOLERANCE_MS = 60_000;

/**
 * Suspends a failed channel: waiting messages are delivered when the suspension ends or before they expire, and those that waited too long
 * fail. Requires the lock of the channel's row.
 */
export async function suspendQueue(
  database: Pick<Database, 'nowSql'>,
  work: Work,
  channel: Channel,
  message: string,
  atMs: TenantTime,
): Promise<void> {
  const { untilMs, givenUpBeforeMs: patienceMs } = suspensionAfter(atMs);
  const queued = queries
    .updateTable('messages')
    .where('tenant_id', '=', TENANT)
    .where('channel', '=', channel)
    .where('status', '=', lit('queued'))
    .where('due_ms', 'is not', null)
    .where('lease_ms', '<=', timeOf(database));
  await work.execute(
    queued
      .set(({ eb, or }) => {
        const isSecret = or([eb('sealed', 'is not', null), sql<boolean>`${sql.raw(IS_SECRET)}`]);
        return {
          status: 'failed',
          due_ms: null,
          last_error: message,
          body: eb.case().when(isSecret).then(lit<string>('')).else(eb.ref('body')).end(),
          html: eb.case().when(isSecret).then(lit<string | null>(null)).else(eb.ref('html')).end(),
          sealed: null,
        };
      })
      .where('id', '<', idFloor('msg', patienceMs + 1)),
  );
  await work.execute(
    queued
      .set(({ eb, ref }) => ({
        due_ms: eb.case().when('expires_ms', '<', untilMs).then(ref('expires_ms')).else(untilMs).end(),
        last_error: message,
      }))
      .where('due_ms', '<', later(untilMs, -UPDATE_TOLERANCE_MS))
      .where(({ or, eb }) => or([eb('expires_ms', 'is', null), eb('due_ms', '<', eb.ref('expires_ms'))])),
  );
}

/** Makes waiting messages due immediately. Requires the lock of the channel's row. */
export async function resumeQueue(work: Work, channel: Channel, nowMs: TenantTime): Promise<void> {
  await work.execute(
    queries
      .updateTable('messages')
      .set({ due_ms: nowMs })
      .where('tenant_id', '=', TENANT)
      .where('channel', '=', channel)
      .where('status', '=', lit('queued'))
      .where(({ or, eb }) => or([eb('due_ms', 'is', null), eb('due_ms', '>', nowMs)])),
  );
}

/** Returns the time of the first attempt: immediately, or at the end of the suspension. */
export function firstAttemptAt({ rest_ms }: MessageChannelRow, atMs: TenantTime): TenantTime {
  // A suspension longer than any possible one was started by a clock that has been set back.
  return rest_ms !== null && rest_ms > atMs && rest_ms <= suspensionAfter(atMs).untilMs ? tenantTime(rest_ms) : atMs;
}

/** Makes all waiting messages of a tenant due immediately; those of a suspended channel wait for the result of the first one. */
export async function sendWaiting(deps: Pick<Dependencies, 'database' | 'clockOf' | 'scheduler'>, tenantId: string): Promise<void> {
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const now = deps.clockOf(tenantId).now();
    // The channels are locked before their messages everywhere, so that no deadlock is possible.
    for (const { channel } of await work.find(MESSAGE_CHANNELS, { tenant_id: tenantId }, { orderBy: [['channel', 'asc']] })) {
      const locked = await work.lockOne(MESSAGE_CHANNELS, { channel });
      if (locked === null) continue;
      if (locked.rest_ms !== null) await work.update(MESSAGE_CHANNELS, { channel }, { rest_ms: now });
      await resumeQueue(work, channel, now);
    }
    work.afterCommit(() => deps.scheduler.wake(DELIVER_JOB, tenantId));
  });
}
