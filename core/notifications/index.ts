import { type Database, newestOf, type Page, type PageOf, type Work } from '#core/database';
import { type Actor, isoTime, newId } from '#core/kernel';
import { dueAt } from '#core/scheduling';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageKind, type MessageRow } from './schema.ts';

export type { Channel, MessageKind, MessageStatus } from './schema.ts';

export const TABLES = [MESSAGES, MESSAGE_CHANNELS];

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
  readonly kind?: MessageKind;
  /** What it tells of: a transaction, an invoice. */
  readonly resourceId?: string;
  readonly to: string;
  readonly subject?: string;
  /** Plain, or sealed for the purpose SEALED_MESSAGE where it holds a secret. */
  readonly body: string | { readonly sealed: string };
  /** The inside of an e-mail's page, escaped by its maker; without it the text is set in paragraphs. */
  readonly html?: string;
  /** Names a document that is made when the e-mail is sent, as `invoice:inv_…` or `receipt:txn_…`. */
  readonly attachment?: string;
  /** The tenant's time after which it is of no use. */
  readonly expiresMs?: number;
  /** The tenant's time. */
  readonly atMs: number;
}

/** Writes a message in the unit of work of what it tells of; answers its id. */
export type Notify = (work: Work, message: NewMessage) => Promise<string>;

export const notify: Notify = async (work, message) => {
  const id = newId('msg', message.atMs);
  await work.insert(MESSAGES, {
    tenant_id: message.tenantId,
    id,
    merchant_id: message.merchantId ?? '',
    channel: message.channel,
    kind: message.kind ?? 'notice',
    resource_id: message.resourceId ?? null,
    recipient: message.to,
    subject: message.subject ?? null,
    body: typeof message.body === 'string' ? message.body : '',
    sealed: typeof message.body === 'string' ? null : message.body.sealed,
    html: message.html ?? null,
    attachment: message.attachment ?? null,
    status: 'waiting',
    attempts: 0,
    last_error: null,
    sent_at: null,
    provider_id: null,
    expires_ms: message.expiresMs ?? null,
    ...dueAt(null),
    created_at: isoTime(message.atMs),
  });
  return id;
};

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
