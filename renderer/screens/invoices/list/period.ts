import { t } from '#renderer/base/language';
import { dayText } from '#renderer/kit/ui';
import { addDays } from '../texts.ts';

const PERIOD_NAMES = {
  today: t('Today'),
  '7-days': t('Last 7 days'),
  '30-days': t('Last 30 days'),
  '90-days': t('Last 90 days'),
} as const;
/** Names within the text of the filter. */
const PERIOD_TEXTS: Readonly<Record<Period, string>> = {
  today: t('today'),
  '7-days': t('last 7 days'),
  '30-days': t('last 30 days'),
  '90-days': t('last 90 days'),
};
const DAYS_BACK: Readonly<Record<Period, number>> = { today: 0, '7-days': 6, '30-days': 29, '90-days': 89 };

type Period = keyof typeof PERIOD_NAMES;
export const PERIODS = Object.entries(PERIOD_NAMES).map(([id, name]) => ({ id: id as Period, name }));

/** Creation date of an invoice: a named period, or two days, each optional. */
export interface CreatedFilter {
  readonly period?: Period;
  readonly startDate?: string;
  readonly endDate?: string;
}

/** Returns the first and the last day of a filter, relative to today. */
export function daysOf({ period, startDate, endDate }: CreatedFilter, today: string): Pick<CreatedFilter, 'startDate' | 'endDate'> {
  return period ? { startDate: addDays(today, -DAYS_BACK[period]), endDate: today } : { startDate, endDate };
}

/** Returns the display text of a filter. */
export function createdFilterText({ period, startDate, endDate }: CreatedFilter): string | undefined {
  if (period) return PERIOD_TEXTS[period];
  if (startDate && endDate)
    return startDate === endDate ? dayText(startDate) : t('{{from}} to {{to}}', { from: dayText(startDate), to: dayText(endDate) });
  if (startDate) return t('from {{date}}', { date: dayText(startDate) });
  return endDate ? t('to {{date}}', { date: dayText(endDate) }) : undefined;
}
