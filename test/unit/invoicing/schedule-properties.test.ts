import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dateIn } from '#core/kernel';
import { feeAmount, nextRun as nextFeeRun, periodOn } from '../../../core/billing/invoicing/late-fees/schedule.ts';
import { nextRun, stepOn } from '../../../core/billing/invoicing/reminders/schedule.ts';

const DAYS = 120;
/** Zones whose clocks change on different days, by an hour and by half an hour, and zones at both ends of the day. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const zone = fc.constantFrom(...ZONES);
/** Days around the changes of clocks, the ends of months and a leap day. */
const day = fc.integer({ min: 0, max: 900 }).map((days) => addDays('2026-01-01', days));
/** A merchant that moves to another zone after some runs. */
const move = fc.record({ first: zone, second: zone, after: fc.integer({ min: 0, max: 60 }), start: day });
const settings = (sendAt: string) => ({
  enabled: true,
  steps: [-3, 0, 7, 14].map((days) => ({ days, channel: 'email' as const, texts: {} })),
  sendAt,
  weekdays: [1, 2, 3, 4, 5],
  country: 'US',
});

/** Calls the run of each day; the zone changes after some of them, as the next run of the new zone follows the last one. */
function run(
  { first, second, after, start }: { readonly first: string; readonly second: string; readonly after: number; readonly start: string },
  next: (zone: string, afterMs: number) => number,
  visit: (day: string, zone: string) => void,
): void {
  let nowMs = Date.parse(`${start}T00:00:00Z`);
  for (let nth = 0; nth < DAYS; nth += 1) {
    const current = nth < after ? first : second;
    const at = next(current, nowMs);
    expect(at).toBeGreaterThan(nowMs);
    nowMs = at;
    visit(dateIn(current, at), current);
  }
}

describe('schedules across clock changes, ends of months and a changed time zone', () => {
  test('remind an invoice at most once for each step and once a day, in the order of the schedule', () => {
    const times = fc.constantFrom('02:30', '09:00', '20:30');
    fc.assert(
      fc.property(move, fc.integer({ min: 1, max: 40 }), times, (moving, dueIn, sendAt) => {
        const sent: { days: number; day: string }[] = [];
        const facts = {
          dueDate: addDays(moving.start, dueIn),
          sentDay: addDays(moving.start, -1),
          promisedDate: null,
          sinceDay: '2025-01-01',
          sent,
        };
        run(
          moving,
          (current, afterMs) => nextRun(settings(sendAt), current, afterMs),
          (today) => {
            const step = stepOn(facts, settings(sendAt), today);
            if (step !== null) sent.push({ days: step.days, day: today });
          },
        );
        expect(sent.map(({ days }) => days)).toEqual([...new Set(sent.map(({ days }) => days))].toSorted((a, b) => a - b));
        expect(new Set(sent.map((reminder) => reminder.day)).size).toBe(sent.length);
        expect(sent.every(({ days, day: on }) => on >= addDays(facts.dueDate, days))).toBe(true);
        expect(sent.at(-1)?.days).toBe(14);
      }),
    );
  });

  test('charge each period at most once, not before its day and never above the ceiling', () => {
    const rules = fc.record({
      enabled: fc.constant(true),
      kind: fc.constantFrom('percent' as const, 'fixed' as const),
      amount: fc.constant(5),
      percent: fc.integer({ min: 1, max: 1_000 }).map((hundredths) => hundredths / 100),
      graceDays: fc.integer({ min: 0, max: 10 }),
      repeat: fc.constantFrom('never' as const, 'weekly' as const, 'monthly' as const),
      ceilingPercent: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(move, rules, fc.integer({ min: 1, max: 100_000 }), (moving, fees, amountMinor) => {
        const dueDate = moving.start;
        const charged: { period: number; day: string; minor: number }[] = [];
        run(moving, nextFeeRun, (today) => {
          const feesMinor = charged.reduce((sum, { minor }) => sum + minor, 0);
          const lastPeriod = charged.at(-1)?.period ?? 0;
          const facts = {
            dueDate,
            currency: 'USD',
            amountMinor,
            unpaidMinor: amountMinor,
            feesMinor,
            lastPeriod,
            promisedDate: null,
            sinceDay: '2025-01-01',
          };
          const due = periodOn(facts, fees, today);
          const minor = due === null ? 0 : feeAmount(facts, fees, { currency: 'USD', fixedMinor: 500 });
          if (due !== null && minor > 0) charged.push({ period: due.period, day: today, minor });
        });
        const periods = charged.map(({ period }) => period);
        expect(periods).toEqual([...new Set(periods)].toSorted((a, b) => a - b));
        expect(charged.every(({ day: on }) => on > addDays(dueDate, fees.graceDays))).toBe(true);
        const sum = charged.reduce((total, { minor }) => total + minor, 0);
        expect(sum).toBeLessThanOrEqual(Math.floor((amountMinor * fees.ceilingPercent) / 100 + 0.5));
        if (fees.repeat === 'never') expect(charged.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
