import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useEffect, useState } from 'react';
import { dateFormat, dayIn } from '#renderer/dates';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LATER_TICK_MS = 30_000;

/** An instant: in words for an hour, then as a date and time of the merchant's zone; exact in the tooltip. */
export function TimeText({ at, timeZone }: { at: string; timeZone: string }) {
  const now = useNow(Date.now() - Date.parse(at) < HOUR_MS);
  return (
    <Tooltip title={exactTime(at, timeZone)}>
      <Box component="time" dateTime={at} sx={{ whiteSpace: 'nowrap' }}>
        {timeInWords(at, timeZone, now)}
      </Box>
    </Tooltip>
  );
}

function timeInWords(at: string, timeZone: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(at);
  if (agoMs >= 0 && agoMs < MINUTE_MS) return 'just now';
  if (agoMs >= 0 && agoMs < HOUR_MS) return `${Math.floor(agoMs / MINUTE_MS)} min ago`;
  return shortTime(at, timeZone, nowMs);
}

function shortTime(at: string, timeZone: string, nowMs: number): string {
  const instant = new Date(at);
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(instant);
  const day = dayIn(timeZone, instant);
  const today = dayIn(timeZone, nowMs);
  if (day === today) return `Today, ${time}`;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const date = dateFormat({ timeZone, month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) });
  return `${date.format(instant)}, ${time}`;
}

/** Date, time to the second and zone. */
export function exactTime(at: string, timeZone: string): string {
  return dateFormat({ timeZone, dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at));
}

/** A calendar day as people write it: "Nov 21, 2026". */
export function dayText(date: string): string {
  return dateFormat({ timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(`${date}T00:00:00Z`));
}

/** Present time, updated while recent times are shown. */
export function useNow(isTicking: boolean, everyMs = LATER_TICK_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isTicking, everyMs]);
  return now;
}
