import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, fullTime } from '#renderer/kit/ui';

interface Reminders {
  readonly state: 'off' | 'scheduled' | 'stopped' | 'promised' | 'customer_off' | 'no_recipient' | 'done';
  readonly next: { readonly days: number; readonly at: string } | null;
}

/** "3 days before the due date", "On the due date", "7 days after the due date". */
export function reminderDays(days: number): string {
  if (days === 0) return t('On the due date');
  return days < 0
    ? t('{{count, number}} days before the due date', { count: -days })
    : t('{{count, number}} days after the due date', { count: days });
}

const STOPPED = {
  payment: t('Reminders ended, because a part was paid.'),
  dispute: t('Reminders ended, because the invoice or its payment is disputed.'),
  installments: t('Reminders ended, because it is paid in installments.'),
  customer_deleted: t('Reminders ended, because the customer was deleted.'),
} as const;

/** Says which reminder follows, or why none does. */
export function stateText({ state, next }: Reminders, { promise, remindersStopped, status }: Invoice, timeZone: string): string {
  switch (state) {
    case 'off':
      return t('Reminders are off. Switch them on in Settings > Invoice reminders.');
    case 'stopped':
      if (remindersStopped === null) return '';
      return remindersStopped.reason === 'manual'
        ? t('Reminders were ended by {{user}}.', { user: remindersStopped.by })
        : STOPPED[remindersStopped.reason];
    case 'promised':
      return t('No reminder is sent until {{day}} has passed.', { day: promise === null ? '' : dayText(promise.date) });
    case 'customer_off':
      return t('This customer gets no reminders.');
    case 'no_recipient':
      return t('No reminder can be sent: the customer has neither an email address nor a phone number.');
    case 'scheduled':
      return next === null ? '' : t('Next reminder: {{time}}', { time: fullTime(next.at, timeZone) });
    case 'done':
      return status === 'draft' ? t('Reminders follow after the invoice is sent.') : t('No further reminder follows.');
  }
}
