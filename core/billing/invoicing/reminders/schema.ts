import { integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Language } from '#shared/languages';

/** Time at which the reminders of a merchant are sent next. `id` is that of the merchant; `due_ms` is null while reminders are off. */
export const REMINDER_RUNS = table(
  'reminder_runs',
  {
    tenant_id: text,
    id: text,
    /** Day on which reminders were switched on. Reminders of earlier days are not sent. */
    since_day: text,
    send_at: text,
    /** JSON of the days of the week. */
    weekdays: text,
    /** Due date and ID of the last invoice that was looked at, in the run of `run_day`; null if no run is unfinished. */
    run_day: text.optional,
    after_due_date: text.optional,
    after_id: text.optional,
    due_ms: integer.of<TenantTime>().optional,
    lease_ms: integer,
    fence: integer,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'reminder_runs_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

export type ReminderRunRow = RowOf<typeof REMINDER_RUNS>;

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
