import { describe, expect, test } from 'vitest';
import { daysBetween, nextReminderMs } from '../../../core/books/disputes/due-dates.ts';

const ZONE = 'America/New_York';
const remindersFrom = (now: string, status: 'open' | 'submitted' = 'open') => {
  const found: string[] = [];
  for (let ms: number | null = Date.parse(now); ms !== null; ) {
    ms = nextReminderMs({ status, due_date: '2026-03-10' }, ZONE, ms);
    if (ms !== null) found.push(new Date(ms).toISOString());
  }
  return found;
};

describe('reminders of a due date', () => {
  test('are 7, 3 and 1 days before at 8:00 in the zone of the merchant, across a change of daylight saving time', () => {
    expect(remindersFrom('2026-02-20T00:00:00Z')).toEqual([
      '2026-03-03T13:00:00.000Z',
      '2026-03-07T13:00:00.000Z',
      '2026-03-09T12:00:00.000Z',
    ]);
  });

  test('start with the next one if the dispute arrives late', () => {
    expect(remindersFrom('2026-03-05T00:00:00Z')).toHaveLength(2);
    expect(remindersFrom('2026-03-10T00:00:00Z')).toEqual([]);
  });

  test('are not published for a dispute that awaits no response', () => {
    expect(remindersFrom('2026-02-20T00:00:00Z', 'submitted')).toEqual([]);
  });
});

test.each([
  ['2026-03-01', '2026-03-01', 0],
  ['2026-03-01', '2026-03-08', 7],
  ['2026-03-08', '2026-03-01', -7],
  ['2027-12-31', '2028-03-01', 61],
])('counts the days from %s to %s', (from, to, days) => {
  expect(daysBetween(from, to)).toBe(days);
});
