import { integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';

export type Channel = 'email' | 'sms';
/** Kind of message; decides how the outbox shows it. */
export type MessageKind = 'receipt' | 'refund' | 'invoice' | 'link' | 'dunning' | 'code' | 'password' | 'test' | 'notice';
/**
 * `waiting` while its channel is not set up: only a person sends it then. `queued` until the scheduler has delivered it; `sent` once the provider has
 * taken it; `failed` after the last try; `expired` when what it says would be of no use any more.
 */
export type MessageStatus = 'waiting' | 'queued' | 'sent' | 'failed' | 'expired';

/** Conditions of partial indexes: a statement is read on one only where it says the same in the same words. */
export const MAY_EXPIRE = "expires_ms IS NOT NULL AND status NOT IN ('sent', 'failed', 'expired')";
export const IS_SECRET = "kind IN ('code', 'password')";

/** A message with the state of its delivery. `due_ms` is the next try, in the tenant's time. */
export const MESSAGES = table(
  'messages',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    channel: text.of<Channel>(),
    kind: text.of<MessageKind>(),
    /** Related record: a transaction or an invoice. */
    resource_id: text.optional,
    recipient: text,
    subject: text.optional,
    /** Empty where the text is sealed. */
    body: text,
    /** The text of a message that holds a secret, such as a code; taken out once it is sent. */
    sealed: text.optional,
    /** The inside of an e-mail's page; without it the text is set in paragraphs. */
    html: text.optional,
    /** Names a document that is made when the e-mail is sent, as `invoice:inv_…` or `receipt:txn_…`. */
    attachment: text.optional,
    status: text.of<MessageStatus>(),
    attempts: integer,
    last_error: text.optional,
    sent_at: text.optional,
    /** The provider's own name of it. */
    provider_id: text.optional,
    /** After this it is not sent any more. */
    expires_ms: integer.of<TenantTime>().optional,
    due_ms: integer.of<TenantTime>().optional,
    lease_ms: integer,
    fence: integer,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'messages_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'messages_by_resource', columns: ['tenant_id', 'resource_id'], where: 'resource_id IS NOT NULL' },
      { name: 'messages_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'messages_due', columns: ['tenant_id', 'channel', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'messages_of_tenant_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'messages_expiring', columns: ['tenant_id', 'expires_ms'], where: MAY_EXPIRE },
      { name: 'messages_secret', columns: ['tenant_id', 'id'], where: IS_SECRET },
    ],
  },
);

export type MessageRow = RowOf<typeof MESSAGES>;

/** Settings of a tenant's outgoing emails and text messages. */
export const MESSAGE_CHANNELS = table(
  'message_channels',
  {
    tenant_id: text,
    channel: text.of<Channel>(),
    /** JSON, without the secret. */
    settings: text,
    /** The sealed password or token. */
    secret: text.optional,
    last_ok_at: text.optional,
    last_error: text.optional,
    last_error_at: text.optional,
    /** End of the suspension after a fault of its settings, in the tenant's time. */
    rest_ms: integer.optional,
    updated_at: text,
  },
  { key: ['tenant_id', 'channel'] },
);

export type MessageChannelRow = RowOf<typeof MESSAGE_CHANNELS>;
