import { t } from '#renderer/base/language';
/** Preset periods. */
export const PERIODS = ['today', 'yesterday', '7-days', '30-days', 'month', 'last-month'] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  today: t('Today'),
  yesterday: t('Yesterday'),
  '7-days': t('Last 7 days'),
  '30-days': t('Last 30 days'),
  month: t('This month'),
  'last-month': t('Last month'),
};

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

function addDays(date: string, days: number): string {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  return day(year, month, dayOfMonth + days);
}

/** Returns a date. Days and months outside their range roll over. */
function day(year: number, month: number, dayOfMonth: number): string {
  return new Date(Date.UTC(year, month - 1, dayOfMonth)).toISOString().slice(0, 10);
}
