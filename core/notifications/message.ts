import type { Work } from '#core/database';
import { isoTime, type TenantTime } from '#core/kernel';
import type { Channel, MessageKind, MessageRow, MessageStatus } from './schema.ts';

/** The purpose under which the text of a message that holds a secret is sealed. */
export const SEALED_MESSAGE = 'message';

/** Seals a text for its tenant and purpose, and opens it. */
export interface Secrets {
  seal(tenantId: string, purpose: string, text: string): Promise<string>;
  open(tenantId: string, purpose: string, sealed: string): Promise<string>;
}

export interface NewMessage {
  readonly tenantId: string;
  /** null where the tenant itself writes, to a user. */
  readonly merchantId: string | null;
  readonly channel: Channel;
  readonly kind?: MessageKind;
  /** Related record: a transaction, an invoice or a subscription. */
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
  readonly expiresMs?: TenantTime;
  /** The tenant's time. */
  readonly atMs: TenantTime;
}

/** Writes a message in the unit of work of its cause. Returns its ID. */
export type Notify = (work: Work, message: NewMessage) => Promise<string>;

/** A message in the outbox (decisions 9). */
export interface Message {
  readonly messageId: string;
  readonly channel: Channel;
  readonly kind: MessageKind;
  readonly resourceId: string | null;
  readonly to: string;
  /** null on a text message. */
  readonly subject: string | null;
  /** Empty where it is a secret that is not shown, or not kept any more. */
  readonly body: string;
  readonly status: MessageStatus;
  /** Tries since it was last queued. */
  readonly attempts: number;
  /** Error as a sentence; null after a success. */
  readonly lastError: string | null;
  readonly sentAt: string | null;
  readonly nextTryAt: string | null;
  /** True if the message contains a code or a password link. */
  readonly isSecret: boolean;
  readonly attachment: string | null;
  readonly createdAt: string;
}

/** Returns true if only the recipient may read the text. */
export const isSecret = ({ kind, sealed }: Pick<MessageRow, 'kind' | 'sealed'>) =>
  sealed !== null || kind === 'code' || kind === 'password';

/**
 * Returns true if the message authenticates a user: a password link or a sign-in code. The tenant itself sends these, and `resource_id` is the
 * user's ID. A verification code is a merchant's message to a customer.
 */
export const authenticatesUser = (row: Pick<MessageRow, 'kind' | 'sealed' | 'merchant_id'>) => isSecret(row) && row.merchant_id === '';

/** @param body What is shown of the text. */
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
