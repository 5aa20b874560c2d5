import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Currency } from '#core/kernel';
import { type ItemizedSale, sumItems } from '../../../core/books/reporting/item-sales.ts';

const USD = 'USD' as Currency;
const line = fc.record({
  itemId: fc.constantFrom('itm_1', 'itm_2', null),
  description: fc.constantFrom('Soup', 'Bread'),
  thousandths: fc.integer({ min: 1, max: 9_000 }),
  unitMinor: fc.constant(100),
  taxRate: fc.constant(null),
  taxIncluded: fc.constant(false),
  taxMinor: fc.constant(0),
  amountMinor: fc.integer({ min: 0, max: 100_000 }),
});
const sale = fc
  .record({ lines: fc.array(line, { minLength: 1, maxLength: 6 }), tip: fc.nat(2_000), refunded: fc.nat(600_000) })
  .map(({ lines, tip, refunded }): ItemizedSale => {
    const base = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    return { id: 'txn_1', lines: JSON.stringify(lines), base, paid: base + tip, refunded: Math.min(refunded, base + tip) };
  });

test('distributes sales and refunds over items without losing a cent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { maxLength: 8 }), async (sales) => {
      const { items, count } = await sumItems(
        (async function* () {
          yield sales;
        })(),
        USD,
      );
      const sumOf = (field: 'sales' | 'refunds' | 'net') => items.reduce((sum, item) => sum + item[field].minor, 0);
      expect(count).toBe(sales.length);
      expect(sumOf('sales')).toBe(sales.reduce((sum, { base }) => sum + base, 0));
      expect(sumOf('net')).toBe(sumOf('sales') - sumOf('refunds'));
      const refunded = sales.reduce((sum, each) => sum + (each.paid === 0 ? 0 : Math.floor((each.base * each.refunded) / each.paid)), 0);
      expect(sumOf('refunds')).toBe(refunded);
      for (const { sales: sold, refunds } of items) expect(refunds.minor).toBeLessThanOrEqual(sold.minor);
    }),
  );
});
