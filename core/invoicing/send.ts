import type { Work } from '#core/database';
import { type Actor, isoTime, ServiceError, type TenantTime } from '#core/kernel';
import { checkOpen, type Merchant } from '#core/merchants';
import { change } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { SendInput } from './input.ts';
import type { Invoice } from './invoice.ts';
import { invoiceEmail, invoiceSms } from './invoice-email.ts';
import { addressesOf, findInvoice } from './read.ts';
import type { InvoiceRow } from './schema.ts';

/** An invoice with the IDs of its messages in the outbox. */
export interface SentInvoice {
  readonly invoice: Invoice;
  readonly messageIds: readonly string[];
}

/**
 * Sends an invoice or a link by email, text message or both. A draft then counts as sent; an open invoice gets a reminder. Without
 * recipients, the customer gets it: REQUIRED_FIELD_MISSING on `email` or `phone` if there is none. @throws ServiceError
 * INVOICE_ALREADY_PAID, INVOICE_CANCELLED; RESOURCE_CONFLICT for an expired link.
 */
export async function send(deps: Dependencies, actor: Actor, id: string, input: SendInput): Promise<SentInvoice> {
  const { merchant } = await findInvoice(deps, actor, id);
  checkOpen(merchant);
  let messageIds: string[] = [];
  const invoice = await change(deps, actor, id, 'send', 'sent', async (work, row, now) => {
    refuseExpired(row, now);
    const to = recipientsOf(row, input);
    messageIds = [];
    for (const recipient of to) messageIds.push(await write(deps, work, row, merchant, recipient, input.message, now));
    return { set: { sent_at: row.sent_at ?? isoTime(now) }, more: { sentTo: to.map((recipient) => recipient.to).join(', ') } };
  });
  return { invoice, messageIds };
}

interface Recipient {
  readonly channel: 'email' | 'sms';
  readonly to: string;
}

function recipientsOf(row: InvoiceRow, { sendVia = ['email'], email, phone }: SendInput): Recipient[] {
  return sendVia.map((channel) => {
    const to = channel === 'email' ? (email ?? row.customer_email) : (phone ?? row.customer_phone);
    if (to !== null) return { channel, to };
    const field = channel === 'email' ? 'email' : 'phone';
    throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required, because the customer has none.`, { field });
  });
}

function refuseExpired({ expires_ms }: InvoiceRow, now: number): void {
  if (expires_ms === null || expires_ms > now) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This link has expired. Create another one.', { details: { reason: 'expired' } });
}

function write(
  deps: Dependencies,
  work: Work,
  row: InvoiceRow,
  merchant: Merchant,
  { channel, to }: Recipient,
  message: string | undefined,
  atMs: TenantTime,
): Promise<string> {
  const addresses = addressesOf(deps, merchant, row);
  const common = {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    kind: row.kind,
    resourceId: row.id,
    to,
    atMs,
    ...(row.expires_ms === null ? {} : { expiresMs: row.expires_ms }),
  };
  if (channel === 'sms') return deps.notify(work, { ...common, channel, body: invoiceSms(row, merchant, addresses) });
  const attachment = row.kind === 'invoice' ? { attachment: `invoice:${row.id}` } : {};
  return deps.notify(work, { ...common, channel, ...invoiceEmail(row, merchant, addresses, message), ...attachment });
}
