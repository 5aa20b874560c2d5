import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';

/** Preset periods of lists of payments. */
export const PERIOD_OPTIONS = [
  { value: 'today', name: t('Today') },
  { value: 'yesterday', name: t('Yesterday') },
  { value: '7-days', name: t('Last 7 days') },
  { value: '30-days', name: t('Last 30 days') },
  { value: 'month', name: t('This month') },
  { value: 'last-month', name: t('Last month') },
] as const;
export type Period = (typeof PERIOD_OPTIONS)[number]['value'];
export const PERIODS = PERIOD_OPTIONS.map(({ value }) => value);

interface Dates {
  readonly startDate: string;
  readonly endDate: string;
}

/** Returns the first and the last day of a period, both inclusive. */
export function periodDates(period: Period, today: string): Dates {
  const [year = 0, month = 0] = today.split('-').map(Number);
  switch (period) {
    case 'today':
      return { startDate: today, endDate: today };
    case 'yesterday':
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) };
    case '7-days':
      return { startDate: addDays(today, -6), endDate: today };
    case '30-days':
      return { startDate: addDays(today, -29), endDate: today };
    case 'month':
      return { startDate: day(year, month, 1), endDate: today };
    case 'last-month':
      return { startDate: day(year, month - 1, 1), endDate: day(year, month, 0) };
  }
}

/** Returns a date. Days and months outside their range roll over. */
function day(year: number, month: number, dayOfMonth: number): string {
  return new Date(Date.UTC(year, month - 1, dayOfMonth)).toISOString().slice(0, 10);
}
