import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCY_CODES } from '#shared/currencies';
import {
  add,
  atLeastOneUnit,
  type Currency,
  checkAmount,
  currencyOfPayment,
  exponentOf,
  formatDecimal,
  majorUnit,
  money,
  parseCurrency,
  parseMoney,
  parseMoneyOrZero,
  storedCurrency,
  subtract,
  toNumber,
} from '../../../core/kernel/money.ts';

const USD = parseCurrency('USD');
const JPY = parseCurrency('JPY');
const KWD = parseCurrency('KWD');
const currency = fc.constantFrom(USD, JPY, KWD);

test.each([
  ['1.005', 'USD', '`amount` must have at most 2 decimals in USD. Round it, or send it as text such as "5.00".'],
  ['1.2345', 'KWD', '`amount` must have at most 3 decimals in KWD. Round it, or send it as text such as "5.000".'],
  ['10.5', 'JPY', '`amount` must be a whole number, because JPY has no decimals. Round it, or send it as text such as "5".'],
  ['-1', 'USD', 'The amount must be greater than 0 and have at most 2 decimals in USD.'],
  ['x', 'JPY', 'The amount must be a whole number greater than 0, because JPY has no decimals.'],
])('names the currency in the error about the amount %s %s', (amount, code, message) => {
  expect(() => parseMoney(amount, parseCurrency(code))).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT', message }));
});

describe('an amount whose currency is not known yet', () => {
  test.each([1, '1', '0.01', '0.0001', '123.4567'])('accepts %s', (amount) => {
    expect(() => checkAmount(amount, 'tipAmount')).not.toThrow();
  });

  test.each(['0', '0.00', '0.00001', '1.00001', '-1', '', 'x', '1e3'])('refuses %s with its field and a sentence', (amount) => {
    expect(() => checkAmount(amount, 'tipAmount')).toThrowError(
      expect.objectContaining({
        code: 'INVALID_AMOUNT',
        field: 'tipAmount',
        message: '`tipAmount` must be a number greater than 0 with at most the decimals of the currency.',
      }),
    );
  });

  test('may be 0 where this is allowed, but no other text', () => {
    for (const amount of ['0', 0, '0.0000', '0.01']) expect(() => checkAmount(amount, 'tax', true)).not.toThrow();
    for (const amount of ['0.00001', '-0.01', 'x', ''])
      expect(() => checkAmount(amount, 'tax', true)).toThrow('`tax` must be 0 or more, with at most the decimals of the currency.');
    expect(() => parseMoneyOrZero('1.001', USD, 'tax')).toThrow('`tax` must have at most 2 decimals in USD. Round it,');
    expect(() => parseMoneyOrZero('-1', USD, 'tax')).toThrow('`tax` must be 0 or more, with at most the decimals of the currency.');
  });
});

describe('a currency', () => {
  test('is refused for new payments after ISO 4217 withdrew it, and names its successor', () => {
    const merchant = { currency: parseCurrency('HRK') };
    for (const [code, successor] of Object.entries({ HRK: 'EUR', BGN: 'EUR', ANG: 'XCG', SLL: 'SLE', ZWL: 'ZWG', CUC: 'CUP' })) {
      expect(parseCurrency(code)).toBe(code);
      expect(exponentOf(storedCurrency(code))).toBe(2);
      expect(CURRENCY_CODES).not.toContain(code);
      expect(CURRENCY_CODES).toContain(successor);
      expect(() => currencyOfPayment(code, merchant)).toThrowError(
        expect.objectContaining({
          code: 'INVALID_CURRENCY',
          field: 'currency',
          message: `The currency ${code} was withdrawn. Use ${successor}.`,
        }),
      );
    }
    expect(() => currencyOfPayment(undefined, merchant)).toThrowError(expect.objectContaining({ code: 'INVALID_CURRENCY' }));
    expect(currencyOfPayment('EUR', merchant)).toBe('EUR');
    expect(currencyOfPayment(undefined, { currency: parseCurrency('USD') })).toBe('USD');
  });

  test('accepts an upper-case ISO 4217 code only', () => {
    expect(parseCurrency('EUR')).toBe('EUR');
    expect(() => parseCurrency('eur')).toThrowError(expect.objectContaining({ code: 'INVALID_CURRENCY', field: 'currency' }));
    expect(() => parseCurrency('EURO', 'settlementCurrency')).toThrowError(expect.objectContaining({ field: 'settlementCurrency' }));
  });

  test('shortens an invalid currency to 20 characters in the error', () => {
    expect(() => parseCurrency('x'.repeat(100))).toThrowError(`"${'x'.repeat(19)} is not`);
  });

  test.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['MRU', 2],
    ['MGA', 2],
  ] as const)('reads %s as a currency with %i decimals', (code, decimals) => {
    expect(exponentOf(parseCurrency(code))).toBe(decimals);
    expect(majorUnit(parseCurrency(code))).toBe(10 ** decimals);
  });

  test('gives a currency outside of ISO 4217 no decimals', () => {
    expect(() => exponentOf('XXQ' as Currency)).toThrow();
  });
});

