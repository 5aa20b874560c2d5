import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import type { DaysFilter } from '#renderer/session/date-entry';

export const PERIODS = [
  { value: 'today', name: t('Today') },
  { value: '7-days', name: t('Last 7 days') },
  { value: '30-days', name: t('Last 30 days') },
  { value: '90-days', name: t('Last 90 days') },
] as const;
type Period = (typeof PERIODS)[number]['value'];
const DAYS_BACK: Readonly<Record<Period, number>> = { today: 0, '7-days': 6, '30-days': 29, '90-days': 89 };

/** Creation date of an invoice. */
export type CreatedFilter = DaysFilter<Period>;

/** Returns the first and the last day of a filter, relative to today. */
export function daysOf({ period, startDate, endDate }: CreatedFilter, today: string): Pick<CreatedFilter, 'startDate' | 'endDate'> {
  return period ? { startDate: addDays(today, -DAYS_BACK[period]), endDate: today } : { startDate, endDate };
}
