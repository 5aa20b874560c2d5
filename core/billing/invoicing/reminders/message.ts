import { dateIn, type TenantTime, tenantTime } from '#core/kernel';
import { brandOf, formatDay, formatMoney, plain, plainLines } from '#core/platform/documents';
import type { Merchant, ReminderStep } from '#core/processing/merchants';
import type { NewMessage } from '#core/records/notifications';
import type { Language } from '#shared/languages';
import { withValues } from '#shared/reminder-placeholders';
import type { Addresses } from '../invoice.ts';
import { amountDueOf, payEmail } from '../invoice-email.ts';
import type { Recipient } from '../messages.ts';
import type { InvoiceRow } from '../schema.ts';
import { CUSTOMER, type Phase, textsOf } from './texts.ts';

/** Time after which a reminder that could not be delivered is not sent, because it may be wrong by then. */
const EXPIRES_MS = 3 * 86_400_000;

/** Fields of an invoice that its reminders name. */
export type RemindedInvoice = Pick<
  InvoiceRow,
  'number' | 'due_date' | 'customer_name' | 'customer_company' | 'amount_minor' | 'paid_minor' | 'currency'
>;

const phaseOf = (dueDate: string, day: string): Phase => (day < dueDate ? 'before' : day === dueDate ? 'on' : 'after');

/** Returns the subject and the lines of a reminder that is sent on a local day. */
export function reminderText(
  row: RemindedInvoice,
  merchant: Merchant,
  step: Pick<ReminderStep, 'texts'>,
  { language, day }: { readonly language: Language; readonly day: string },
): { readonly subject: string; readonly lines: readonly string[] } {
  const dueDate = row.due_date ?? day;
  const { subject, message } = textsOf(step, language, phaseOf(dueDate, day));
  const values = {
    customer: plain(row.customer_name ?? row.customer_company ?? CUSTOMER[language]),
    number: row.number,
    amount: formatMoney(amountDueOf(row), language),
    dueDate: formatDay(dueDate, language),
    company: plain(brandOf(merchant).companyName),
  };
  return { subject: plain(withValues(subject, values)), lines: plainLines(withValues(message, values)) };
}

interface Reminder {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly addresses: Addresses;
  readonly step: ReminderStep;
  readonly recipient: Recipient;
  readonly language: Language;
  readonly now: TenantTime;
}

/** Returns the message of a reminder. */
export function reminderMessage({ row, merchant, addresses, step, recipient, language, now }: Reminder): NewMessage {
  const { channel, to } = recipient;
  const { subject, lines } = reminderText(row, merchant, step, { language, day: dateIn(merchant.timezone, now) });
  const common = {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    kind: 'invoice',
    resourceId: row.id,
    to,
    expiresMs: tenantTime(now + EXPIRES_MS),
    atMs: now,
    cause: 'event',
  } as const;
  if (channel === 'sms') return { ...common, channel, body: `${lines.join(' ')} ${addresses.shortUrl}` };
  return {
    ...common,
    channel,
    ...payEmail(row, merchant, { subject, lines, url: addresses.url, language }),
    attachment: `invoice:${row.id}`,
  };
}
