import { dayText } from '#renderer/ui';
import { addDays } from '../words.ts';

const NAMES = {
  today: 'Today',
  '7-days': 'Last 7 days',
  '30-days': 'Last 30 days',
  '90-days': 'Last 90 days',
} as const;
const DAYS_BACK: Readonly<Record<Period, number>> = { today: 0, '7-days': 6, '30-days': 29, '90-days': 89 };

type Period = keyof typeof NAMES;
export const PERIODS = Object.entries(NAMES).map(([id, name]) => ({ id: id as Period, name }));

/** Creation date of an invoice: a named period, or two days, each optional. */
export interface Made {
  readonly period?: Period;
  readonly startDate?: string;
  readonly endDate?: string;
}

/** The first and the last day that are meant today. */
export function daysOf({ period, startDate, endDate }: Made, today: string): Pick<Made, 'startDate' | 'endDate'> {
  return period ? { startDate: addDays(today, -DAYS_BACK[period]), endDate: today } : { startDate, endDate };
}

/** A period in words. */
export function madeText({ period, startDate, endDate }: Made): string | undefined {
  if (period) return NAMES[period].toLowerCase();
  if (startDate && endDate) return startDate === endDate ? dayText(startDate) : `${dayText(startDate)} to ${dayText(endDate)}`;
  if (startDate) return `from ${dayText(startDate)}`;
  return endDate ? `to ${dayText(endDate)}` : undefined;
}
