import { Type } from 'typebox';
import { count, day, flag, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { LANGUAGE_CODES } from '#shared/languages';
import { firstFields } from '../previews.ts';

const channel = literals(['email', 'sms'], 'Email or text message');
const days = count('Days from the due date: negative before it, 0 on it', 7);

const PlannedReminder = record('PlannedReminder', { days, at: time('Time at which it is sent'), channel });

const SentReminder = record('SentReminder', {
  days,
  channel,
  to: text('Recipient', 'ann@customer.example'),
  at: time('Time at which it was queued'),
  messageId: id('msg', 'Message in the outbox'),
  status: literals(
    ['waiting', 'queued', 'sent', 'failed', 'expired'],
    'Status of the message; `sent` means that the server of the recipient or provider accepted it',
  ),
  error: nullable(text('Answer of the server that refused it', null)),
  sentAt: nullable(time('Time at which the server accepted it')),
  answer: nullable(text('Answer of that server', '250 2.0.0 Ok: queued')),
});

const REMINDER_STATES = ['off', 'scheduled', 'stopped', 'promised', 'customer_off', 'no_recipient', 'done'] as const;

/** Reminders of one invoice. */
export const InvoiceReminders = record('InvoiceReminders', {
  invoiceId: id('inv', 'ID of the invoice'),
  state: literals(
    REMINDER_STATES,
    '`off`: reminders are not switched on, or the merchant is closed; `customer_off`: the customer gets none; `no_recipient`: no address is known; `done`: no further reminder follows',
    'scheduled',
  ),
  next: nullable(PlannedReminder, 'Next reminder, if nothing changes until then'),
  sent: list(SentReminder, 'Sent reminders, oldest first'),
});
export type InvoiceReminders = RecordOf<typeof InvoiceReminders>;

export const ReminderPreview = record('ReminderPreview', {
  life: list(
    record('PreviewedReminder', {
      ...PlannedReminder.properties,
      day: day('Local day'),
      texts: list(
        Type.Object({
          language: literals(LANGUAGE_CODES, 'Language'),
          subject: nullable(text('Subject of the email', 'Invoice INV-000042 is overdue')),
          message: text('Text as it is sent, with sample links', 'A reminder'),
        }),
        'Text in each language',
      ),
    }),
    'Reminders of one invoice that is sent today, is due in `dueInDays` and is not paid',
  ),
  dueDate: day('Due date of that invoice'),
  isLocalOnly: flag('Whether the links in reminders open on this computer only, except those of open payment pages of a gateway'),
  ...firstFields('FirstReminder', PlannedReminder, 'reminded'),
});
export type ReminderPreview = RecordOf<typeof ReminderPreview>;

export const ReminderChoice = record('ReminderChoice', {
  customerId: id('cus', 'ID of the customer'),
  enabled: flag('False if the customer gets no reminders', true),
  language: nullable(literals(LANGUAGE_CODES, 'Language of the reminders and the customer page; null for none', null)),
});
export type ReminderChoice = RecordOf<typeof ReminderChoice>;
