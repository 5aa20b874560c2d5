import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dateIn, instantOn, isDate, isTimeZone, parseDate, startOfDate, timeIn } from '../../../core/kernel/dates.ts';

const NEW_YORK = 'America/New_York';
const iso = (ms: number) => new Date(ms).toISOString();

describe('calendar dates', () => {
  test.each(['2026-11-20', '2028-02-29', '1000-01-01', '9999-12-31'])('accepts %s as a date', (text) => {
    expect(isDate(text)).toBe(true);
    expect(parseDate(text, 'date')).toBe(text);
  });

  test.each(['2026-02-29', '2026-02-30', '2026-13-01', '0999-12-31', '2026-1-1', '12026-01-01', '2026-01-011', 'x2026-01-01', ''])(
    'refuses %j as a date',
    (text) => {
      expect(isDate(text)).toBe(false);
      expect(() => parseDate(text, 'dueDate')).toThrowError(expect.objectContaining({ code: 'INVALID_DATE', field: 'dueDate' }));
    },
  );

  test.each([
    ['2026-11-30', 1, '2026-12-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2028-02-28', 1, '2028-02-29'],
    ['9999-12-31', 0, '9999-12-31'],
    ['9999-12-31', 1, '9999-12-31'],
    ['9999-12-30', 1_000, '9999-12-31'],
  ])('adds to %s %i days: %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });
});

describe('a time zone', () => {
  test('accepts known IANA names as time zones', () => {
    expect(isTimeZone(NEW_YORK)).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });
});

describe('the date of an instant', () => {
  test('changes at midnight of the zone', () => {
    const midnight = Date.parse('2026-11-20T05:00:00.000Z');
    // In every order, because the day of the previous call is cached.
    for (const at of [midnight, midnight - 1, midnight, midnight + 86_399_999, midnight + 86_400_000, midnight - 1])
      expect(dateIn(NEW_YORK, at)).toBe(at < midnight ? '2026-11-19' : at < midnight + 86_400_000 ? '2026-11-20' : '2026-11-21');
  });

  test('differs between time zones at the same instant', () => {
    const at = Date.parse('2026-11-20T11:30:00.000Z');
    expect([dateIn('Pacific/Kiritimati', at), dateIn('UTC', at), dateIn('Pacific/Pago_Pago', at)]).toEqual([
      '2026-11-21',
      '2026-11-20',
      '2026-11-20',
    ]);
  });

  test('the date of an instant has a year of four digits', () => {
    expect(dateIn('UTC', Date.parse('0999-06-01T00:00:00.000Z'))).toBe('0999-06-01');
  });

  test('an instant lies between the start of its date and that of the next one', () => {
    const zones = fc.constantFrom(NEW_YORK, 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'UTC');
    fc.assert(
      fc.property(zones, fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2036, 0, 1) }), (zone, at) => {
        const date = dateIn(zone, at);
        expect(startOfDate(zone, date)).toBeLessThanOrEqual(at);
        expect(startOfDate(zone, addDays(date, 1))).toBeGreaterThan(at);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the start of a date', () => {
  test.each([
    ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z'],
    [NEW_YORK, '2026-11-20', '2026-11-20T05:00:00.000Z'],
    [NEW_YORK, '2026-07-01', '2026-07-01T04:00:00.000Z'],
    // The clocks change on these days.
    [NEW_YORK, '2026-03-08', '2026-03-08T05:00:00.000Z'],
    [NEW_YORK, '2026-03-09', '2026-03-09T04:00:00.000Z'],
    [NEW_YORK, '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-20', '2026-11-19T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00.000Z'],
    // Midnight does not exist on these days.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    // Midnight occurs twice on this day.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // The whole day does not exist.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ])('the day in %s on %s starts at %s', (zone, date, expected) => {
    expect(iso(startOfDate(zone, date))).toBe(expected);
  });
});

describe('a time of day', () => {
  test.each([
    [NEW_YORK, '2026-11-20', '17:30', '2026-11-20T22:30:00.000Z'],
    [NEW_YORK, '2026-11-20', '00:00', '2026-11-20T05:00:00.000Z'],
    [NEW_YORK, '2026-11-20', '23:59', '2026-11-21T04:59:00.000Z'],
    // The clocks jump from 2 to 3 a.m.
    [NEW_YORK, '2026-03-08', '01:59', '2026-03-08T06:59:00.000Z'],
    [NEW_YORK, '2026-03-08', '02:00', '2026-03-08T07:00:00.000Z'],
    [NEW_YORK, '2026-03-08', '02:07', '2026-03-08T07:00:00.000Z'],
    [NEW_YORK, '2026-03-08', '02:59', '2026-03-08T07:00:00.000Z'],
    [NEW_YORK, '2026-03-08', '03:00', '2026-03-08T07:00:00.000Z'],
    [NEW_YORK, '2026-03-08', '03:01', '2026-03-08T07:01:00.000Z'],
    [NEW_YORK, '2026-03-08', '23:59', '2026-03-09T03:59:00.000Z'],
    // The hour from 1 to 2 a.m. occurs twice.
    [NEW_YORK, '2026-11-01', '00:59', '2026-11-01T04:59:00.000Z'],
    [NEW_YORK, '2026-11-01', '01:00', '2026-11-01T05:00:00.000Z'],
    [NEW_YORK, '2026-11-01', '01:59', '2026-11-01T05:59:00.000Z'],
    [NEW_YORK, '2026-11-01', '02:00', '2026-11-01T07:00:00.000Z'],
    [NEW_YORK, '2026-11-01', '23:59', '2026-11-02T04:59:00.000Z'],
    // The clocks change by half an hour.
    ['Australia/Lord_Howe', '2026-10-04', '02:10', '2026-10-03T15:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00.000Z'],
    ['America/Santiago', '2026-09-06', '00:00', '2026-09-06T04:00:00.000Z'],
    ['America/Santiago', '2026-09-06', '00:40', '2026-09-06T04:00:00.000Z'],
    ['America/Havana', '2026-11-01', '00:30', '2026-11-01T04:30:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '05:00', '2011-12-30T10:00:00.000Z'],
  ])('the time in %s on %s at %s is %s', (zone, date, time, expected) => {
    expect(iso(instantOn(zone, date, time))).toBe(expected);
  });
});

test('the time of day is that of the zone, also after the clocks change', () => {
  expect(timeIn(NEW_YORK, Date.parse('2026-11-20T18:05:59.999Z'))).toBe('13:05');
  expect(timeIn(NEW_YORK, Date.parse('2027-03-14T06:59:00Z'))).toBe('01:59');
  expect(timeIn(NEW_YORK, Date.parse('2027-03-14T07:00:00Z'))).toBe('03:00');
  expect(timeIn('Asia/Kolkata', Date.parse('2026-11-20T18:30:00Z'))).toBe('00:00');
});
