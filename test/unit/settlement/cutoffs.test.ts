import { describe, expect, test } from 'vitest';
import { cutoffAfter, settlementDateOf } from '../../../core/books/settlement/calendar.ts';

const NEW_YORK = 'America/New_York';
type Rule = Parameters<typeof cutoffAfter>[0];
const rule = (overrides: Partial<Rule> = {}): Rule => ({
  frequency: 'daily',
  cutoff_time: '00:00',
  weekday: 1,
  day_of_month: 1,
  ...overrides,
});
const next = (input: Rule, after: string) => {
  const cutoffMs = cutoffAfter(input, NEW_YORK, Date.parse(after));
  return cutoffMs === null ? null : new Date(cutoffMs).toISOString();
};

describe('the next settlement cutoff', () => {
  test.each([
    ['is the next midnight by default', rule(), '2026-11-21T12:00:00Z', '2026-11-22T05:00:00.000Z'],
    ['is after the given time', rule(), '2026-11-22T05:00:00.000Z', '2026-11-23T05:00:00.000Z'],
    ['includes the next millisecond', rule(), '2026-11-22T04:59:59.999Z', '2026-11-22T05:00:00.000Z'],
    ['is later on the same day', rule({ cutoff_time: '17:30' }), '2026-11-21T12:00:00Z', '2026-11-21T22:30:00.000Z'],
    ['is on the next day after today’s cutoff', rule({ cutoff_time: '17:30' }), '2026-11-21T23:00:00Z', '2026-11-22T22:30:00.000Z'],
    ['is on Monday', rule({ frequency: 'weekly' }), '2026-11-21T12:00:00Z', '2026-11-23T05:00:00.000Z'],
    ['is on Sunday', rule({ frequency: 'weekly', weekday: 7 }), '2026-11-21T12:00:00Z', '2026-11-22T05:00:00.000Z'],
    ['is on Wednesday', rule({ frequency: 'weekly', weekday: 3 }), '2026-11-21T12:00:00Z', '2026-11-25T05:00:00.000Z'],
    ['is on the first of a month', rule({ frequency: 'monthly' }), '2026-11-21T12:00:00Z', '2026-12-01T05:00:00.000Z'],
    ['is on a day of the month', rule({ frequency: 'monthly', day_of_month: 25 }), '2026-11-21T12:00:00Z', '2026-11-25T05:00:00.000Z'],
    [
      'is on the last day of a shorter month',
      rule({ frequency: 'monthly', day_of_month: 31 }),
      '2026-02-01T12:00:00Z',
      '2026-02-28T05:00:00.000Z',
    ],
    [
      'is on the last day of a longer month',
      rule({ frequency: 'monthly', day_of_month: 31 }),
      '2026-03-01T12:00:00Z',
      '2026-03-31T04:00:00.000Z',
    ],
    [
      'is on the last day of December',
      rule({ frequency: 'monthly', day_of_month: 31 }),
      '2026-12-05T12:00:00Z',
      '2026-12-31T05:00:00.000Z',
    ],
    ['is null for manual settlements', rule({ frequency: 'manual' }), '2026-11-21T12:00:00Z', null],
  ])('the next cutoff %s', (_, input, after, expected) => {
    expect(next(input, after)).toBe(expected);
  });
});

describe('the settlement date', () => {
  const beforeMidnight = Date.parse('2026-11-22T04:59:59.999Z');

  test('the settlement date is the date of the cutoff in the time zone of the merchant plus the delay', () => {
    expect(settlementDateOf(NEW_YORK, beforeMidnight, 0)).toBe('2026-11-21');
    expect(settlementDateOf(NEW_YORK, beforeMidnight + 1, 0)).toBe('2026-11-22');
    expect(settlementDateOf(NEW_YORK, beforeMidnight, 2)).toBe('2026-11-23');
  });
});
