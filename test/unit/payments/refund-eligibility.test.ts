import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, parseCurrency } from '#core/kernel';
import { coversFullCapture, refundAmountOf, refundable, refundMethodOf, stateOf } from '../../../core/sales/payments/eligibility.ts';
import type { TransactionRow } from '../../../core/sales/payments/schema.ts';

const usd = (amount: number) => money(Math.round(amount * 100), parseCurrency('USD'));

const AT = '2026-11-20T10:00:00.000Z';
const sale = (overrides: Partial<TransactionRow> = {}) =>
  ({
    type: 'sale',
    status: 'approved',
    currency: 'USD',
    amount_minor: 10_000,
    captured_minor: 10_000,
    refunded_minor: 0,
    reserved_minor: 0,
    disputed_minor: 0,
    settled_at: null,
    returned_at: null,
    capture_held_until: null,
    ...overrides,
  }) as TransactionRow;

describe('the state of a transaction', () => {
  test.each([
    ['pending', { status: 'pending', captured_minor: 0 }],
    ['declined', { status: 'declined', captured_minor: 0 }],
    ['failed', { status: 'failed', captured_minor: 0 }],
    ['voided', { status: 'voided' }],
    ['credited', { type: 'credit', captured_minor: 0 }],
    ['authorized', { type: 'auth', captured_minor: 0 }],
    ['captured', {}],
    ['returned', { returned_at: AT }],
    ['returned', { returned_at: AT, settled_at: AT, refunded_minor: 10_000 }],
    ['refunded', { refunded_minor: 10_000 }],
    ['refunded', { refunded_minor: 10_000, settled_at: AT }],
    ['settled', { settled_at: AT }],
    ['settled', { settled_at: AT, refunded_minor: 4_000, reserved_minor: 1_000 }],
    ['disputed', { disputed_minor: 1 }],
    ['disputed', { disputed_minor: 5_000, refunded_minor: 4_000 }],
    ['settled', { disputed_minor: 5_000, settled_at: AT }],
    ['partly-refunded', { refunded_minor: 4_000 }],
    ['partly-refunded', { reserved_minor: 1 }],
    ['partly-refunded', { refunded_minor: 4_000, reserved_minor: 6_000 }],
  ] as const)('derives the state %s from %o', (state, input) => {
    expect(stateOf(sale(input))).toBe(state);
  });
});

describe('the amount of a refund', () => {
  const parts = fc
    .tuple(fc.nat(100_000), fc.nat(100_000), fc.nat(100_000), fc.nat(100_000))
    .map(([refunded, reserved, disputed, left]) => ({
      refunded,
      reserved,
      disputed,
      left,
      captured: refunded + reserved + disputed + left,
    }));

  test('limits a refund to the captured amount less refunded, reserved and charged back amounts', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 400_000 }), ({ refunded, reserved, disputed, left, captured }, minor) => {
        const row = sale({ captured_minor: captured, refunded_minor: refunded, reserved_minor: reserved, disputed_minor: disputed });
        expect(refundable(row)).toEqual({ minor: left, currency: 'USD' });
        const request = () => refundAmountOf(row, (minor / 100).toFixed(2));
        if (minor <= left) expect(request()).toEqual({ minor, currency: 'USD' });
        else expect(request).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
      }),
    );
  });

  test('refunds the remaining amount if the request names none', () => {
    expect(refundAmountOf(sale({ refunded_minor: 2_500, reserved_minor: 500 }), undefined)).toEqual({ minor: 7_000, currency: 'USD' });
  });

  test('accepts a refund up to the remaining amount and refuses one cent more', () => {
    const row = sale({ refunded_minor: 2_500, reserved_minor: 500 });
    expect(refundAmountOf(row, '70.00').minor).toBe(7_000);
    expect(() => refundAmountOf(row, '70.01')).toThrowError(
      expect.objectContaining({
        code: 'INVALID_AMOUNT',
        status: 422,
        field: 'amount',
        details: { originalAmount: usd(100), refundedAmount: usd(25), availableToRefund: usd(70), requestedAmount: usd(70.01) },
      }),
    );
  });

  test('refuses a refund if nothing remains, and names the requested amount in the error', () => {
    const row = sale({ refunded_minor: 2_500, reserved_minor: 7_500 });
    expect(() => refundAmountOf(row, undefined)).toThrowError(
      expect.objectContaining({
        code: 'INVALID_AMOUNT',
        details: { originalAmount: usd(100), refundedAmount: usd(25), availableToRefund: usd(0), requestedAmount: usd(75) },
      }),
    );
  });

  test('leaves nothing to refund if a bank charges back what was refunded already', () => {
    expect(refundable(sale({ refunded_minor: 4_000, disputed_minor: 10_000 }))).toEqual(usd(0));
  });

  test('explains that a charged back amount cannot be refunded', () => {
    expect(() => refundAmountOf(sale(), '100.01')).toThrow('The amount exceeds the amount that can still be refunded.');
    expect(() => refundAmountOf(sale({ disputed_minor: 1 }), '100.00')).toThrow('because the payer disputed this payment');
  });

  test('reads the amount with the decimals of the transaction currency', () => {
    expect(refundAmountOf(sale({ currency: 'JPY' }), 5_000)).toEqual({ minor: 5_000, currency: 'JPY' });
    expect(() => refundAmountOf(sale({ currency: 'JPY' }), '50.5')).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
  });
});

describe('how a refund is sent', () => {
  test('sends the refund to the gateway once the gateway knows the capture', () => {
    expect(refundMethodOf(sale(), 10_000)).toBe('send');
    expect(refundMethodOf(sale(), 1)).toBe('send');
  });

  test('voids a held capture if the refund covers all of it', () => {
    expect(refundMethodOf(sale({ capture_held_until: AT }), 10_000)).toBe('void');
  });

  test.each([
    ['the refund is partial', {}, 9_999],
    ['a part was refunded before', { refunded_minor: 1 }, 10_000],
    ['another refund is in progress', { reserved_minor: 1 }, 10_000],
  ])('waits until a held capture is sent if %s', (_, input, minor) => {
    expect(refundMethodOf(sale({ capture_held_until: AT, ...input }), minor)).toBe('wait');
  });

  test('counts a refund as covering the whole payment by its own reservation only', () => {
    expect(coversFullCapture(sale({ reserved_minor: 10_000 }), 10_000, 10_000)).toBe(true);
    expect(coversFullCapture(sale({ reserved_minor: 10_000 }), 10_000, 0)).toBe(false);
    expect(coversFullCapture(sale({ reserved_minor: 10_001 }), 10_000, 10_000)).toBe(false);
  });
});
