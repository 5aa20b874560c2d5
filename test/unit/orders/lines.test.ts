import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money, storedCurrency } from '#core/kernel';
import { type LineItem, storedLineItems } from '#core/sales/items';
import { keptOf, partsOfShare } from '../../../core/sales/orders/balance.ts';
import { claimLines, coveredBy, coveredLines, partsOfLines, storedClaims } from '../../../core/sales/orders/lines.ts';
import type { OrderPaymentRow, OrderRow } from '../../../core/sales/orders/schema.ts';

const USD = storedCurrency('USD');
const line = fc.record({ amount: fc.integer({ min: 0, max: 5_000 }), tax: fc.nat(100), discount: fc.nat(100) });
const payment = fc.record({
  lines: fc.array(fc.nat(5), { maxLength: 4 }),
  /** Percentage of what it could take. */
  part: fc.integer({ min: 1, max: 100 }),
  /** Percentage that a card approves. */
  approved: fc.constantFrom(100, 100, 60, 0),
  returned: fc.constantFrom(0, 0, 40, 100),
});

const orderOf = (lines: readonly { amount: number; tax: number; discount: number }[]): OrderRow => {
  const items: LineItem[] = lines.map(({ amount, tax, discount }, index) => ({
    itemId: null,
    description: `Line ${index}`,
    quantity: 1,
    unitPrice: money(amount, USD),
    taxRate: null,
    taxIncluded: true,
    discountAmount: money(discount, USD),
    taxAmount: money(Math.floor((amount * tax) / 100), USD),
    amount: money(amount, USD),
  }));
  const sum = (of: (item: LineItem) => number) => items.reduce((total, item) => total + of(item), 0);
  return {
    id: 'ord_1',
    currency: 'USD',
    line_items: storedLineItems(items),
    amount_minor: sum(({ amount }) => amount.minor),
    tax_minor: sum(({ taxAmount }) => taxAmount.minor),
    discount_minor: sum(({ discountAmount }) => discountAmount.minor),
  } as OrderRow;
};

test('divides amount, tax and discount of lines among payments to the cent, and covers no line twice', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.array(payment, { maxLength: 12 }), (lines, payments) => {
      const order = orderOf(lines);
      const shares: OrderPaymentRow[] = [];
      const left = () => shares.reduce((rest, share) => rest - keptOf(share), order.amount_minor);
      const pay = (named: readonly number[], minor: number, approved: number) => {
        const claims = claimLines(order, shares, { lines: named, rerunOf: null, amount: money(minor, USD) });
        const { taxMinor, discountMinor } = partsOfShare(order, shares, minor, partsOfLines(order, shares, claims));
        expect(taxMinor >= 0 && taxMinor <= minor && discountMinor >= 0).toBe(true);
        const share_minor = Math.floor((minor * approved) / 100);
        const scaled = (part: number) => Math.floor((part * share_minor) / minor);
        shares.push({
          id: `txn_${shares.length}`,
          state: share_minor === 0 ? 'released' : 'paid',
          share_minor,
          tax_minor: scaled(taxMinor),
          discount_minor: scaled(discountMinor),
          lines: storedClaims(claims),
          returned_minor: 0,
          refunded_minor: 0,
        } as OrderPaymentRow);
      };
      for (const { lines: chosen, part, approved, returned } of payments) {
        const named = [...new Set(chosen)].filter((index) => (coveredLines(order, shares)[index]?.restMinor ?? 0) > 0);
        const rests = named.reduce((sum, index) => sum + (coveredLines(order, shares)[index]?.restMinor ?? 0), 0);
        const most = Math.min(left(), named.length === 0 ? left() : rests);
        if (most === 0) continue;
        pay(named, Math.ceil((most * part) / 100), approved);
        const last = shares.at(-1) as OrderPaymentRow;
        shares[shares.length - 1] = { ...last, returned_minor: Math.floor((last.share_minor * returned) / 100) };
        for (const { restMinor } of coveredLines(order, shares)) expect(restMinor).toBeGreaterThanOrEqual(0);
        for (const share of shares) {
          const covered = coveredBy(share);
          if (covered.length > 0) expect(covered.reduce((sum, { minor }) => sum + minor, 0)).toBe(keptOf(share));
        }
      }
      if (left() > 0) pay([], left(), 100);
      const kept = (part: 'tax_minor' | 'discount_minor') =>
        shares.reduce((sum, share) => {
          if (share.state === 'released') return sum;
          const { share_minor: whole, returned_minor: gone } = share;
          return sum + share[part] - (gone >= whole ? share[part] : Math.floor((share[part] * gone) / whole));
        }, 0);
      expect([kept('tax_minor'), kept('discount_minor')]).toEqual([order.tax_minor, order.discount_minor]);
    }),
    { numRuns: 500 },
  );
});
