import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dateIn, instantOn } from '#core/kernel';
import { cutoffAfter, sendingAfter } from '../../../core/merchants/cutoff.ts';

const NEW_YORK = 'America/New_York';
const DAY_MS = 86_400_000;
const account = (cutoffTime: string, captureHoldMinutes = 30, timezone = NEW_YORK) => ({ cutoffTime, captureHoldMinutes, timezone });
const iso = (ms: number) => new Date(ms).toISOString();

describe('when a capture is sent', () => {
  test.each([
    ['half an hour before the cut-off of the day', account('23:00'), '2026-11-21T15:00:00Z', '2026-11-22T03:30:00.000Z'],
    ['up to that moment', account('23:00'), '2026-11-22T03:29:59.999Z', '2026-11-22T03:30:00.000Z'],
    ['when it is over, the day after', account('23:00'), '2026-11-22T03:30:00Z', '2026-11-23T03:30:00.000Z'],
    ['between it and the cut-off, the day after', account('23:00'), '2026-11-22T03:45:00Z', '2026-11-23T03:30:00.000Z'],
    ['at the cut-off itself', account('23:00', 0), '2026-11-21T15:00:00Z', '2026-11-22T04:00:00.000Z'],
    ['on the day before, where the cut-off is early', account('00:10'), '2026-11-21T15:00:00Z', '2026-11-22T04:40:00.000Z'],
    ['half a day before', account('06:00', 720), '2026-11-21T15:00:00Z', '2026-11-21T23:00:00.000Z'],
    ['minutes count through the hour that is left out', account('03:00', 90), '2026-03-08T03:00:00Z', '2026-03-08T05:30:00.000Z'],
    ['of an hour that comes twice, the first', account('01:30', 30), '2026-11-01T03:00:00Z', '2026-11-01T05:00:00.000Z'],
  ])('%s', (_, of, now, wanted) => {
    expect(iso(sendingAfter(of, Date.parse(now)))).toBe(wanted);
  });

  const zones = [
    'UTC',
    NEW_YORK,
    'America/Santiago',
    'Europe/Berlin',
    'Africa/Casablanca',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
  ];
  const time = fc.integer({ min: 0, max: 1_439 }).map((minute) => {
    const text = (part: number) => String(part).padStart(2, '0');
    return `${text(Math.floor(minute / 60))}:${text(minute % 60)}`;
  });
  const settings = fc.record({
    cutoffTime: time,
    captureHoldMinutes: fc.integer({ min: 0, max: 720 }),
    timezone: fc.constantFrom(...zones),
  });
  const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2036, 0, 1) });

  test('is the first moment to come that lies so long before a cut-off of a day there', () => {
    fc.assert(
      fc.property(settings, moment, (of, nowMs) => {
        const sentMs = sendingAfter(of, nowMs);
        const cutoffMs = sentMs + of.captureHoldMinutes * 60_000;
        expect(sentMs).toBeGreaterThan(nowMs);
        expect(cutoffMs).toBe(instantOn(of.timezone, dateIn(of.timezone, cutoffMs), of.cutoffTime));
        // Days of 25 hours, and nothing between now and then that would have done as well.
        expect(sentMs - nowMs).toBeLessThanOrEqual(DAY_MS + 3_600_000);
        const dayBefore = instantOn(of.timezone, addDays(dateIn(of.timezone, cutoffMs), -1), of.cutoffTime);
        expect(dayBefore - of.captureHoldMinutes * 60_000).toBeLessThanOrEqual(nowMs);
      }),
      { numRuns: 400 },
    );
  });

  test('never sends a later capture sooner, and keeps it before the cutoff', () => {
    fc.assert(
      fc.property(settings, moment, fc.integer({ min: 0, max: 3 * DAY_MS }), (of, nowMs, later) => {
        expect(sendingAfter(of, nowMs + later)).toBeGreaterThanOrEqual(sendingAfter(of, nowMs));
        expect(cutoffAfter(of, nowMs + later)).toBeGreaterThanOrEqual(cutoffAfter(of, nowMs));
        expect(cutoffAfter(of, nowMs)).toBeGreaterThan(nowMs);
      }),
      { numRuns: 200 },
    );
  });
});
