import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, idFloor } from '#core/kernel';
import { CHANNELS } from './channel.ts';
import type { Needs } from './needs.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageStatus } from './schema.ts';

const queries = queriesOn(MESSAGES);

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
  const some = (status: MessageStatus) => {
    const messages = queries
      .selectFrom('messages')
      .select(['channel', 'status'])
      .where('tenant_id', '=', TENANT)
      .where('status', '=', lit(status))
      .limit(COUNTED_MAX);
    return by.merchantId === null ? messages : messages.where('merchant_id', '=', by.merchantId);
  };
  const failed = some('failed').where('id', '>=', idFloor('msg', nowMs - FAILED_MS));
  const every = queries
    .selectFrom(some('waiting').as('waiting'))
    .selectAll()
    .unionAll(queries.selectFrom(some('queued').as('queued')).selectAll())
    .unionAll(queries.selectFrom(failed.as('failed')).selectAll());
  const [channels, counts] = await Promise.all([
    read.find(MESSAGE_CHANNELS, { tenant_id: by.tenantId }),
    read.rows(
      queries
        .selectFrom(every.as('messages'))
        .select(({ fn }) => ['channel', 'status', fn.countAll<number>().as('n')])
        .groupBy(['channel', 'status']),
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
