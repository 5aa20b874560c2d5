import { type Actor, idFloor } from '#core/kernel';
import { CHANNELS } from './channel.ts';
import type { Needs } from './needs.ts';
import { type Channel, MESSAGE_CHANNELS } from './schema.ts';

/** No more are counted: it is then said that there are more. */
const COUNTED_MAX = 1_000;
/** What failed longer ago is of no use any more. */
const FAILED_MS = 7 * 86_400_000;

/** How a channel's messages stand, of the merchants that a caller sees. */
export interface ChannelStanding {
  readonly channel: Channel;
  readonly isSetUp: boolean;
  /** What the server last refused with; null since it took one. */
  readonly lastError: string | null;
  /** The queue rests until then, in the tenant's time, because the settings were at fault. */
  readonly restsUntilMs: number | null;
  /** Messages that a person has to send, since there was no channel when they were written. */
  readonly waiting: number;
  readonly queued: number;
  /** Of the last seven days. */
  readonly failed: number;
}

/** Reads each status on its index, up to a bound. */
export async function standing(on: Needs, by: Actor): Promise<ChannelStanding[]> {
  const read = on.database.read(by.tenantId);
  const nowMs = on.clockOf(by.tenantId).now();
  const params = {
    since: idFloor('msg', nowMs - FAILED_MS),
    ...(by.merchantId === null ? {} : { merchant: by.merchantId }),
  };
  const own = by.merchantId === null ? '' : 'AND merchant_id = :merchant';
  const some = (status: string, also = '') =>
    `SELECT * FROM (SELECT channel, status FROM messages WHERE tenant_id = :tenantId AND status = '${status}' ${also} ${own} LIMIT ${COUNTED_MAX}) AS ${status}_messages`;
  const [channels, counts] = await Promise.all([
    read.find(MESSAGE_CHANNELS, {}),
    read.all<{ channel: Channel; status: string; n: number }>(
      `SELECT channel, status, count(*) AS n FROM (${some('waiting')} UNION ALL ${some('queued')} UNION ALL ${some('failed', 'AND id >= :since')}) AS every_message GROUP BY channel, status`,
      params,
    ),
  ]);
  return CHANNELS.map((channel) => {
    const row = channels.find((each) => each.channel === channel);
    const count = (status: string) => Number(counts.find((each) => each.channel === channel && each.status === status)?.n ?? 0);
    const rests = row?.rest_ms ?? null;
    return {
      channel,
      isSetUp: row !== undefined,
      lastError: row?.last_error ?? null,
      restsUntilMs: rests !== null && rests > nowMs ? rests : null,
      waiting: count('waiting'),
      queued: count('queued'),
      failed: count('failed'),
    };
  });
}
