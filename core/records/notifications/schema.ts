import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Language } from '#shared/languages';

export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];
/** Kinds of messages; they decide how the outbox shows them. */
export const MESSAGE_KINDS = [
  'receipt',
  'refund',
  'invoice',
  'statement',
  'link',
  'card-update',
  'customer-page',
  'gift-card',
  'dunning',
  /** A report about the business: only people who can read reports see its text. */
  'report',
  'code',
  'password',
  'test',
  'notice',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export const MESSAGE_STATUSES = ['waiting', 'queued', 'sent', 'failed', 'expired'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Conditions of partial indexes. The database uses such an index only for a statement with the same condition, word for word. */
export const MAY_EXPIRE = "expires_ms IS NOT NULL AND status NOT IN ('sent', 'failed', 'expired')";
export const IS_SECRET = "kind IN ('code', 'password')";

/** A message with the state of its delivery. `due_ms` is the time of the next attempt, in the tenant's time. */
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
    /** The recipient in lower case, for searches. */
    recipient_key: text,
    subject: text.optional,
    /** Empty if the text is encrypted. */
    body: text,
    /** Encrypted text of a message with a secret, such as a code; cleared once it is sent. */
    sealed: text.optional,
    /** HTML content of the email's page; null means the body in paragraphs. */
    html: text.optional,
    /** Name of a document that is created when the email is sent, such as `invoice:inv_…` or `receipt:txn_…`. */
    attachment: text.optional,
    /** Language of the message; null for that of the merchant. */
    language: text.of<Language>().optional,
    /** Customer to whose page the email links; the link is created when the email is sent. */
    customer_id: text.optional,
    status: text.of<MessageStatus>(),
    attempts: integer,
    last_error: text.optional,
    sent_at: text.optional,
    /** ID of the message at the provider. */
    provider_id: text.optional,
    /** Time after which the message is not sent. */
    expires_ms: integer.of<TenantTime>().optional,
    ...dueColumns<TenantTime>(),
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'messages_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'messages_by_recipient', columns: ['tenant_id', 'recipient_key', 'merchant_id', 'id'] },
      { name: 'messages_by_kind', columns: ['tenant_id', 'kind', 'id'] },
      { name: 'messages_by_resource', columns: ['tenant_id', 'resource_id'], where: 'resource_id IS NOT NULL' },
      { name: 'messages_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'messages_due', columns: ['tenant_id', 'channel', 'due_ms', 'id'], where: 'due_ms IS NOT NULL' },
      { name: 'messages_of_tenant_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'messages_expiring', columns: ['tenant_id', 'expires_ms'], where: MAY_EXPIRE },
      { name: 'messages_secret', columns: ['tenant_id', 'id'], where: IS_SECRET },
    ],
  },
);

export type MessageRow = RowOf<typeof MESSAGES>;

/** Messages that callers requested: to one destination, or of a channel for the whole tenant, on one day. */
export const MESSAGE_COUNTS = table(
  'message_counts',
  {
    tenant_id: text,
    /** Hash of a destination, or the name of a channel. */
    counter: text,
    /** Days since the epoch, in UTC. */
    day: integer,
    n: integer,
    /** Real time of the last message. */
    last_ms: integer,
  },
  { key: ['tenant_id', 'counter'] },
);

export type MessageCountRow = RowOf<typeof MESSAGE_COUNTS>;

/** Settings of a tenant's outgoing emails and text messages. */
export const MESSAGE_CHANNELS = table(
  'message_channels',
  {
    tenant_id: text,
    channel: text.of<Channel>(),
    /** JSON, without the secret. */
    settings: text,
    /** The encrypted password or token. */
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
