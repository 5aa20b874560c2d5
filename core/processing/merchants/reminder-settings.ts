import { ServiceError } from '#core/kernel';
import { SMS_MAX, unknownPlaceholder, withValues } from '#shared/reminder-placeholders';
import type { ReminderSettings, ReminderStep } from './settings.ts';

/** Values of a long name and a large amount, with which a text message must not be too long. */
const LONG_VALUES = {
  customer: 'x'.repeat(60),
  number: 'INV-000000',
  amount: '1,000,000.00 USD',
  dueDate: '30 September 2026',
  lateFees: '1,000,000.00 USD',
  company: 'x'.repeat(60),
};

/** Checks the reminders of a merchant. @throws ServiceError VALIDATION_ERROR for a repeated day, a placeholder that does not exist, or a long text message. */
export function checkReminders({ steps, enabled }: ReminderSettings): void {
  const days = steps.map((step) => step.days);
  if (new Set(days).size < days.length) throw invalid('Each number of `days` must occur once.');
  if (enabled && steps.length === 0) throw invalid('Add at least one reminder before you switch reminders on.');
  for (const { texts } of steps)
    for (const { subject, message } of Object.values(texts)) {
      const unknown = unknownPlaceholder(`${subject ?? ''} ${message ?? ''}`);
      if (unknown !== undefined) throw invalid(`There is no placeholder ${unknown}.`);
    }
  for (const step of steps) if (step.channel === 'sms') checkLength(step);
}

function checkLength({ days, texts }: ReminderStep): void {
  for (const [language, { message }] of Object.entries(texts)) {
    const { length } = withValues(message ?? '', LONG_VALUES);
    if (length > SMS_MAX)
      throw invalid(
        `The text message of the reminder with \`days\` ${days} in \`${language}\` can have ${length} characters with its placeholders filled in. Shorten it to at most ${SMS_MAX}.`,
        { days, language, length, limit: SMS_MAX },
      );
  }
}

const invalid = (message: string, details?: Record<string, unknown>) =>
  new ServiceError('VALIDATION_ERROR', message, { field: 'steps', ...(details && { details }) });

/** Checks that reminders can be sent. @throws ServiceError RESOURCE_CONFLICT if neither emails nor text messages are set up. */
export async function checkDelivery(delivers: (channel: 'email' | 'sms') => Promise<boolean>): Promise<void> {
  if ((await delivers('email')) || (await delivers('sms'))) return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    'This account cannot send emails or text messages yet. Set up one of them before you switch reminders on.',
    { field: 'enabled', details: { reason: 'no_delivery' } },
  );
}
