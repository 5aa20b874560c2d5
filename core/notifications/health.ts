import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, idFloor } from '#core/kernel';
import { CHANNELS } from './channel.ts';
import type { Dependencies } from './dependencies.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageStatus } from './schema.ts';

const queries = queriesOn(MESSAGES);

/** No more are counted: it is then said that there are more. */
const COUNTED_MAX = 1_000;
/** Age after which a failed message no longer matters. */
const FAILED_MS = 7 * 86_400_000;

/** Health of a channel for the merchants that the caller may see. */
export interface ChannelHealth {
  readonly channel: Channel;
  readonly isSetUp: boolean;
  /** Last refusal of the server; null after a success. */
  readonly lastError: string | null;
  /** The queue rests until then, in the tenant's time, because the settings were at fault. */
  readonly restsUntilMs: number | null;
  /** Messages that a person has to send, since there was no channel when they were written. */
  readonly waiting: number;
  readonly queued: number;
  /** Number of the last seven days. */
  readonly failed: number;
}

/** Reads each status on its index, up to a bound. */
export async function channelHealth(deps: Dependencies, actor: Actor): Promise<ChannelHealth[]> {
  const read = deps.database.read(actor.tenantId);
  const nowMs = deps.clockOf(actor.tenantId).now();
  const some = (status: MessageStatus) => {
    const messages = queries
      .selectFrom('messages')
      .select(['channel', 'status'])
      .where('tenant_id', '=', TENANT)
      .where('status', '=', lit(status))
      .limit(COUNTED_MAX);
    return actor.merchantId === null ? messages : messages.where('merchant_id', '=', actor.merchantId);
  };
  const failed = some('failed').where('id', '>=', idFloor('msg', nowMs - FAILED_MS));
  const every = queries
    .selectFrom(some('waiting').as('waiting'))
    .selectAll()
    .unionAll(queries.selectFrom(some('queued').as('queued')).selectAll())
    .unionAll(queries.selectFrom(failed.as('failed')).selectAll());
  const [channels, counts] = await Promise.all([
    read.find(MESSAGE_CHANNELS, { tenant_id: actor.tenantId }),
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
