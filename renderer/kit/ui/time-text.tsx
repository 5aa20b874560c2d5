import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { createContext, useContext, useEffect, useState } from 'react';
import { dateFormat, dayIn, thisYear } from '#renderer/base/dates';
import { t } from '#renderer/base/language';

const TODAY_TICK_MS = 60_000;
const LATER_TICK_MS = 30_000;

/** Time that the account's clock is ahead of this computer's, in milliseconds: a sandbox's test clock may have been moved. Decides which day is today. */
export const ClockOffset = createContext(0);

/** A time in the merchant's zone: of today the time of day, else with its date. Exact in the tooltip. */
export function TimeText({ at, timeZone }: { at: string; timeZone: string }) {
  const offsetMs = useContext(ClockOffset);
  const now = useNow(true, TODAY_TICK_MS) + offsetMs;
  return (
    <Tooltip title={exactTime(at, timeZone)}>
      <Box component="time" dateTime={at} sx={{ whiteSpace: 'nowrap' }}>
        {shortTime(at, timeZone, now)}
      </Box>
    </Tooltip>
  );
}

/** Formats a time as "Today, 3:24 PM", "Nov 21, 3:24 PM" or, of another year, "Nov 21, 2025, 3:24 PM". */
export function shortTime(at: string, timeZone: string, nowMs: number): string {
  const instant = new Date(at);
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(instant);
  const day = dayIn(timeZone, instant);
  const today = dayIn(timeZone, nowMs);
  if (day === today) return t('Today, {{time}}', { time });
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const date = dateFormat({ timeZone, month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) });
  return `${date.format(instant)}, ${time}`;
}

/** Formats date, time and zone: "Nov 21, 3:24 PM EST" or, of another year, "Nov 21, 2025, 3:24 PM EST". */
export function fullTime(at: string, timeZone: string): string {
  const options = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const isThisYear = dayIn(timeZone, new Date(at)).startsWith(thisYear());
  return dateFormat({ timeZone, ...options, ...(isThisYear ? {} : { year: 'numeric' }) }).format(new Date(at));
}

/** Formats date, time to the second and zone, for logs and records whose order matters. */
export function exactTime(at: string, timeZone: string): string {
  return dateFormat({ timeZone, dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at));
}

/** Formats a calendar day: "Nov 21" or, of another year, "Nov 21, 2025". */
export const dayText = (date: string): string =>
  date.startsWith(thisYear()) ? formatDay(date, { month: 'short', day: 'numeric' }) : datedDay(date);

/** Formats a calendar day with its year, for documents and files: "Nov 21, 2026". */
export const datedDay = (date: string): string => formatDay(date, { dateStyle: 'medium' });

const formatDay = (date: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat({ timeZone: 'UTC', ...options }).format(new Date(`${date}T00:00:00Z`));

/** Returns the current time, updated while recent times are shown. */
export function useNow(isTicking: boolean, everyMs = LATER_TICK_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isTicking, everyMs]);
  return now;
}
