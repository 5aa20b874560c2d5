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
  /** Empty where the text is sealed. */
  body: string;
  /** The text of a message that holds a secret, such as a code. */
  sealed: string | null;
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
    sealed: 'text?',
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
  /** null where the tenant itself writes, to a user. */
  readonly merchantId: string | null;
  readonly channel: Channel;
  readonly to: string;
  readonly subject?: string;
  /** Plain, or sealed for the purpose SEALED_MESSAGE where it holds a secret. */
  readonly body: string | { readonly sealed: string };
  /** The tenant's time. */
  readonly atMs: number;
}

/** Writes a message in the unit of work of what it tells of. */
export type Notify = (work: Work, message: NewMessage) => Promise<void>;

export const notify: Notify = (work, message) =>
  work.insert(MESSAGES, {
    tenant_id: message.tenantId,
    id: newId('msg', message.atMs),
    merchant_id: message.merchantId ?? '',
    channel: message.channel,
    recipient: message.to,
    subject: message.subject ?? null,
    body: typeof message.body === 'string' ? message.body : '',
    sealed: typeof message.body === 'string' ? null : message.body.sealed,
    created_at: isoTime(message.atMs),
  });

/** The purpose under which the text of a message that holds a secret is sealed. */
export const SEALED_MESSAGE = 'message';

/** Opens a text that was sealed for its tenant and purpose. */
type Unseal = (tenantId: string, purpose: string, sealed: string) => Promise<string>;

/** One page of the messages of a tenant, newest first. */
export async function messagePage(database: Database, open: Unseal, by: Actor, at: PageOf): Promise<Page<Message>> {
  const page = await newestOf(database.read(by.tenantId), MESSAGES, 'msg', {}, at);
  return { ...page, items: await Promise.all(page.items.map((row) => toMessage(row, open))) };
}

async function toMessage(row: MessageRow, open: Unseal): Promise<Message> {
  const { tenant_id, id, channel, recipient, subject, body, sealed, created_at } = row;
  const text = sealed === null ? body : await open(tenant_id, SEALED_MESSAGE, sealed);
  return { messageId: id, channel, to: recipient, subject, body: text, createdAt: created_at };
}
