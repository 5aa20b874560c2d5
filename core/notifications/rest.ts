import type { Work } from '#core/database';
import { idFloor } from '#core/kernel';
import { restAfter } from './retry-schedule.ts';
import type { Channel, MessageChannelRow } from './schema.ts';

/** What ends so shortly before the rest of its channel is left as it is: several faults at once write a long queue down only once. */
const NEARLY_MS = 60_000;

/**
 * A channel at fault rests as a whole: what is queued and in nobody's hands is tried when the rest ends or when it would be of no use any more,
 * and what has waited too long has failed. Call it with the channel's row locked.
 */
export async function restQueue(work: Work, nowSql: string, channel: Channel, words: string, atMs: number): Promise<void> {
  const { untilMs, patienceMs } = restAfter(atMs);
  const ofQueue = `tenant_id = :tenantId AND channel = :channel AND status = 'queued' AND due_ms IS NOT NULL AND lease_ms <= ${nowSql}`;
  const withoutSecret = (column: string) =>
    `${column} = CASE WHEN sealed IS NOT NULL OR kind IN ('code', 'password') THEN ${column === 'body' ? "''" : 'NULL'} ELSE ${column} END`;
  await work.run(
    `UPDATE messages SET status = 'failed', due_ms = NULL, last_error = :words, ${withoutSecret('body')}, ${withoutSecret('html')}, sealed = NULL
     WHERE ${ofQueue} AND id < :before`,
    { channel, words, before: idFloor('msg', patienceMs + 1) },
  );
  await work.run(
    `UPDATE messages SET due_ms = CASE WHEN expires_ms < :untilMs THEN expires_ms ELSE :untilMs END, last_error = :words
     WHERE ${ofQueue} AND due_ms < :nearlyMs AND (expires_ms IS NULL OR due_ms < expires_ms)`,
    { channel, words, untilMs, nearlyMs: untilMs - NEARLY_MS },
  );
}

/** What is queued is tried at once. Call it with the channel's row locked. */
export async function wakeQueue(work: Work, channel: Channel, nowMs: number): Promise<void> {
  await work.run(
    "UPDATE messages SET due_ms = :nowMs WHERE tenant_id = :tenantId AND channel = :channel AND status = 'queued' AND (due_ms IS NULL OR due_ms > :nowMs)",
    { channel, nowMs },
  );
}

/** When what is written for a channel is tried first: at once, or when its rest ends. */
export function firstTry({ rest_ms }: MessageChannelRow, atMs: number): number {
  // A rest that is longer than any was begun by a clock that has been put back since.
  return rest_ms !== null && rest_ms > atMs && rest_ms <= restAfter(atMs).untilMs ? rest_ms : atMs;
}
