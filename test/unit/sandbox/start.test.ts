import { describe, expect, test } from 'vitest';
import { localTimeOf, nextStart, startIn } from '../../../core/operation/sandbox/recorder/start.ts';

const ZONE = 'America/New_York';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the start of a replay in UTC and its date in the zone. */
function startOf(now: string, recordedAt: string, durationMs: number) {
  const start = startIn(ZONE, Date.parse(recordedAt));
  const header = { startsAt: localTimeOf(ZONE, start) };
  const { startMs, startDate } = nextStart(Date.parse(now), ZONE, header, durationMs);
  return [new Date(startMs).toISOString(), startDate];
}

describe('the start of a replay', () => {
  test.each([
    ['later on the same day', '2027-06-01T12:00:00.000Z', '2027-05-01T20:30:00.500Z', ['2027-06-01T20:30:00.500Z', '2027-06-01']],
    [
      'on the next day if the time has passed',
      '2027-06-01T21:00:00.000Z',
      '2027-05-01T20:30:00.500Z',
      ['2027-06-02T20:30:00.500Z', '2027-06-02'],
    ],
    ['an hour later in UTC in winter', '2027-12-01T12:00:00.000Z', '2027-07-01T20:30:00.500Z', ['2027-12-01T21:30:00.500Z', '2027-12-01']],
    [
      'on the recorded date of the zone, not of UTC',
      '2027-12-01T12:00:00.000Z',
      '2027-07-01T03:59:00.000Z',
      ['2027-12-02T04:59:00.000Z', '2027-12-01'],
    ],
  ])('is at the same local time %s', (_, now, recordedAt, expected) => {
    expect(startOf(now, recordedAt, 3 * DAY_MS)).toEqual(expected);
  });

  test('is after a change of the clocks that would fall into the replay', () => {
    // The clocks change on November 7, 2027, and on March 12, 2028.
    expect(startOf('2027-11-04T00:00:00.000Z', '2027-07-01T20:30:00.000Z', 3 * DAY_MS)[1]).toBe('2027-11-08');
    expect(startOf('2028-03-12T03:00:00.000Z', '2028-01-20T06:00:00.000Z', HOUR_MS)[1]).toBe('2028-03-13');
  });

  test('is at the next time of day if the replay takes so long that the clocks change in any case', () => {
    expect(startOf('2027-06-01T12:00:00.000Z', '2027-05-01T20:30:00.000Z', 250 * DAY_MS)[1]).toBe('2027-06-01');
  });
});
