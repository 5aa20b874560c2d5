import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, formatDecimal, money } from '#core/kernel';
import {
  contentOfPayment,
  itemsFrom,
  itemsOf,
  itemsOfLines,
  linesOfPayment,
  storedItems,
  sumOf,
  withItems,
} from '../../../core/billing/invoicing/items.ts';
import type { InvoiceRow } from '../../../core/billing/invoicing/schema.ts';

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

const USD = 'USD' as Currency;
const usd = (amount: number) => money(Math.round(amount * 100), USD);

describe('the lines of a payment link', () => {
  const line = { itemId: 'itm_1', description: 'Coffee', quantity: 2, unitPrice: usd(3), amount: usd(6) };
  const sold = { ...line, taxRate: null, taxIncluded: true, discountAmount: usd(0), taxAmount: usd(0) };

  test('show quantity and price, or the whole amount if tax or discount are not in the price', () => {
    expect(itemsOfLines([sold])).toEqual([line]);
    expect(itemsOfLines([{ ...sold, amount: usd(6.48) }])).toEqual([
      { itemId: 'itm_1', description: '2 × Coffee', quantity: 1, unitPrice: usd(6.48), amount: usd(6.48) },
    ]);
    expect(itemsOfLines([{ ...sold, quantity: 1, amount: usd(2.5) }])).toEqual([
      { itemId: 'itm_1', description: 'Coffee', quantity: 1, unitPrice: usd(2.5), amount: usd(2.5) },
    ]);
    const half = { ...sold, quantity: 0.5, amount: usd(1.5) };
    expect(itemsOfLines([half])).toMatchObject([{ quantity: 0.5, unitPrice: usd(3), amount: usd(1.5) }]);
  });

  const own = { itemId: null, description: 'x'.repeat(400), quantity: 1, unitPrice: usd(3), amount: usd(3) };
  const link = (more: Partial<InvoiceRow> = {}) =>
    ({
      kind: 'link',
      number: 'L-1',
      order_id: null,
      currency: 'USD',
      amount_minor: 1_000,
      tax_minor: 100,
      tip_minor: 150,
      discount_minor: 50,
      discount_id: 'dsc_1',
      discount_approved_by: 'Ada',
      payment_lines: null,
      items: storedItems([line, own]),
      ...more,
    }) as InvoiceRow;

  test('are those of the payment of the whole link, with their shares of its tax', () => {
    const lines = linesOfPayment(link(), 1_000);
    expect(lines).toMatchObject([
      { ...line, taxRate: null, taxIncluded: true, discountAmount: usd(0), taxAmount: usd(0.67) },
      { itemId: null, quantity: 1, unitPrice: usd(3), amount: usd(3), taxAmount: usd(0.33) },
    ]);
    const description = lines[1]?.description ?? '';
    expect(description.length).toBeLessThan(400);
    expect(own.description.startsWith(description)).toBe(true);
    expect(linesOfPayment(link(), 999)).toEqual([]);
    expect(linesOfPayment(link({ kind: 'invoice' }), 1_000)).toEqual([]);
  });

  test('belong to the payment with its order, tip and discount only if it pays the whole', () => {
    expect(contentOfPayment(link(), 1_000)).toEqual({
      orderId: 'L-1',
      tipMinor: 150,
      discountMinor: 50,
      granted: { discount_id: 'dsc_1', discount_approved_by: 'Ada' },
    });
    expect(contentOfPayment(link({ order_id: 'PO-7' }), 999)).toEqual({
      orderId: 'PO-7',
      tipMinor: 0,
      discountMinor: 0,
      granted: { discount_id: null, discount_approved_by: null },
    });
  });

  test('keep the item that they name, and need a description and a price', async () => {
    const input = [{ description: ' Tea ', quantity: 1, unitPrice: '2.00', itemId: 'itm_2' }];
    expect(itemsOf(storedItems(itemsFrom(input, USD)), USD)).toMatchObject([{ itemId: 'itm_2', description: 'Tea' }]);
    expect(storedItems(itemsFrom([{ description: 'Tea', quantity: 1, unitPrice: 2 }], USD))).not.toContain('itemId');
    const error = (field: string) => expect.objectContaining({ code: 'REQUIRED_FIELD_MISSING', field });
    expect(() => itemsFrom([{ description: ' ', quantity: 1, unitPrice: 2 }], USD)).toThrowError(error('items.0.description'));
    expect(() => itemsFrom([{ quantity: 1, unitPrice: 2 }], USD)).toThrowError(error('items.0.description'));
    expect(() => itemsFrom([{ description: 'Tea', quantity: 1 }], USD)).toThrowError(error('items.0.unitPrice'));
    const line = { description: 'Tea', quantity: 1, unitPrice: 2 };
    expect(await withItems({} as never, 'mer_1', [line, { ...line, itemId: null }], USD)).toEqual([line, line]);
  });
});
