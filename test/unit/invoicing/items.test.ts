import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, formatDecimal } from '#core/kernel';
import { itemsFrom, itemsOf, storedItems, sumOf } from '../../../core/invoicing/items.ts';

const CURRENCIES = [
  ['JPY', 0],
  ['USD', 2],
  ['KWD', 3],
] as const;

const thousandths = fc.integer({ min: 1, max: 999_999_999 });
const line = fc.record({ thousandths, unit: fc.integer({ min: 0, max: 99_999_999 }) });
const currency = fc.constantFrom(...CURRENCIES);

const decimal = (minor: number, decimals: number) => {
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Rounds half up with whole numbers. */
function rounded(quantity: number, unit: number): bigint {
  const exact = BigInt(quantity) * BigInt(unit);
  const whole = exact / 1_000n;
  return exact % 1_000n >= 500n ? whole + 1n : whole;
}

describe('the items of an invoice', () => {
  test('computes quantity times price, rounded half up, and their sum in currencies of every number of decimals', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), currency, (lines, [code, decimals]) => {
        const exact = lines.map(({ thousandths: quantity, unit }) => rounded(quantity, unit));
        const whole = exact.reduce((sum, amount) => sum + amount, 0n);
        fc.pre(whole < 10n ** BigInt(11 + decimals));
        const input = lines.map(({ thousandths: quantity, unit }) => ({
          description: 'x',
          quantity: decimal(quantity, 3),
          unitPrice: decimal(unit, decimals),
        }));
        const items = itemsFrom(input, code as Currency);
        expect(items.map(({ amount }) => BigInt(amount.minor))).toEqual(exact);
        expect(BigInt(sumOf(items, code as Currency).minor)).toBe(whole);
        expect(items.map(({ unitPrice }) => formatDecimal(unitPrice))).toEqual(input.map(({ unitPrice }) => unitPrice));
      }),
    );
  });

  test('stores and reads back items unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ thousandths, unit: fc.integer({ min: 0, max: 99_999 }) }), { maxLength: 10 }), (lines) => {
        const input = lines.map(({ thousandths: quantity, unit }) => ({
          description: 'x',
          quantity: quantity / 1_000,
          unitPrice: decimal(unit, 2),
        }));
        const items = itemsFrom(input, 'USD' as Currency);
        expect(items.map(({ quantity }) => quantity)).toEqual(input.map(({ quantity }) => quantity));
        expect(itemsOf(storedItems(items), 'USD' as Currency)).toEqual(items);
      }),
    );
  });

  test.each([0, -1, '0.000', '1.0001', '', 'x', Number.NaN, 1e21, '1e3', ' 1'])('refuses a quantity of %o', (quantity) => {
    const refuse = () => itemsFrom([{ description: 'x', quantity, unitPrice: 1 }], 'USD' as Currency);
    expect(refuse).toThrow('items.0.quantity');
  });
});
