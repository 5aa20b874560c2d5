import { expect, test } from 'vitest';
import { setClockAhead, thisYear, timeZoneName } from '../../../renderer/base/dates/index.ts';
import { resetModuleState } from '../../../renderer/base/module-state/index.ts';
import { datedDay, dayText, shortTime } from '../../../renderer/kit/ui/time-text.tsx';

const ZONE = 'America/New_York';
/** 3:30 PM in the zone. */
const NOW = Date.parse('2026-11-24T20:30:00Z');

test.each([
  ['shows a payment of a minute ago by its time', '2026-11-24T20:29:10Z', 'Today, 3:29 PM'],
  ['shows a payment of this morning by its time', '2026-11-24T13:05:00Z', 'Today, 8:05 AM'],
  ['shows a payment of the day before by its date, though less than a day has passed', '2026-11-24T04:59:00Z', 'Nov 23, 11:59 PM'],
  ['shows a payment of another year with its year', '2025-12-31T17:00:00Z', 'Dec 31, 2025, 12:00 PM'],
])('%s', (_, at, text) => {
  expect(shortTime(at, ZONE, NOW)).toBe(text);
});

test('counts the days by the moved test clock', () => {
  expect(shortTime('2026-11-24T20:29:10Z', ZONE, NOW + 7 * 86_400_000)).toBe('Nov 24, 3:29 PM');
});

test('leaves the year out of days of the present year of the test clock', () => {
  const year = Number(thisYear());
  expect(dayText(`${year}-11-05`)).toBe('Nov 5');
  expect(dayText(`${year + 1}-01-05`)).toBe(`Jan 5, ${year + 1}`);
  setClockAhead(366 * 86_400_000);
  expect(dayText(`${year}-11-05`)).toBe(`Nov 5, ${year}`);
  expect(dayText(`${year + 1}-01-05`)).toBe('Jan 5');
  expect(datedDay(`${year + 1}-01-05`)).toBe(`Jan 5, ${year + 1}`);
  resetModuleState();
});

test.each([
  ['America/New_York', 'Eastern Time (New York)'],
  ['America/Mexico_City', 'Central Standard Time (Mexico City)'],
  ['America/Indiana/Indianapolis', 'Eastern Time (Indianapolis)'],
  ['UTC', 'UTC'],
])('names the time zone %s', (zone, name) => {
  expect(timeZoneName(zone)).toBe(name);
});
