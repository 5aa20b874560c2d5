import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import { change } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { SendInput } from './input.ts';
import type { Sent } from './invoice.ts';
import { type Recipient, sentTo, writeMessages } from './messages.ts';
import { findInvoice } from './read.ts';
import type { InvoiceRow } from './schema.ts';

/**
 * Sends an invoice or a link by email, text message or both. A draft then counts as sent; an open invoice gets a reminder. Without
 * recipients, the customer gets it: REQUIRED_FIELD_MISSING on `email` or `phone` if there is none. @throws ServiceError
 * INVOICE_ALREADY_PAID, INVOICE_CANCELLED; RESOURCE_CONFLICT for an expired link.
 */
export async function send(deps: Dependencies, actor: Actor, id: string, input: SendInput): Promise<Sent> {
  const { merchant } = await findInvoice(deps, actor, id);
  checkOpen(merchant);
  let messageIds: string[] = [];
  const invoice = await change(deps, actor, id, 'send', 'sent', async (work, row, now) => {
    const to = recipientsOf(row, input);
    messageIds = await writeMessages(deps, work, { row, merchant, message: input.message }, to, now);
    return { set: { sent_at: row.sent_at ?? isoTime(now) }, more: sentTo(to) };
  });
  return { invoice, messageIds };
}

function recipientsOf(row: InvoiceRow, { sendVia = ['email'], email, phone }: SendInput): Recipient[] {
  return sendVia.map((channel) => {
    const to = channel === 'email' ? (email ?? row.customer_email) : (phone ?? row.customer_phone);
    if (to !== null) return { channel, to };
    const field = channel === 'email' ? 'email' : 'phone';
    throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required, because the customer has none.`, { field });
  });
}
