import type { ApiSession } from './api-session.ts';

/** Formats days as the screens do: without the year if it is that of the account's clock. */
export async function dayTextsOf(api: ApiSession): Promise<(day: string) => string> {
  const { data } = await api.read<{ now: string }>('/sandbox/clock');
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(new Date(day));
  return (day) =>
    day.slice(0, 4) === data.now.slice(0, 4) ? format(day, { month: 'short', day: 'numeric' }) : format(day, { dateStyle: 'medium' });
}
