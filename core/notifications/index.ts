import { type Database, newestOf, type Page, type PageOf, type Table, table, type Work } from '#core/database';
import { type Actor, isoTime, newId } from '#core/kernel';

export type Channel = 'email' | 'sms';

interface MessageRow {
  tenant_id: string;
  id: string;
  merchant_id: string;
  channel: Channel;
  recipient: string;
  subject: string | null;
  body: string;
  created_at: string;
}

const MESSAGES: Table<MessageRow> = table<MessageRow>(
  'messages',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    channel: 'text',
    recipient: 'text',
    subject: 'text?',
    body: 'text',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'] },
);

export const TABLES = [MESSAGES];

/** A message as it waits in the outbox (decisions 9). */
export interface Message {
  readonly messageId: string;
  readonly channel: Channel;
  readonly to: string;
  /** null on a text message. */
  readonly subject: string | null;
  readonly body: string;
  readonly createdAt: string;
}

export interface NewMessage {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly to: string;
  readonly subject?: string;
  readonly body: string;
  /** The tenant's time. */
  readonly atMs: number;
}

/** Writes a message in the unit of work of what it tells of. */
export type Notify = (work: Work, message: NewMessage) => Promise<void>;

export const notify: Notify = (work, message) =>
  work.insert(MESSAGES, {
    tenant_id: message.tenantId,
    id: newId('msg', message.atMs),
    merchant_id: message.merchantId,
    channel: message.channel,
    recipient: message.to,
    subject: message.subject ?? null,
    body: message.body,
    created_at: isoTime(message.atMs),
  });

/** One page of the messages of a tenant, newest first. */
export async function messagePage(database: Database, by: Actor, at: PageOf): Promise<Page<Message>> {
  const page = await newestOf(database.read(by.tenantId), MESSAGES, 'msg', {}, at);
  return { ...page, items: page.items.map(toMessage) };
}

function toMessage(row: MessageRow): Message {
  const { id, channel, recipient, subject, body, created_at } = row;
  return { messageId: id, channel, to: recipient, subject, body, createdAt: created_at };
}
