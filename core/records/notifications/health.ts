import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, idFloor } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { CHANNELS, type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageStatus } from './schema.ts';

const queries = queriesOn(MESSAGES);

/** Largest count; a greater number is reported as "or more". */
const COUNTED_MAX = 1_000;
/** Age after which a failed message is no longer counted. */
const FAILED_MS = 7 * 86_400_000;

/** Health of a channel for the merchants that the caller may see. */
export interface ChannelHealth {
  readonly channel: Channel;
  readonly isSetUp: boolean;
  /** Last refusal of the server; null after a success. */
  readonly lastError: string | null;
  /** End of the suspension after a fault of the settings, in the tenant's time; null if the queue is not suspended. */
  readonly suspendedUntilMs: number | null;
  /** Number of messages that a person must resend, because the channel was not set up when they were written. */
  readonly waiting: number;
  readonly queued: number;
  /** Number of the last seven days. */
  readonly failed: number;
  /** Time of the oldest counted message; null without one. */
  readonly since: Readonly<Record<'waiting' | 'failed', string | null>>;
}

/** Returns the health of each channel. Counts messages by the index of their status, up to COUNTED_MAX. */
export async function channelHealth(deps: Dependencies, actor: Actor): Promise<ChannelHealth[]> {
  const read = deps.database.read(actor.tenantId);
  const nowMs = deps.clockOf(actor.tenantId).now();
  const withStatus = (status: MessageStatus) => {
    const messages = queries
      .selectFrom('messages')
      .select(['channel', 'status', 'created_at'])
      .where('tenant_id', '=', TENANT)
      .where('status', '=', lit(status))
      .limit(COUNTED_MAX);
    return actor.merchantId === null ? messages : messages.where('merchant_id', '=', actor.merchantId);
  };
  const failed = withStatus('failed').where('id', '>=', idFloor('msg', nowMs - FAILED_MS));
  const every = queries
    .selectFrom(withStatus('waiting').as('waiting'))
    .selectAll()
    .unionAll(queries.selectFrom(withStatus('queued').as('queued')).selectAll())
    .unionAll(queries.selectFrom(failed.as('failed')).selectAll());
  const [channels, counts] = await Promise.all([
    read.find(MESSAGE_CHANNELS, { tenant_id: actor.tenantId }),
    read.rows(
      queries
        .selectFrom(every.as('messages'))
        .select(({ fn }) => ['channel', 'status', fn.countAll<number>().as('n'), fn.min('created_at').as('since')])
        .groupBy(['channel', 'status']),
    ),
  ]);
  return CHANNELS.map((channel) => {
    const row = channels.find((each) => each.channel === channel);
    const counted = (status: string) => counts.find((each) => each.channel === channel && each.status === status);
    const count = (status: string) => Number(counted(status)?.n ?? 0);
    const restMs = row?.rest_ms ?? null;
    return {
      channel,
      isSetUp: row !== undefined,
      lastError: row?.last_error ?? null,
      suspendedUntilMs: restMs !== null && restMs > nowMs ? restMs : null,
      waiting: count('waiting'),
      queued: count('queued'),
      failed: count('failed'),
      since: { waiting: counted('waiting')?.since ?? null, failed: counted('failed')?.since ?? null },
    };
  });
}
