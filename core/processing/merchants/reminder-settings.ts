import { ServiceError } from '#core/kernel';
import { unknownPlaceholder } from '#shared/reminder-placeholders';
import type { ReminderSettings } from './settings.ts';

/** Checks the reminders of a merchant. @throws ServiceError VALIDATION_ERROR for a repeated day, or a placeholder that does not exist. */
export function checkReminders({ steps, enabled }: ReminderSettings): void {
  const invalid = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: 'steps' });
  const days = steps.map((step) => step.days);
  if (new Set(days).size < days.length) throw invalid('Each number of `days` must occur once.');
  if (enabled && steps.length === 0) throw invalid('Add at least one reminder before you switch reminders on.');
  for (const { texts } of steps)
    for (const { subject, message } of Object.values(texts)) {
      const unknown = unknownPlaceholder(`${subject ?? ''} ${message ?? ''}`);
      if (unknown !== undefined) throw invalid(`There is no placeholder ${unknown}.`);
    }
}
