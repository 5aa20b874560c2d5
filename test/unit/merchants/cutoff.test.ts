import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dateIn, instantOn } from '#core/kernel';
import { captureTimeAfter, cutoffAfter } from '../../../core/processing/merchants/cutoff.ts';

const NEW_YORK = 'America/New_York';
const DAY_MS = 86_400_000;
const account = (cutoffTime: string, captureHoldMinutes = 30, timezone = NEW_YORK) => ({ cutoffTime, captureHoldMinutes, timezone });
const iso = (ms: number) => new Date(ms).toISOString();

describe('when a capture is sent', () => {
  test.each([
    ['half an hour before the cutoff of the day', account('23:00'), '2026-11-21T15:00:00Z', '2026-11-22T03:30:00.000Z'],
    ['on the same day until that moment', account('23:00'), '2026-11-22T03:29:59.999Z', '2026-11-22T03:30:00.000Z'],
    ['on the next day from that moment', account('23:00'), '2026-11-22T03:30:00Z', '2026-11-23T03:30:00.000Z'],
    ['on the next day between that moment and the cutoff', account('23:00'), '2026-11-22T03:45:00Z', '2026-11-23T03:30:00.000Z'],
    ['at the cutoff if nothing is held', account('23:00', 0), '2026-11-21T15:00:00Z', '2026-11-22T04:00:00.000Z'],
    ['on the day before an early cutoff', account('00:10'), '2026-11-21T15:00:00Z', '2026-11-22T04:40:00.000Z'],
    ['half a day before', account('06:00', 720), '2026-11-21T15:00:00Z', '2026-11-21T23:00:00.000Z'],
    [
      'counting elapsed minutes across the skipped hour of a clock change',
      account('03:00', 90),
      '2026-03-08T03:00:00Z',
      '2026-03-08T05:30:00.000Z',
    ],
    ['before the first occurrence of a repeated cutoff', account('01:30', 30), '2026-11-01T03:00:00Z', '2026-11-01T05:00:00.000Z'],
  ])('sends a capture %s', (_, input, now, wanted) => {
    expect(iso(captureTimeAfter(input, Date.parse(now)))).toBe(wanted);
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

  test("sends a capture at the next time that lies the hold time before a cutoff of the merchant's day", () => {
    fc.assert(
      fc.property(settings, moment, (input, nowMs) => {
        const sentMs = captureTimeAfter(input, nowMs);
        const cutoffMs = sentMs + input.captureHoldMinutes * 60_000;
        expect(sentMs).toBeGreaterThan(nowMs);
        expect(cutoffMs).toBe(instantOn(input.timezone, dateIn(input.timezone, cutoffMs), input.cutoffTime));
        // A day may have 25 hours, and no earlier time would have been possible.
        expect(sentMs - nowMs).toBeLessThanOrEqual(DAY_MS + 3_600_000);
        const dayBefore = instantOn(input.timezone, addDays(dateIn(input.timezone, cutoffMs), -1), input.cutoffTime);
        expect(dayBefore - input.captureHoldMinutes * 60_000).toBeLessThanOrEqual(nowMs);
      }),
      { numRuns: 400 },
    );
  });

  test('never sends a later capture sooner, and keeps it before the cutoff', () => {
    fc.assert(
      fc.property(settings, moment, fc.integer({ min: 0, max: 3 * DAY_MS }), (input, nowMs, later) => {
        expect(captureTimeAfter(input, nowMs + later)).toBeGreaterThanOrEqual(captureTimeAfter(input, nowMs));
        expect(cutoffAfter(input, nowMs + later)).toBeGreaterThanOrEqual(cutoffAfter(input, nowMs));
        expect(cutoffAfter(input, nowMs)).toBeGreaterThan(nowMs);
      }),
      { numRuns: 200 },
    );
  });
});
