import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLongGtin } from '../../../shared/barcodes.ts';
import { extendedMinor, lineAmounts, readQuantity, readTaxRate, shareOut, sumOfLines } from '../../../shared/line-items.ts';

const line = fc.record({
  thousandths: fc.integer({ min: 1, max: 999_999_999 }),
  unitMinor: fc.integer({ min: 0, max: 99_999_999 }),
  taxRate: fc.option(fc.integer({ min: 0, max: 100_000 })),
  taxIncluded: fc.boolean(),
});

describe('lineAmounts', () => {
  test.each([
    ['a tax on top', { thousandths: 2_000, unitMinor: 450, taxRate: 8_875, taxIncluded: false }, { amountMinor: 980, taxMinor: 80 }],
    ['an included tax', { thousandths: 1_000, unitMinor: 375, taxRate: 5_500, taxIncluded: true }, { amountMinor: 375, taxMinor: 20 }],
    ['no tax', { thousandths: 3_000, unitMinor: 100, taxRate: null, taxIncluded: false }, { amountMinor: 300, taxMinor: 0 }],
    ['half a cent up', { thousandths: 500, unitMinor: 1, taxRate: null, taxIncluded: false }, { amountMinor: 1, taxMinor: 0 }],
    ['a weight', { thousandths: 1_235, unitMinor: 899, taxRate: 10_000, taxIncluded: false }, { amountMinor: 1_221, taxMinor: 111 }],
  ])('computes a line with %s', (_, rule, expected) => {
    expect(lineAmounts(rule)).toEqual({ ...expected, discountMinor: 0 });
  });

  test('computes the tax of the sum that a discount leaves', () => {
    const rule = { thousandths: 2_000, unitMinor: 500, taxRate: 10_000, discountMinor: 100 };
    expect(lineAmounts({ ...rule, taxIncluded: false })).toEqual({ amountMinor: 990, taxMinor: 90, discountMinor: 100 });
    expect(lineAmounts({ ...rule, taxIncluded: true })).toEqual({ amountMinor: 900, taxMinor: 82, discountMinor: 100 });
  });

  test('adds up with a discount: net and discount are quantity times price, and the tax is that of a line with the net sum as price', () => {
    fc.assert(
      fc.property(line, fc.nat(), (rule, seed) => {
        const extended = extendedMinor(rule.thousandths, rule.unitMinor);
        const discountMinor = Number(BigInt(seed) % (extended + 1n));
        const { amountMinor, taxMinor, discountMinor: discount } = lineAmounts({ ...rule, discountMinor });
        const net = BigInt(amountMinor) - (rule.taxIncluded ? 0n : BigInt(taxMinor));
        expect(discount).toBe(discountMinor);
        expect(net + BigInt(discountMinor)).toBe(extended);
        expect(taxMinor).toBeGreaterThanOrEqual(0);
        expect(taxMinor).toBeLessThanOrEqual(amountMinor);
        expect(lineAmounts({ ...rule, thousandths: 1_000, unitMinor: Number(net) })).toEqual({ amountMinor, taxMinor, discountMinor: 0 });
        expect(lineAmounts({ ...rule, discountMinor: 0 })).toEqual(lineAmounts(rule));
        expect(lineAmounts({ ...rule, discountMinor: Number(extended) })).toEqual({
          amountMinor: 0,
          taxMinor: 0,
          discountMinor: Number(extended),
        });
      }),
    );
  });

  test('adds up if a discount is shared over lines', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.nat(), (rules, seed) => {
        const prices = rules.map(({ thousandths, unitMinor }) => Number(extendedMinor(thousandths, unitMinor)));
        const total = prices.reduce((sum, price) => sum + price, 0);
        const discount = seed % (total + 1);
        const shares = shareOut(discount, prices);
        for (const [index, share] of shares.entries()) expect(share).toBeLessThanOrEqual(prices[index] ?? 0);
        const sums = sumOfLines(rules.map((rule, index) => lineAmounts({ ...rule, discountMinor: shares[index] ?? 0 })));
        expect(sums.discountMinor).toBe(discount);
      }),
    );
  });

  test('adds up to the cent: net and tax are the amount, and each is rounded by at most half a cent', () => {
    fc.assert(
      fc.property(line, (rule) => {
        const { amountMinor, taxMinor } = lineAmounts(rule);
        const extended = extendedMinor(rule.thousandths, rule.unitMinor);
        const net = BigInt(amountMinor) - BigInt(taxMinor);
        expect(rule.taxIncluded ? BigInt(amountMinor) : net).toBe(extended);
        const off = 1_000n * extended - BigInt(rule.thousandths) * BigInt(rule.unitMinor);
        expect(2n * (off < 0n ? -off : off)).toBeLessThanOrEqual(1_000n);
        // The exact tax of the net amount differs by at most half a cent from the rounded one, in units of 1/100,000 cent.
        const rate = BigInt(rule.taxRate ?? 0);
        const exact = rule.taxIncluded
          ? extended * rate - BigInt(taxMinor) * (100_000n + rate)
          : extended * rate - BigInt(taxMinor) * 100_000n;
        expect(2n * (exact < 0n ? -exact : exact)).toBeLessThanOrEqual(rule.taxIncluded ? 100_000n + rate : 100_000n);
      }),
    );
  });

  test('sums lines to their amounts and taxes', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (rules) => {
        const lines = rules.map(lineAmounts);
        const { amountMinor, taxMinor } = sumOfLines(lines);
        expect(amountMinor).toBe(lines.reduce((sum, each) => sum + each.amountMinor, 0));
        expect(taxMinor).toBeLessThanOrEqual(amountMinor);
      }),
    );
  });
});

describe('shareOut', () => {
  test('gives away exactly the amount, each share within a cent of its proportion', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), weights, (minor, given) => {
        const shares = shareOut(minor, given);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(minor);
        const total = given.reduce((sum, weight) => sum + weight, 0);
        if (total === 0) return;
        for (const [index, share] of shares.entries()) expect(Math.abs(share - (minor * (given[index] as number)) / total)).toBeLessThan(1);
      }),
    );
  });
});

test.each([
  ['1', 1_000],
  ['0.5', 500],
  ['1.2345', null],
  ['0', null],
  ['-1', null],
  ['1e3', null],
])('reads the quantity %s as %s thousandths', (text, expected) => {
  expect(readQuantity(text)).toBe(expected);
});

test.each([
  ['8.875', 8_875],
  ['0', 0],
  ['100', 100_000],
  ['100.001', null],
  ['7.5555', null],
])('reads the tax rate %s', (text, expected) => {
  expect(readTaxRate(text)).toBe(expected);
});

test.each([
  ['4006381333931', true],
  ['4006381333932', false],
  ['036000291452', false],
  ['4111111111111111', false],
])('recognizes %s as a GTIN of 13 or 14 digits: %s', (text, expected) => {
  expect(isLongGtin(text)).toBe(expected);
});
