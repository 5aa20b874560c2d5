import { describe, expect, test } from 'vitest';
import { adapterFor, calendarDate, readIso } from '../../../renderer/session/date-entry/calendar-adapter.ts';
import { entryText, FORMATS } from '../../../renderer/session/date-entry/formats.ts';

const text = (pasted: string, format = FORMATS.date) => readIso(pasted, format)?.format('YYYY-MM-DD[T]HH:mm');

describe('readIso', () => {
  test.each([
    ['2026-11-05', '2026-11-05T00:00'],
    [' 2026-11-05\n', '2026-11-05T00:00'],
    ['2026-11-05T18:30:00Z', '2026-11-05T18:30'],
    ['2026-11-05 18:30', '2026-11-05T18:30'],
  ])('reads %j', (pasted, date) => expect(text(pasted)).toBe(date));

  test.each(['', '2026-02-30', '11/05/2026', '18:30', 'soon'])('reads no date from %j', (pasted) => expect(text(pasted)).toBeUndefined());

  test('reads a time of 24 hours for a field with a time', () => {
    expect(text('18:30', FORMATS.time)).toBe('2000-01-01T18:30');
    expect(text('24:30', FORMATS.time)).toBeUndefined();
  });
});

describe('adapterFor', () => {
  const adapter = new (adapterFor('2026-11-26'))({ locale: 'en' });

  test('has the present day of the merchant', () => {
    expect(adapter.date().format('YYYY-MM-DD')).toBe('2026-11-26');
    expect(adapter.date(null)).toBeNull();
  });

  test('reads typed parts strictly and without a time zone', () => {
    expect(adapter.parse('05/02/2026', 'MM/DD/YYYY')?.toISOString()).toBe('2026-05-02T00:00:00.000Z');
    expect(adapter.parse('03 08 2026 02 30 AM', 'MM DD YYYY hh mm A')?.toISOString()).toBe('2026-03-08T02:30:00.000Z');
    expect(adapter.isValid(adapter.parse('02/30/2026', 'MM/DD/YYYY'))).toBe(false);
    expect(adapter.isValid(adapter.getInvalidDate())).toBe(false);
    expect(calendarDate('2026-05-02').format('MM/DD/YYYY')).toBe('05/02/2026');
  });
});

describe('entryText', () => {
  test.each([
    ['date', '2026-05-02', '05/02/2026'],
    ['time', '00:05', '12:05 AM'],
    ['time', '18:30', '06:30 PM'],
    ['date-time', '2026-05-02T12:00', '05/02/2026 12:00 PM'],
    ['date', '', ''],
  ] as const)('writes the %s %j as %j', (kind, value, shown) => expect(entryText(kind, value)).toBe(shown));
});
