import { dayText } from '#renderer/ui';
import { addDays } from '../texts.ts';

const PERIOD_NAMES = {
  today: 'Today',
  '7-days': 'Last 7 days',
  '30-days': 'Last 30 days',
  '90-days': 'Last 90 days',
} as const;
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
  if (period) return PERIOD_NAMES[period].toLowerCase();
  if (startDate && endDate) return startDate === endDate ? dayText(startDate) : `${dayText(startDate)} to ${dayText(endDate)}`;
  if (startDate) return `from ${dayText(startDate)}`;
  return endDate ? `to ${dayText(endDate)}` : undefined;
}
