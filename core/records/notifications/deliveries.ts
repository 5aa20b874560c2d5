import { lit, queriesOn, type Read, TENANT } from '#core/database';
import { type Channel, MESSAGES, type MessageStatus } from './schema.ts';

/** State of the messages about a record: sent as soon as a provider has accepted one of them, otherwise that of the newest. */
export interface Delivery {
  readonly channel: Channel;
  readonly status: MessageStatus;
}

/** Returns the delivery of each record that has messages of a kind, by the ID of the record. */
export async function deliveriesOf(
  read: Read,
  kinds: readonly ('invoice' | 'link')[],
  resourceIds: readonly string[],
): Promise<Map<string, Delivery>> {
  const found = new Map<string, Delivery>();
  if (resourceIds.length === 0) return found;
  const messages = await read.rows(
    queriesOn(MESSAGES)
      .selectFrom('messages')
      .select(['resource_id', 'channel', 'status'])
      .where('tenant_id', '=', TENANT)
      .where('resource_id', 'is not', null)
      .where('resource_id', 'in', resourceIds)
      .where(
        'kind',
        'in',
        kinds.map((kind) => lit(kind)),
      )
      .orderBy('id'),
  );
  for (const { resource_id: id, channel, status } of messages)
    if (id !== null && found.get(id)?.status !== 'sent') found.set(id, { channel, status });
  return found;
}

/** State of a message: when a server accepted it with which answer, or the last answer of one that refused it. */
interface MessageState {
  readonly status: MessageStatus;
  readonly error: string | null;
  readonly sentAt: string | null;
  readonly answer: string | null;
}

/** Returns the state of messages by their IDs. */
export async function messageStates(read: Read, messageIds: readonly string[]): Promise<ReadonlyMap<string, MessageState>> {
  if (messageIds.length === 0) return new Map();
  const found = await read.rows(
    queriesOn(MESSAGES)
      .selectFrom('messages')
      .select(['id', 'status', 'last_error', 'sent_at', 'provider_id'])
      .where('tenant_id', '=', TENANT)
      .where('id', 'in', messageIds),
  );
  return new Map(
    found.map(({ id, status, last_error, sent_at, provider_id }) => [
      id,
      { status, error: last_error, sentAt: sent_at, answer: provider_id },
    ]),
  );
}
