import { type Currency, dateIn, money, type TenantTime } from '#core/kernel';
import { brandOf, formatDay, formatMoney, plain, plainLines } from '#core/platform/documents';
import type { Merchant, ReminderStep } from '#core/processing/merchants';
import type { NewMessage } from '#core/records/notifications';
import type { Language } from '#shared/languages';
import { SMS_MAX, withValues } from '#shared/reminder-placeholders';
import type { Addresses } from '../invoice.ts';
import { amountDueOf, payEmail } from '../invoice-email.ts';
import type { Recipient } from '../messages.ts';
import type { InvoiceRow } from '../schema.ts';
import { windowOn } from './schedule.ts';
import { CUSTOMER, type Phase, textsOf } from './texts.ts';

/** Fields of an invoice that its reminders name. */
export type RemindedInvoice = Pick<
  InvoiceRow,
  'number' | 'due_date' | 'customer_name' | 'customer_company' | 'amount_minor' | 'paid_minor' | 'late_fee_minor' | 'currency'
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
    lateFees: formatMoney(money(row.late_fee_minor, row.currency as Currency), language),
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

const shortened = (text: string): string => (text.length <= SMS_MAX ? text : `${text.slice(0, SMS_MAX - 1).trimEnd()}…`);

/** Returns the text message of a reminder with its link. */
export const smsText = (lines: readonly string[], shortUrl: string): string => `${shortened(lines.join(' '))} ${shortUrl}`;

/** Returns the message of a reminder. */
export function reminderMessage({ row, merchant, addresses, step, recipient, language, now }: Reminder): NewMessage {
  const { channel, to } = recipient;
  const day = dateIn(merchant.timezone, now);
  const { subject, lines } = reminderText(row, merchant, step, { language, day });
  const common = {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    kind: 'invoice',
    resourceId: row.id,
    customerId: row.customer_id,
    language,
    to,
    // At night it would disturb, and on another day it may be wrong.
    expiresMs: windowOn(merchant.reminders, merchant.timezone, day).endMs,
    atMs: now,
    cause: 'reminder',
  } as const;
  if (channel === 'sms') return { ...common, channel, body: smsText(lines, addresses.shortUrl) };
  return {
    ...common,
    channel,
    ...payEmail(row, merchant, { subject, lines, url: addresses.url, language }),
    attachment: `invoice:${row.id}`,
  };
}
