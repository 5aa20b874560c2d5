import { expect, test } from 'vitest';
import { addDays } from '#core/kernel';
import { pointOf, pointsOf, seriesSize } from '../../../core/books/reporting/series.ts';

test('names a week by its Monday, also across a year', () => {
  expect(pointOf('week', '2027-01-03')).toBe('2026-12-28');
  expect(pointOf('week', '2026-12-28')).toBe('2026-12-28');
  expect(pointOf('week', '2027-01-04')).toBe('2027-01-04');
});

test('assigns every day of a period to one point, in order and without gaps', () => {
  for (const groupBy of ['day', 'week', 'month'] as const) {
    const points = pointsOf(groupBy, '2027-11-29', '2028-03-02');
    const days = Array.from({ length: 95 }, (_, index) => addDays('2027-11-29', index));
    expect(days.at(-1)).toBe('2028-03-02');
    expect([...new Set(days.map((day) => pointOf(groupBy, day)))]).toEqual(points);
    expect(seriesSize(groupBy, '2027-11-29', '2028-03-02')).toBeGreaterThanOrEqual(points.length);
  }
  expect(pointsOf('month', '2027-11-29', '2028-03-02')).toEqual(['2027-11', '2027-12', '2028-01', '2028-02', '2028-03']);
});

test('ends a period on the last day of the calendar', () => {
  expect(pointsOf('day', '9999-12-30', '9999-12-31')).toEqual(['9999-12-30', '9999-12-31']);
  expect(pointsOf('month', '9999-12-30', '9999-12-31')).toEqual(['9999-12']);
});
