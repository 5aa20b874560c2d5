import type { Work } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import type { MessageChannel } from './input.ts';
import { invoiceEmail, invoiceSms } from './invoice-email.ts';
import { addressesOf } from './read.ts';
import type { InvoiceRow } from './schema.ts';

/** Recipient of a message with an invoice or a link. */
export interface Recipient {
  readonly channel: MessageChannel;
  readonly to: string;
}

/** Content of the message: the invoice or link, with an additional text of the merchant for emails. */
interface Content {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly message?: string | undefined;
}

/** Writes a message to each recipient in the unit of work of its cause. Returns the IDs in the order of the recipients. */
export async function writeMessages(
  deps: Dependencies,
  work: Work,
  content: Content,
  recipients: readonly Recipient[],
  atMs: TenantTime,
): Promise<string[]> {
  const messageIds: string[] = [];
  for (const recipient of recipients) messageIds.push(await writeMessage(deps, work, content, recipient, atMs));
  return messageIds;
}

/** Returns the recipients as the audit log keeps them. */
export const sentTo = (recipients: readonly Recipient[]) => ({ sentTo: recipients.map(({ to }) => to).join(', ') });

function writeMessage(
  deps: Dependencies,
  work: Work,
  { row, merchant, message }: Content,
  { channel, to }: Recipient,
  atMs: TenantTime,
): Promise<string> {
  const addresses = addressesOf(deps, merchant, row);
  const common = {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    kind: row.kind,
    resourceId: row.id,
    customerId: row.customer_id,
    to,
    atMs,
    cause: 'request' as const,
    ...(row.expires_ms === null ? {} : { expiresMs: row.expires_ms }),
  };
  if (channel === 'sms') return deps.notify(work, { ...common, channel, body: invoiceSms(row, merchant, addresses) });
  const attachment = row.kind === 'invoice' ? { attachment: `invoice:${row.id}` } : {};
  return deps.notify(work, { ...common, channel, ...invoiceEmail(row, merchant, addresses, message), ...attachment });
}
