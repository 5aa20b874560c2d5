import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#core/kernel';
import { feeFor, type Rates, type SettleableLine, withLines } from '../../../core/books/settlement/amounts.ts';
import type { SettlementRow } from '../../../core/books/settlement/schema.ts';

const rates: Rates = {
  cardFee: { percent: 2.9, fixed: 0.3, cap: null },
  achFee: { percent: 0.8, fixed: 0.1, cap: 5 },
  currency: 'USD' as Currency,
};
const line = (kind: SettleableLine['kind'], minor: number, overrides: { isCard?: boolean; currency?: string } = {}) =>
  ({ kind, isCard: overrides.isCard ?? true, amount: money(minor, (overrides.currency ?? 'USD') as Currency) }) as SettleableLine;
const settlement = (overrides: Partial<SettlementRow> = {}) =>
  ({
    id: 'stl_1',
    currency: 'USD',
    captures_minor: 0,
    refunds_minor: 0,
    disputes_minor: 0,
    fees_minor: 0,
    transaction_count: 0,
    refund_count: 0,
    dispute_count: 0,
    updated_at: 'before',
    ...overrides,
  }) as SettlementRow;

describe('the fee of a settlement line', () => {
  test.each([
    ['charges a card payment the card rate', line('transaction', 100_00), 320],
    ['charges a bank payment the ACH rate', line('transaction', 100_00, { isCard: false }), 90],
    ['charges a bank payment at most the cap', line('transaction', 10_000_00, { isCard: false }), 500],
    ['charges nothing for a refund', line('refund', 100_00), 0],
    ['charges nothing for a dispute', line('dispute', 100_00), 0],
  ])('%s', (_, input, minor) => {
    expect(feeFor(input, rates)).toEqual({ minor, currency: 'USD' });
  });

  test("charges no fixed part and no cap in another currency than the merchant's", () => {
    expect(feeFor(line('transaction', 100_00, { currency: 'EUR' }), rates)).toEqual({ minor: 290, currency: 'EUR' });
    expect(feeFor(line('transaction', 10_000_00, { currency: 'EUR', isCard: false }), rates)).toEqual({ minor: 8_000, currency: 'EUR' });
  });
});

describe('the sums of a settlement', () => {
  test('adds captures with their fees and refunds without a fee', () => {
    const row = settlement({ captures_minor: 1_00, refunds_minor: 20, fees_minor: 3, transaction_count: 1, refund_count: 2 });
    const lines = [line('transaction', 100_00), line('refund', 40_00), line('transaction', 50_00, { isCard: false })];
    expect(withLines(row, lines, rates, 'now')).toEqual(
      settlement({
        captures_minor: 151_00,
        refunds_minor: 40_20,
        fees_minor: 3 + 320 + 50,
        transaction_count: 3,
        refund_count: 3,
        updated_at: 'now',
      }),
    );
  });

  test('adds disputes, also those that are returned, apart from captures and without a fee', () => {
    const lines = [line('dispute', 75_00), line('dispute', -25_00), line('transaction', 100_00)];
    expect(withLines(settlement({ disputes_minor: 1, dispute_count: 1 }), lines, rates, 'now')).toEqual(
      settlement({
        captures_minor: 100_00,
        disputes_minor: 50_01,
        fees_minor: 320,
        transaction_count: 1,
        dispute_count: 3,
        updated_at: 'now',
      }),
    );
  });

  test('leaves the original settlement unchanged', () => {
    const row = settlement();
    withLines(row, [line('transaction', 100)], rates, 'now');
    expect(row).toEqual(settlement());
  });

  const lines = fc.array(
    fc.record({
      kind: fc.constantFrom('transaction' as const, 'refund' as const),
      minor: fc.integer({ min: 1, max: 1e9 }),
      isCard: fc.boolean(),
    }),
    { maxLength: 20 },
  );

  test('sums do not depend on how the lines are divided into blocks', () => {
    fc.assert(
      fc.property(lines, fc.nat(20), (input, cut) => {
        const all = input.map(({ kind, minor, isCard }) => line(kind, minor, { isCard }));
        const once = withLines(settlement(), all, rates, 'now');
        const twice = withLines(withLines(settlement(), all.slice(0, cut), rates, 'now'), all.slice(cut), rates, 'now');
        expect(twice).toEqual(once);
        expect(once.transaction_count + once.refund_count).toBe(all.length);
      }),
    );
  });
});
