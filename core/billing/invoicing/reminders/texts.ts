import type { ReminderStep } from '#core/processing/merchants';
import type { Language } from '#shared/languages';

/** Relation of the day of a reminder to the due date. */
export type Phase = 'before' | 'on' | 'after';

interface StandardText {
  readonly subject: string;
  readonly message: string;
}

/** Texts of reminders without texts of the merchant, with placeholders. */
const REMINDER_TEXTS: Readonly<Record<Language, Readonly<Record<Phase, StandardText>>>> = {
  en: {
    before: {
      subject: 'Invoice {{number}} is due on {{dueDate}}',
      message: 'A reminder from {{company}}: {{amount}} of invoice {{number}} is due on {{dueDate}}.',
    },
    on: {
      subject: 'Invoice {{number}} is due today',
      message: 'A reminder from {{company}}: {{amount}} of invoice {{number}} is due today, {{dueDate}}.',
    },
    after: {
      subject: 'Invoice {{number}} is overdue',
      message:
        'A reminder from {{company}}: {{amount}} of invoice {{number}} was due on {{dueDate}}. If you have paid in the meantime, ignore this message.',
    },
  },
  es: {
    before: {
      subject: 'La factura {{number}} vence el {{dueDate}}',
      message: 'Recordatorio de {{company}}: el importe de {{amount}} de la factura {{number}} vence el {{dueDate}}.',
    },
    on: {
      subject: 'La factura {{number}} vence hoy',
      message: 'Recordatorio de {{company}}: el importe de {{amount}} de la factura {{number}} vence hoy, {{dueDate}}.',
    },
    after: {
      subject: 'La factura {{number}} está vencida',
      message:
        'Recordatorio de {{company}}: el importe de {{amount}} de la factura {{number}} venció el {{dueDate}}. Si ya lo ha pagado, ignore este mensaje.',
    },
  },
};

/** Name of a customer without a name, in a text with `{{customer}}`. */
export const CUSTOMER: Readonly<Record<Language, string>> = { en: 'customer', es: 'cliente' };

/** Returns the subject and the message of a reminder: those of the merchant, or else those of Paydesk. */
export function textsOf({ texts }: Pick<ReminderStep, 'texts'>, language: Language, phase: Phase): StandardText {
  const standard = REMINDER_TEXTS[language][phase];
  const own = texts[language];
  return { subject: own?.subject ?? standard.subject, message: own?.message ?? standard.message };
}
