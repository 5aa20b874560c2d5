import { describe, expect, test } from 'vitest';
import { instantOf, localTimeIn, monthLater } from '#renderer/base/dates';

describe('local times', () => {
  test.each([
    ['America/New_York', '2026-11-24T15:34', '2026-11-24T20:34:00.000Z'],
    ['America/New_York', '2026-07-01T00:00', '2026-07-01T04:00:00.000Z'],
    ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00.000Z'],
    ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-11-01T02:30', '2026-11-01T07:30:00.000Z'],
    ['Asia/Kolkata', '2026-11-24T15:34', '2026-11-24T10:04:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00.000Z'],
    ['UTC', '2028-02-29T23:59', '2028-02-29T23:59:00.000Z'],
  ])('reads a time of day in %s: %s', (timeZone, localTime, instant) => {
    expect(new Date(instantOf(timeZone, localTime)).toISOString()).toBe(instant);
    expect(localTimeIn(timeZone, Date.parse(instant))).toBe(localTime);
  });

  test('reads a time that clocks skip as the time after the change', () => {
    expect(localTimeIn('America/New_York', instantOf('America/New_York', '2026-03-08T02:30'))).toBe('2026-03-08T03:30');
  });

  test.each([
    ['2026-11-24T15:34', '2026-12-24T15:34'],
    ['2026-12-31T09:00', '2027-01-31T09:00'],
    ['2027-01-31T09:00', '2027-02-28T09:00'],
    ['2028-01-30T09:00', '2028-02-29T09:00'],
  ])('moves %s by a month to %s', (localTime, later) => {
    expect(monthLater(localTime)).toBe(later);
  });
});
