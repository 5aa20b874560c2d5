import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EarlierPayment,
  type PaymentTraces,
  qualifyForCompellingEvidence,
} from '../../../core/books/disputes/evidence/compelling-evidence.ts';

const DATE = '2026-12-31';
const SAME: PaymentTraces = { ipAddress: '203.0.113.7', deviceId: 'd1', customerAccount: 'cus_1', shippingAddress: '1 Main St' };
const NOTHING: PaymentTraces = { ipAddress: null, deviceId: null, customerAccount: null, shippingAddress: null };
const daysBefore = (days: number) => new Date(Date.parse(DATE) - days * 86_400_000).toISOString().slice(0, 10);
const paid = (days: number, traces: PaymentTraces = SAME, isDisputed = false): EarlierPayment => ({
  transactionId: `txn_${days}`,
  date: daysBefore(days),
  isDisputed,
  traces,
});
const qualifies = (earlier: readonly EarlierPayment[], traces = SAME) =>
  qualifyForCompellingEvidence({ date: DATE, traces }, earlier).qualifies;

describe('Visa Compelling Evidence 3.0', () => {
  test.each([
    [119, false],
    [120, true],
    [365, true],
    [366, false],
  ])('counts a payment %i days earlier: %s', (days, expected) => {
    expect(qualifies([paid(200), paid(days)])).toBe(expected);
  });

  test('needs two payments that were not disputed', () => {
    expect(qualifies([paid(200)])).toBe(false);
    expect(qualifies([paid(200), paid(210, SAME, true)])).toBe(false);
  });

  test('needs two common elements, of which one is the IP address or the device', () => {
    const without = (...names: (keyof PaymentTraces)[]) =>
      Object.fromEntries(
        Object.entries(SAME).map(([name, value]) => [name, names.includes(name as keyof PaymentTraces) ? null : value]),
      ) as unknown as PaymentTraces;
    expect(qualifies([paid(200, without('deviceId', 'shippingAddress')), paid(210)])).toBe(true);
    expect(qualifies([paid(200, without('ipAddress', 'deviceId')), paid(210)])).toBe(false);
    expect(qualifies([paid(200, without('ipAddress', 'customerAccount')), paid(210, without('deviceId', 'shippingAddress'))])).toBe(false);
    expect(qualifies([paid(200), paid(210)], NOTHING)).toBe(false);
  });

  test('compares addresses without regard to case and spaces', () => {
    const spelled = { ...SAME, deviceId: null, customerAccount: null, shippingAddress: ' 1  MAIN st' };
    expect(qualifies([paid(200, spelled), paid(210, spelled)])).toBe(true);
  });

  test('selects only payments in the window with the stated elements, for any history', () => {
    const traces = fc.record({
      ipAddress: fc.constantFrom(null, '203.0.113.7', '198.51.100.1'),
      deviceId: fc.constantFrom(null, 'd1', 'd2'),
      customerAccount: fc.constantFrom(null, 'cus_1'),
      shippingAddress: fc.constantFrom(null, '1 Main St', '2 Side St'),
    });
    const history = fc.array(fc.tuple(fc.integer({ min: 100, max: 400 }), traces, fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(history, traces, (payments, disputed) => {
        const earlier = payments.map(([days, each, isDisputed], index) => ({
          ...paid(days, each, isDisputed),
          transactionId: `txn_${index}`,
        }));
        const result = qualifyForCompellingEvidence({ date: DATE, traces: disputed }, earlier);
        if (!result.qualifies) return;
        expect(result.payments).toHaveLength(2);
        for (const { transactionId, daysBefore: days, elements } of result.payments) {
          const payment = earlier.find((each) => each.transactionId === transactionId);
          expect(payment?.isDisputed).toBe(false);
          expect(days).toBeGreaterThanOrEqual(120);
          expect(days).toBeLessThanOrEqual(365);
          expect(elements.length).toBeGreaterThanOrEqual(2);
          for (const name of elements) expect(payment?.traces[name]).toBe(disputed[name]);
        }
      }),
    );
  });
});
