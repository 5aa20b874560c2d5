import { addDays, dateIn, instantOn, type TenantTime, tenantTime } from '#core/kernel';
import type { Merchant, ReminderSettings, ReminderStep } from '#core/processing/merchants';
import { isPublicHoliday } from '#shared/holidays';

/** Days for which a reminder that could not be sent on its day is sent later. */
const LATE_DAYS = 7;
/** Time after `sendAt` in which reminders are sent, so that nobody gets a text message at night after an outage. */
const LATE_MS = 3 * 3_600_000;
/** Local time from which nothing is sent. */
const END_OF_DAY = '21:00';
/** Days by which a reminder is moved at most: public holidays can follow one another on the only day of the week that is chosen. */
const MOVED_MAX = 28;
const SUNDAY = 0;

/** Facts of an invoice that decide when it is reminded. Days are local days of the merchant. */
export interface ReminderFacts {
  readonly dueDate: string;
  /** Day on which the invoice was sent; a reminder comes later than it. */
  readonly sentDay: string;
  /** Day by which the customer promised to pay; a reminder comes later than it. */
  readonly promisedDate: string | null;
  /** First day on which reminders are sent. */
  readonly sinceDay: string;
  readonly sent: readonly { readonly days: number; readonly day: string }[];
}

/** Days on which reminders are sent. `country`: ISO 3166 code of the country whose public holidays count; null for none. */
type Calendar = Pick<ReminderSettings, 'weekdays'> & { readonly country: string | null };
type Times = Calendar & Pick<ReminderSettings, 'sendAt'>;
export type Schedule = ReminderSettings & Calendar;

/** Returns the schedule of a merchant. */
export const scheduleOf = ({ reminders, country }: Pick<Merchant, 'reminders' | 'country'>): Schedule => ({ ...reminders, country });

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Returns true if reminders are sent on a day. A public holiday counts as a Sunday. */
const isSendingDay = ({ weekdays, country }: Calendar, day: string): boolean =>
  weekdays.includes(country !== null && isPublicHoliday(country, day) ? SUNDAY : weekdayOf(day));

/** Returns a day if reminders are sent on it, or else the next one on which they are. */
function workingDayFrom(day: string, calendar: Calendar): string {
  let found = day;
  for (let tried = 0; tried < MOVED_MAX && !isSendingDay(calendar, found); tried += 1) found = addDays(found, 1);
  return found;
}

/** Returns the day of a reminder: that of the schedule, or the next working day. */
const dayOfStep = (dueDate: string, days: number, calendar: Calendar): string => workingDayFrom(addDays(dueDate, days), calendar);

/** Returns the time of the first run after a time. */
export function nextRun(times: Times, zone: string, afterMs: number): TenantTime {
  const { sendAt } = times;
  let day = workingDayFrom(dateIn(zone, afterMs), times);
  if (instantOn(zone, day, sendAt) <= afterMs) day = workingDayFrom(addDays(day, 1), times);
  return tenantTime(instantOn(zone, day, sendAt));
}

/** Returns the times of a day between which reminders are sent. */
export function windowOn(
  { sendAt }: Pick<Times, 'sendAt'>,
  zone: string,
  day: string,
): { readonly startMs: TenantTime; readonly endMs: TenantTime } {
  const startMs = instantOn(zone, day, sendAt);
  return { startMs: tenantTime(startMs), endMs: tenantTime(Math.min(startMs + LATE_MS, instantOn(zone, day, END_OF_DAY))) };
}

/** Returns the local day of a run at a time; null if the time is too late, or on a day without reminders. */
export function runDayAt(times: Times, zone: string, nowMs: number): string | null {
  const day = dateIn(zone, nowMs);
  const { startMs, endMs } = windowOn(times, zone, day);
  return nowMs >= startMs && nowMs < endMs && isSendingDay(times, day) ? day : null;
}

/** Returns the reminder that an invoice gets on a day: the last one of the schedule whose day has come, unless it or a later one was sent. */
export function stepOn(facts: ReminderFacts, schedule: Schedule, day: string): ReminderStep | null {
  if (facts.sent.some((reminder) => reminder.day === day)) return null;
  const last = Math.max(Number.NEGATIVE_INFINITY, ...facts.sent.map(({ days }) => days));
  const passed = schedule.steps.filter(({ days }) => {
    const at = dayOfStep(facts.dueDate, days, schedule);
    const isExpected = at >= facts.sinceDay && at > facts.sentDay && (facts.promisedDate === null || at > facts.promisedDate);
    return days > last && isExpected && at <= day && at >= addDays(day, -LATE_DAYS);
  });
  return passed.toSorted((left, right) => right.days - left.days)[0] ?? null;
}

/** A reminder with its time. */
export interface PlannedReminder {
  readonly step: ReminderStep;
  readonly atMs: TenantTime;
}

/** Returns the next reminder of an invoice after a time, as long as nothing changes; null if none follows. */
export function nextReminder(facts: ReminderFacts, settings: Schedule, zone: string, afterMs: number): PlannedReminder | null {
  const first = dateIn(zone, nextRun(settings, zone, afterMs));
  const days = settings.steps.map(({ days: each }) => dayOfStep(facts.dueDate, each, settings)).filter((day) => day > first);
  for (const day of [first, ...days.toSorted()]) {
    const step = stepOn(facts, settings, day);
    if (step !== null) return { step, atMs: tenantTime(instantOn(zone, day, settings.sendAt)) };
  }
  return null;
}

/** Returns the due dates between which an invoice can be reminded on a day. */
export function dueDatesOn({ steps }: ReminderSettings, day: string): { readonly from: string; readonly to: string } {
  const days = steps.map((step) => step.days);
  return { from: addDays(day, -Math.max(...days) - LATE_DAYS - MOVED_MAX), to: addDays(day, -Math.min(...days)) };
}

/** Returns all reminders of one unpaid invoice. */
export function lifeOf(facts: Omit<ReminderFacts, 'sent'>, settings: Schedule, zone: string): PlannedReminder[] {
  const planned: PlannedReminder[] = [];
  const sent: { days: number; day: string }[] = [];
  let afterMs: number = instantOn(zone, facts.sentDay, '00:00');
  for (let next = nextReminder({ ...facts, sent }, settings, zone, afterMs); next !== null; ) {
    planned.push(next);
    sent.push({ days: next.step.days, day: dateIn(zone, next.atMs) });
    afterMs = next.atMs;
    next = nextReminder({ ...facts, sent }, settings, zone, afterMs);
  }
  return planned;
}
