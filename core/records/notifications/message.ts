import type { Work } from '#core/database';
import { isoTime, newId, type TenantTime } from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import type { Language } from '#shared/languages';
import type { Message } from './records.ts';
import type { Channel, MessageKind, MessageRow } from './schema.ts';
import type { EmailText } from './texts.ts';

/** Purpose under which the text of a message with a secret is encrypted. */
export const SEALED_MESSAGE = 'message';

export interface NewMessage {
  readonly tenantId: string;
  /** Null for a message of the tenant to one of its users. */
  readonly merchantId: string | null;
  readonly channel: Channel;
  readonly kind?: MessageKind;
  /** Related record: a transaction, an invoice or a subscription. */
  readonly resourceId?: string;
  readonly to: string;
  readonly subject?: string;
  /** Plain text; encrypted for the purpose SEALED_MESSAGE if it contains a secret. */
  readonly body: string | { readonly sealed: string };
  /** HTML content of the email's page, already escaped; by default the body in paragraphs. */
  readonly html?: string;
  /** Name of a document that is created when the email is sent, such as `invoice:inv_…` or `receipt:txn_…`. */
  readonly attachment?: string;
  /** By default that of the merchant. */
  readonly language?: Language;
  /** Customer to whose page the email links, if it is sent to the address of the customer. */
  readonly customerId?: string | null;
  /** Time after which the message is not sent, in the tenant's time. */
  readonly expiresMs?: TenantTime;
  /** Time of creation, in the tenant's time. */
  readonly atMs: TenantTime;
  /**
   * `request`: a caller asked for this message, so it is counted and may be refused. `event`: it follows from a payment, a schedule or a change of
   * settings, so it is always written. `reminder`: a schedule reminds a payer, which is counted and may be refused, too.
   */
  readonly cause: 'request' | 'event' | 'reminder';
}

/** Writes a message in the unit of work of its cause. Returns its ID. @throws ServiceError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED. */
export type Notify = (work: Work, message: NewMessage) => Promise<string>;

/** Returns true if only the recipient may read the text. */
export const isSecret = ({ kind, sealed }: Pick<MessageRow, 'kind' | 'sealed'>) =>
  sealed !== null || kind === 'code' || kind === 'password' || kind === 'customer-page' || kind === 'gift-card';

/**
 * Returns true if the message authenticates a user: a password link or a sign-in code. The tenant itself sends these, and `resource_id` is
 * the
 * user's ID. A verification code is a merchant's message to a customer.
 */
export const authenticatesUser = (row: Pick<MessageRow, 'kind' | 'sealed' | 'merchant_id'>) => isSecret(row) && row.merchant_id === '';

/** Returns the columns of a recipient. */
export const toRecipient = (to: string): Pick<MessageRow, 'recipient' | 'recipient_key'> => ({
  recipient: to,
  recipient_key: to.toLowerCase(),
});

/** Returns the row of a message that is sent outside of the queue. Its status is `failed` until the server has accepted it. */
export const unqueuedMessage = (
  tenantId: string,
  { channel, kind, to, subject, body }: Pick<NewMessage, 'channel' | 'to'> & EmailText & { readonly kind: MessageKind },
  nowMs: number,
): MessageRow => ({
  tenant_id: tenantId,
  id: newId('msg', nowMs),
  merchant_id: '',
  channel,
  kind,
  resource_id: null,
  ...toRecipient(to),
  subject: channel === 'email' ? subject : null,
  body,
  sealed: null,
  html: null,
  attachment: null,
  language: null,
  customer_id: null,
  status: 'failed',
  attempts: 1,
  last_error: 'No response from the server was recorded.',
  sent_at: null,
  provider_id: null,
  expires_ms: null,
  ...dueAt(null),
  created_at: isoTime(nowMs),
});

/** @param body The text, as far as the caller may read it. */
export function toMessage(row: MessageRow, body: string): Message {
  return {
    messageId: row.id,
    channel: row.channel,
    kind: row.kind,
    resourceId: row.resource_id,
    to: row.recipient,
    subject: row.subject,
    body,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    sentAt: row.sent_at,
    nextTryAt: row.status === 'queued' && row.due_ms !== null ? isoTime(row.due_ms) : null,
    isSecret: isSecret(row),
    attachment: row.attachment,
    createdAt: row.created_at,
  };
}
