import { describe, expect, test } from 'vitest';
import { dayOfPeriod, type FeeFacts, feeAmount, nextFees, nextRun, periodOn } from '../../../core/billing/invoicing/late-fees/schedule.ts';

const SETTINGS = {
  enabled: true,
  kind: 'percent',
  amount: 0,
  percent: 1.5,
  graceDays: 5,
  repeat: 'monthly',
  ceilingPercent: 4,
} as const;
const FACTS: FeeFacts = {
  dueDate: '2027-01-26',
  currency: 'USD',
  amountMinor: 100_000,
  unpaidMinor: 100_000,
  feesMinor: 0,
  lastPeriod: 0,
  promisedDate: null,
  sinceDay: '2027-01-01',
};
const USD = { currency: 'USD', fixedMinor: 500 };

describe('days of late fees', () => {
  test('follow the days of grace, and stay at the ends of months', () => {
    const days = [1, 2, 3, 4, 14].map((period) => dayOfPeriod('2027-01-30', period, { graceDays: 0, repeat: 'monthly' }));
    expect(days).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29']);
    expect(dayOfPeriod('2027-02-26', 3, { graceDays: 2, repeat: 'weekly' })).toBe('2027-03-15');
    expect(dayOfPeriod('2027-02-26', 2, { graceDays: 2, repeat: 'never' })).toBeNull();
  });

  test('are six in the morning, also where a day has 23 or 25 hours', () => {
    const at = (zone: string, day: string) => new Date(nextRun(zone, Date.parse(`${day}T05:00:00Z`))).toISOString();
    expect(at('America/New_York', '2027-03-13')).toBe('2027-03-13T11:00:00.000Z');
    expect(at('America/New_York', '2027-03-14')).toBe('2027-03-14T10:00:00.000Z');
    expect(at('America/New_York', '2027-11-07')).toBe('2027-11-07T11:00:00.000Z');
  });

  test('are skipped before the first day, within a promise, and a week after an outage', () => {
    expect(periodOn(FACTS, SETTINGS, '2027-01-31')).toBeNull();
    expect(periodOn(FACTS, SETTINGS, '2027-02-01')).toEqual({ period: 1, day: '2027-02-01' });
    expect(periodOn(FACTS, SETTINGS, '2027-02-08')).toEqual({ period: 1, day: '2027-02-01' });
    expect(periodOn(FACTS, SETTINGS, '2027-02-09')).toBeNull();
    expect(periodOn({ ...FACTS, lastPeriod: 1 }, SETTINGS, '2027-02-01')).toBeNull();
    expect(periodOn({ ...FACTS, sinceDay: '2027-02-02' }, SETTINGS, '2027-02-03')).toBeNull();
    expect(periodOn({ ...FACTS, promisedDate: '2027-02-01' }, SETTINGS, '2027-02-02')).toBeNull();
    expect(periodOn({ ...FACTS, promisedDate: '2027-02-01' }, SETTINGS, '2027-03-01')).toEqual({ period: 2, day: '2027-03-01' });
  });
});

describe('the amount of a late fee', () => {
  test('is a percentage of the unpaid amount without fees, up to the ceiling', () => {
    expect(feeAmount(FACTS, SETTINGS, USD)).toBe(1_500);
    expect(feeAmount({ ...FACTS, unpaidMinor: 33 }, SETTINGS, USD)).toBe(0);
    expect(feeAmount({ ...FACTS, unpaidMinor: 34 }, SETTINGS, USD)).toBe(1);
    expect(feeAmount({ ...FACTS, feesMinor: 3_000 }, SETTINGS, USD)).toBe(1_000);
    expect(feeAmount({ ...FACTS, feesMinor: 4_000 }, SETTINGS, USD)).toBe(0);
    expect(feeAmount({ ...FACTS, unpaidMinor: -500 }, SETTINGS, USD)).toBe(0);
  });

  test('is whole in a currency without decimals, and fixed only in the currency of the merchant', () => {
    const yen = { ...FACTS, currency: 'JPY', amountMinor: 1_990, unpaidMinor: 1_990 };
    expect(feeAmount(yen, SETTINGS, { currency: 'JPY', fixedMinor: 0 })).toBe(30);
    const fixed = { ...SETTINGS, kind: 'fixed', ceilingPercent: 50 } as const;
    expect(feeAmount(yen, fixed, USD)).toBe(0);
    expect(feeAmount(FACTS, fixed, USD)).toBe(500);
  });

  test('adds up to the ceiling over the life of an invoice', () => {
    const life = nextFees(FACTS, SETTINGS, USD, { today: '2027-01-10', max: 12 });
    expect(life.map(({ day, amountMinor }) => [day, amountMinor])).toEqual([
      ['2027-02-01', 1_500],
      ['2027-03-01', 1_500],
      ['2027-04-01', 1_000],
    ]);
  });
});
