import { type Actor, addDays, dateIn, isoTime, startOfDate } from '#core/kernel';
import type { HeaderLine } from './recording-file.ts';

const DAY_MS = 86_400_000;
/** Days within which a replay looks for a start after which the clocks do not change. */
const DAYS_MAX = 366;
/** Longest replay for which it looks: nearly as long as clocks stay unchanged where they change twice a year. */
const STEADY_DAYS_MAX = 120;
/** Days between two looks at the clocks. In no zone do they change and change back sooner. */
const STEADY_STEP_DAYS = 7;

/** Start of a recording or replay, to which its times and dates are distances. */
export interface Start {
  readonly startMs: number;
  /** Calendar date of the start in the zone of the account's first merchant. */
  readonly startDate: string;
}

/** Returns the merchants of an account, the first one first. */
export type MerchantsOf = (actor: Actor) => Promise<readonly { readonly merchantId: string; readonly timezone: string }[]>;

/** Returns the zone by which a recording and its replays start: that of the first merchant. */
export const zoneOf = (merchants: Awaited<ReturnType<MerchantsOf>>): string => merchants[0]?.timezone ?? 'UTC';

export const startIn = (timeZone: string, startMs: number): Start => ({ startMs, startDate: dateIn(timeZone, startMs) });

/** Returns the time of day of a start in a zone, `08:15:03.120`. */
export const localTimeOf = (timeZone: string, { startMs, startDate }: Start): string =>
  isoTime(startMs - startOfDate(timeZone, startDate)).slice(11, -1);

/**
 * Returns the first start of a replay, not before `nowMs`, at the time of day of its recording in the zone of the merchant, whose cutoffs and due dates
 * then are at the recorded distances. The clocks of the zone do not change during the replay, unless it takes months.
 */
export function nextStart(nowMs: number, timeZone: string, { startsAt }: Pick<HeaderLine, 'startsAt'>, durationMs: number): Start {
  const sinceMidnight = Date.parse(`1970-01-01T${startsAt}Z`);
  const days = Math.ceil((sinceMidnight + durationMs) / DAY_MS) + 1;
  const today = dateIn(timeZone, nowMs);
  const starts = Array.from({ length: DAYS_MAX }, (_, day): Start => {
    const startDate = addDays(today, day);
    return { startMs: startOfDate(timeZone, startDate) + sinceMidnight, startDate };
  }).filter(({ startMs }) => startMs >= nowMs);
  const first = starts[0] as Start;
  if (days > STEADY_DAYS_MAX) return first;
  return starts.find(({ startDate }) => isSteady(timeZone, startDate, days)) ?? first;
}

/** Returns true if the clocks of a zone do not change in a number of days. */
function isSteady(timeZone: string, startDate: string, days: number): boolean {
  const startMs = startOfDate(timeZone, startDate);
  for (let after = days; after > 0; after -= STEADY_STEP_DAYS)
    if (startOfDate(timeZone, addDays(startDate, after)) - startMs !== after * DAY_MS) return false;
  return true;
}
