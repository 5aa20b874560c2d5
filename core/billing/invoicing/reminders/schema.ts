import { integer, type RowOf, table, text } from '#core/database';
import type { Language } from '#shared/languages';

/** Reminders that were sent. The key prevents that one is sent twice. */
export const INVOICE_REMINDERS = table(
  'invoice_reminders',
  {
    tenant_id: text,
    invoice_id: text,
    /** Days from the due date. */
    days: integer,
    /** Local day on which it was sent. */
    day: text,
    channel: text.of<'email' | 'sms'>(),
    recipient: text,
    message_id: text,
    created_at: text,
  },
  { key: ['tenant_id', 'invoice_id', 'days'] },
);

export type InvoiceReminderRow = RowOf<typeof INVOICE_REMINDERS>;

/** Choices of customers about reminders. */
export const REMINDER_CHOICES = table(
  'reminder_choices',
  {
    tenant_id: text,
    customer_id: text,
    /** 1 if the customer gets no reminders. */
    is_off: integer,
    /** First day on which reminders are sent after the customer wanted them again. */
    since_day: text.optional,
    /** Language of the reminders; null for that of the merchant. */
    language: text.of<Language>().optional,
    updated_at: text,
  },
  { key: ['tenant_id', 'customer_id'] },
);

export type ReminderChoiceRow = RowOf<typeof REMINDER_CHOICES>;
