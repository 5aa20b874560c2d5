import { table } from '#core/database';
import type { DueRow } from '#core/platform/scheduling';

export type Channel = 'email' | 'sms';
/** What a message is about; decides how it is shown in the outbox. */
export type MessageKind = 'receipt' | 'refund' | 'invoice' | 'link' | 'dunning' | 'code' | 'password' | 'test' | 'notice';
/**
 * `waiting` while its channel is not set up: only a person sends it then. `queued` until the scheduler has delivered it; `sent` once the provider has
 * taken it; `failed` after the last try; `expired` when what it says would be of no use any more.
 */
export type MessageStatus = 'waiting' | 'queued' | 'sent' | 'failed' | 'expired';

/** A message with the state of its delivery. `due_ms` is the next try, in the tenant's time. */
export interface MessageRow extends DueRow {
  merchant_id: string;
  channel: Channel;
  kind: MessageKind;
  /** What it tells of: a transaction, an invoice. */
  resource_id: string | null;
  recipient: string;
  subject: string | null;
  /** Empty where the text is sealed. */
  body: string;
  /** The text of a message that holds a secret, such as a code; taken out once it is sent. */
  sealed: string | null;
  /** The inside of an e-mail's page; without it the text is set in paragraphs. */
  html: string | null;
  /** Names a document that is made when the e-mail is sent, as `invoice:inv_…` or `receipt:txn_…`. */
  attachment: string | null;
  status: MessageStatus;
  attempts: number;
  last_error: string | null;
  sent_at: string | null;
  /** The provider's own name of it. */
  provider_id: string | null;
  /** After this it is not sent any more. */
  expires_ms: number | null;
  created_at: string;
}

/** Conditions of partial indexes: a statement is read on one only where it says the same in the same words. */
export const MAY_EXPIRE = "expires_ms IS NOT NULL AND status NOT IN ('sent', 'failed', 'expired')";
export const IS_SECRET = "kind IN ('code', 'password')";

export const MESSAGES = table<MessageRow>(
  'messages',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    channel: 'text',
    kind: 'text',
    resource_id: 'text?',
    recipient: 'text',
    subject: 'text?',
    body: 'text',
    sealed: 'text?',
    html: 'text?',
    attachment: 'text?',
    status: 'text',
    attempts: 'integer',
    last_error: 'text?',
    sent_at: 'text?',
    provider_id: 'text?',
    expires_ms: 'integer?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    created_at: 'text',
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

/** How a tenant's e-mails or texts go out. */
export interface MessageChannelRow {
  tenant_id: string;
  channel: Channel;
  /** JSON, without the secret. */
  settings: string;
  /** The sealed password or token. */
  secret: string | null;
  last_ok_at: string | null;
  last_error: string | null;
  last_error_at: string | null;
  /** Until when its queue rests because its settings were at fault, in the tenant's time. */
  rest_ms: number | null;
  updated_at: string;
}

export const MESSAGE_CHANNELS = table<MessageChannelRow>(
  'message_channels',
  {
    tenant_id: 'text',
    channel: 'text',
    settings: 'text',
    secret: 'text?',
    last_ok_at: 'text?',
    last_error: 'text?',
    last_error_at: 'text?',
    rest_ms: 'integer?',
    updated_at: 'text',
  },
  { key: ['tenant_id', 'channel'] },
);
