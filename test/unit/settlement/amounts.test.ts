import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#core/kernel';
import type { Unsettled } from '#core/payments';
import { feeFor, grow, type Rates } from '../../../core/settlement/amounts.ts';
import type { SettlementRow } from '../../../core/settlement/schema.ts';

const rates: Rates = {
  cardFee: { percent: 2.9, fixed: 0.3, cap: null },
  achFee: { percent: 0.8, fixed: 0.1, cap: 5 },
  currency: 'USD' as Currency,
};
const line = (kind: Unsettled['kind'], minor: number, of: { isCard?: boolean; currency?: string } = {}) =>
  ({ kind, isCard: of.isCard ?? true, amount: money(minor, (of.currency ?? 'USD') as Currency) }) as Unsettled;
const settlement = (of: Partial<SettlementRow> = {}) =>
  ({
    id: 'stl_1',
    currency: 'USD',
    captures_minor: 0,
    refunds_minor: 0,
    fees_minor: 0,
    transaction_count: 0,
    refund_count: 0,
    updated_at: 'before',
    ...of,
  }) as SettlementRow;

describe('the fee of a settlement line', () => {
  test.each([
    ['a card payment costs the card rate', line('transaction', 100_00), 320],
    ['a bank payment costs the ACH rate', line('transaction', 100_00, { isCard: false }), 90],
    ['a bank payment costs at most the cap', line('transaction', 10_000_00, { isCard: false }), 500],
    ['a refund costs nothing', line('refund', 100_00), 0],
  ])('%s', (_, of, minor) => {
    expect(feeFor(of, rates)).toEqual({ minor, currency: 'USD' });
  });

  test('has no fixed part and no cap in another currency than the merchant’s', () => {
    expect(feeFor(line('transaction', 100_00, { currency: 'EUR' }), rates)).toEqual({ minor: 290, currency: 'EUR' });
    expect(feeFor(line('transaction', 10_000_00, { currency: 'EUR', isCard: false }), rates)).toEqual({ minor: 8_000, currency: 'EUR' });
  });
});

describe('the sums of a settlement', () => {
  test('add captures with their fees and refunds without a fee', () => {
    const row = settlement({ captures_minor: 1_00, refunds_minor: 20, fees_minor: 3, transaction_count: 1, refund_count: 2 });
    const lines = [line('transaction', 100_00), line('refund', 40_00), line('transaction', 50_00, { isCard: false })];
    expect(grow(row, lines, rates, 'now')).toEqual(
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

  test('leave the original settlement unchanged', () => {
    const row = settlement();
    grow(row, [line('transaction', 100)], rates, 'now');
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

  test('do not depend on how the lines are divided into blocks', () => {
    fc.assert(
      fc.property(lines, fc.nat(20), (of, cut) => {
        const all = of.map(({ kind, minor, isCard }) => line(kind, minor, { isCard }));
        const once = grow(settlement(), all, rates, 'now');
        const twice = grow(grow(settlement(), all.slice(0, cut), rates, 'now'), all.slice(cut), rates, 'now');
        expect(twice).toEqual(once);
        expect(once.transaction_count + once.refund_count).toBe(all.length);
      }),
    );
  });
});
