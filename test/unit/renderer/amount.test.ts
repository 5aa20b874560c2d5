import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountProblem, readAmount, writeAmount, writeMoney } from '../../../renderer/base/money/amount.ts';

describe('an amount as a clerk types it', () => {
  test.each([
    ['45', '45.00'],
    ['45.5', '45.50'],
    ['45.', '45.00'],
    ['.5', '0.50'],
    ['4,500.00', '4500.00'],
    ['$4,500', '4500.00'],
    ['USD 12', '12.00'],
    [' 1 250.10 ', '1250.10'],
    ['007', '7.00'],
    ['19.99', '19.99'],
    ['1,234,567.89', '1234567.89'],
  ])('%s is %s', (text, decimal) => {
    expect(readAmount(text, 'USD')).toEqual({ kind: 'valid', decimal });
  });

  test.each([
    ['', 'empty'],
    ['0', 'zero'],
    ['0.00', 'zero'],
    ['45,50', 'unclear'],
    ['4.500,00', 'unclear'],
    ['45,5000', 'unclear'],
    ['-45', 'unclear'],
    ['1e3', 'unclear'],
    ['1.234', 'too-many-decimals'],
    ['123456789012', 'too-large'],
  ])('%s is %s', (text, kind) => {
    expect(readAmount(text, 'USD').kind).toBe(kind);
    expect(amountProblem(text, 'USD')).not.toBeNull();
  });

  test('reads amounts with the decimals of the currency, also where Intl is wrong', () => {
    expect(readAmount('500', 'JPY')).toEqual({ kind: 'valid', decimal: '500' });
    expect(readAmount('500.5', 'JPY').kind).toBe('too-many-decimals');
    expect(readAmount('1.234', 'KWD')).toEqual({ kind: 'valid', decimal: '1.234' });
    expect(readAmount('100.25', 'HUF')).toEqual({ kind: 'valid', decimal: '100.25' });
  });
});

test('reads back every written amount to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999_999 }), fc.constantFrom('USD', 'EUR', 'HUF'), (minor, currency) => {
      const decimal = `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
      expect(readAmount(writeAmount(decimal, currency), currency)).toEqual({ kind: 'valid', decimal });
    }),
  );
});

test('formats money with thousands separators, all decimals and the currency code', () => {
  expect(writeMoney(4500, 'USD')).toBe('4,500.00 USD');
  expect(writeMoney('45.5', 'USD')).toBe('45.50 USD');
  expect(writeMoney(1234567, 'JPY')).toBe('1,234,567 JPY');
  expect(writeMoney(-10, 'USD')).toBe('-10.00 USD');
});
