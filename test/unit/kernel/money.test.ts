import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, exponentOf, formatDecimal, money, parseCurrency, parseMoney, ServiceError, subtract, toNumber } from '#core/kernel';

const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'HUF', 'IQD').map((code) => parseCurrency(code));
const amount = currency.chain((inCurrency) =>
  fc.integer({ min: 1, max: 10 ** (11 + exponentOf(inCurrency)) - 1 }).map((minor) => money(minor, inCurrency)),
);

function codeOf(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'none';
}

describe('money', () => {
  test('converts every amount to text and number and back', () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseMoney(formatDecimal(value), value.currency)).toEqual(value);
        expect(parseMoney(toNumber(value), value.currency)).toEqual(value);
      }),
    );
  });

  test('subtracts the parts of a sum to zero', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10 ** 12 }), { minLength: 1, maxLength: 20 }), (minors) => {
        const usd = parseCurrency('USD');
        const parts = minors.map((minor) => money(minor, usd));
        const whole = parts.reduce(add, money(0, usd));
        expect(parts.reduce(subtract, whole).minor).toBe(0);
      }),
    );
  });

  test.for([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['HUF', 2],
    ['IQD', 3],
    ['MRU', 2],
    ['SLE', 2],
    ['VED', 2],
    ['XCG', 2],
    ['ZWG', 2],
  ] as const)('gives %s %i decimals according to ISO 4217', ([code, decimals]) => {
    expect(exponentOf(parseCurrency(code))).toBe(decimals);
  });

  test.for(['0', 0, '-1', -1, '1.001', 1e21, '1e3', 'abc', '', ' 1', '1.', '.5', '1,000', '123456789012', '05', '00.50', '01', Number.NaN])(
    'refuses %s as an amount of USD',
    (bad) => {
      expect(codeOf(() => parseMoney(bad, parseCurrency('USD')))).toBe('INVALID_AMOUNT');
    },
  );

  test.for(['usd', 'XXQ', '', 'US', '__proto__', 'CLF', 'UYW', 'USN'])('refuses %s as a currency', (bad) => {
    expect(codeOf(() => parseCurrency(bad))).toBe('INVALID_CURRENCY');
  });

  test('converts 19.99 to 1999 without rounding errors', () => {
    expect(parseMoney(19.99, parseCurrency('USD')).minor).toBe(1999);
    expect(parseMoney('1.1', parseCurrency('KWD')).minor).toBe(1100);
    expect(parseMoney(45, parseCurrency('JPY')).minor).toBe(45);
  });
});