describe('an amount', () => {
  test('accepts safe integers as minor units only', () => {
    expect(money(Number.MAX_SAFE_INTEGER, USD)).toEqual({ minor: Number.MAX_SAFE_INTEGER, currency: 'USD' });
    for (const minor of [0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => money(minor, USD)).toThrow();
  });

  test.each([
    ['19.99', USD, 1_999],
    [19.99, USD, 1_999],
    ['19.9', USD, 1_990],
    ['19', USD, 1_900],
    ['0.01', USD, 1],
    ['99999999999.99', USD, 9_999_999_999_999],
    ['45', JPY, 45],
    ['1.234', KWD, 1_234],
  ] as const)('reads an amount from %j in %s', (text, inCurrency, minor) => {
    expect(parseMoney(text, inCurrency)).toEqual({ minor, currency: inCurrency });
  });

  test.each([
    ['19.999', USD],
    ['1.5', JPY],
    ['100000000000', USD],
    ['-1', USD],
    ['1 ', USD],
    ['x1', USD],
    ['1.', USD],
    ['.5', USD],
    ['1.x', USD],
  ] as const)('reads no amount from %j in %s', (text, inCurrency) => {
    expect(() => parseMoney(text, inCurrency)).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT', field: 'amount' }));
  });

  test('refuses an amount that is not above zero', () => {
    expect(() => parseMoney('0.00', USD)).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT', field: 'amount' }));
    expect(() => parseMoney('0', USD, 'tip')).toThrowError(expect.objectContaining({ field: 'tip' }));
    expect(() => parseMoney('x', USD, 'tip')).toThrowError(expect.objectContaining({ field: 'tip' }));
  });

  test.each([
    [1_990, USD, '19.90'],
    [5, USD, '0.05'],
    [0, USD, '0.00'],
    [-5, USD, '-0.05'],
    [-1_990, USD, '-19.90'],
    [45, JPY, '45'],
    [-45, JPY, '-45'],
    [0, JPY, '0'],
    [5, KWD, '0.005'],
  ] as const)('writes %i minor units of %s as %s', (minor, inCurrency, text) => {
    expect(formatDecimal(money(minor, inCurrency))).toBe(text);
    expect(toNumber(money(minor, inCurrency))).toBe(Number(text));
  });

  test('reads back every written amount', () => {
    fc.assert(
      fc.property(currency, fc.integer({ min: 1, max: 99_999_999_999 }), (inCurrency, minor) => {
        expect(parseMoney(formatDecimal(money(minor, inCurrency)), inCurrency)).toEqual({ minor, currency: inCurrency });
      }),
    );
  });
});

describe('the smallest accepted amount', () => {
  test('accepts amounts from one major unit of the currency', () => {
    expect(atLeastOneUnit(money(100, USD))).toEqual({ minor: 100, currency: 'USD' });
    expect(atLeastOneUnit(money(1, JPY))).toEqual({ minor: 1, currency: 'JPY' });
    expect(() => atLeastOneUnit(money(99, USD))).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT', field: 'amount' }));
    expect(() => atLeastOneUnit(money(999, KWD))).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
  });
});

describe('sums and differences', () => {
  test('sum and difference undo each other in one currency', () => {
    fc.assert(
      fc.property(currency, fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: -1e12, max: 1e12 }), (inCurrency, left, right) => {
        expect(add(money(left, inCurrency), money(right, inCurrency))).toEqual({ minor: left + right, currency: inCurrency });
        expect(subtract(add(money(left, inCurrency), money(right, inCurrency)), money(right, inCurrency))).toEqual(money(left, inCurrency));
      }),
    );
  });

  test('refuses sums and differences across currencies', () => {
    expect(() => add(money(1, USD), money(1, JPY))).toThrow();
    expect(() => subtract(money(1, USD), money(1, JPY))).toThrow();
  });
});
