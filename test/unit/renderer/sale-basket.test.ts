import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Item } from '#renderer/base/client';
import {
  basketSums,
  lineOfAmount,
  lineOfItem,
  lineRequests,
  matchingItems,
  priceOf,
  readEntry,
  withLine,
} from '../../../renderer/screens/sell/items/basket.ts';

const item = (change: Partial<Item>): Item => ({
  itemId: 'itm_1',
  merchantId: 'mer_1',
  kind: 'item',
  name: 'Flat white',
  price: 4.5,
  currency: 'USD',
  taxRate: 8.875,
  taxIncluded: false,
  key: 'FW',
  barcode: '4006381333931',
  category: null,
  status: 'active',
  position: 1,
  createdAt: '2026-11-24T12:00:00.000Z',
  updatedAt: '2026-11-24T12:00:00.000Z',
  ...change,
});
const tea = item({ itemId: 'itm_2', name: 'Tea, white', price: 3, taxRate: null, key: 'T', barcode: null });

describe('lines of the sale', () => {
  test('raise the quantity of the same item, and sum amounts and taxes in minor units', () => {
    const lines = [lineOfItem(item({}), 1, 1_000), lineOfItem(tea, 2, 500), lineOfItem(item({}), 3, 1_000)].reduce(withLine, [] as never);
    expect(lines).toMatchObject([{ quantity: '2' }, { quantity: '0.5' }]);
    expect(basketSums(lines)).toEqual({ amountMinor: 980 + 150, taxMinor: 80, discountMinor: 0 });
    expect(lineRequests(lines, 'USD')[0]).toEqual({
      itemId: 'itm_1',
      description: 'Flat white',
      quantity: '2',
      unitPrice: '4.50',
      taxRate: 8.875,
      taxIncluded: false,
    });
  });

  test('share the discount of the whole sale over what the discounts of lines leave, before tax', () => {
    const coffee = { ...lineOfItem(item({}), 1, 2_000), discount: { kind: 'amount', minor: 100 } as const };
    const lines = [coffee, lineOfItem(tea, 2, 1_000)];
    expect(basketSums(lines, { kind: 'percent', rate: 10_000 })).toEqual({
      amountMinor: 720 + 64 + 270,
      taxMinor: 64,
      discountMinor: 180 + 30,
    });
    expect(lineRequests(lines, 'USD', { kind: 'percent', rate: 10_000 }).map(({ discountAmount }) => discountAmount)).toEqual([
      '1.80',
      '0.30',
    ]);
    expect(lineRequests(lines, 'USD', { kind: 'amount', minor: 5_000 }).map(({ discountAmount }) => discountAmount)).toEqual([
      '9.00',
      '3.00',
    ]);
    expect(basketSums(lines, { kind: 'amount', minor: 5_000 })).toEqual({ amountMinor: 0, taxMinor: 0, discountMinor: 1_200 });
  });

  test('add up to price less discount for any discounts', () => {
    const discount = fc.option(
      fc.oneof(
        fc.record({ kind: fc.constant('percent' as const), rate: fc.integer({ min: 1, max: 100_000 }) }),
        fc.record({ kind: fc.constant('amount' as const), minor: fc.integer({ min: 1, max: 50_000 }) }),
      ),
    );
    const line = fc.record({ unit: fc.integer({ min: 0, max: 20_000 }), thousandths: fc.integer({ min: 1, max: 5_000 }), discount });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), discount, (given, saleDiscount) => {
        const lines = given.map((each, id) => ({
          ...lineOfAmount('Amount', each.unit, id),
          quantity: String(each.thousandths / 1_000),
          discount: each.discount,
        }));
        const price = lines.reduce((sum, each) => sum + (priceOf(each) ?? 0), 0);
        const sums = basketSums(lines, saleDiscount);
        expect((sums?.amountMinor ?? 0) + (sums?.discountMinor ?? 0)).toBe(price);
        expect(sums?.amountMinor).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('have no sum while a quantity is wrong', () => {
    expect(basketSums([{ ...lineOfItem(tea, 1, 1_000), quantity: '1.' }])).toBeNull();
  });

  test('keep typed amounts apart', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 10 });
    fc.assert(
      fc.property(amounts, (minors) => {
        const lines = minors.map((minor, index) => lineOfAmount('Amount', minor, index)).reduce(withLine, [] as never);
        expect(lines).toHaveLength(minors.length);
        expect(basketSums(lines)).toEqual({ amountMinor: minors.reduce((sum, minor) => sum + minor, 0), taxMinor: 0, discountMinor: 0 });
      }),
    );
  });
});

test.each([
  ['FW', 1_000, 'FW'],
  ['3*fw', 3_000, 'fw'],
  ['0.5 x tea', 500, 'tea'],
  ['4006381333931', 1_000, '4006381333931'],
  ['0*fw', 1_000, '0*fw'],
])('reads the entry %s', (typed, thousandths, text) => {
  expect(readEntry(typed)).toEqual({ thousandths, text });
});

test.each([
  ['fw', ['itm_1']],
  ['t', ['itm_2', 'itm_1']],
  ['white', ['itm_1', 'itm_2']],
  ['4006381333931', ['itm_1']],
  ['soup', []],
])('finds the items of %s, the best first', (text, ids) => {
  expect(matchingItems([item({}), tea], text).map(({ itemId }) => itemId)).toEqual(ids);
});
