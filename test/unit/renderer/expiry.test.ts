import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryProblem, formatExpiry, readExpiry } from '../../../renderer/shared/card-entry/expiry.ts';

const TODAY = { year: 2026, month: 11 };

test.each([
  ['0127', '01', '2027'],
  ['1/27', '01', '2027'],
  ['01/2027', '01', '2027'],
  ['012027', '01', '2027'],
  ['1 / 27', '01', '2027'],
  ['12-26', '12', '2026'],
  ['1126', '11', '2026'],
  ['1228', '12', '2028'],
  ['2031-12', '12', '2031'],
])('reads %s as month %s of %s', (text, month, year) => {
  expect(readExpiry(text, TODAY)).toEqual({ kind: 'valid', month, year });
});

test.each([
  ['', 'empty'],
  ['1', 'incomplete'],
  ['01', 'incomplete'],
  ['01/2', 'incomplete'],
  ['01/202', 'incomplete'],
  ['00/27', 'invalid'],
  ['13/27', 'invalid'],
  ['10/26', 'expired'],
  ['0120', 'expired'],
  ['01/2060', 'too-far'],
])('%s is %s', (text, kind) => {
  expect(readExpiry(text, TODAY).kind).toBe(kind);
});

test('formats an expiry date as on the card while it is typed', () => {
  expect(typed('0127')).toBe('01/27');
  expect(typed('1/27')).toBe('01/27');
  expect(typed('01/2027')).toBe('01/2027');
  expect(typed('527')).toBe('05/27');
  expect(typed('1227')).toBe('12/27');
  expect(formatExpiry('2031-12')).toBe('12/2031');
});

test('formats expiry dates idempotently and keeps every valid date', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789/ -') }), (text) => {
      const once = formatExpiry(text);
      expect(formatExpiry(once)).toBe(once);
      const before = readExpiry(text, TODAY);
      if (before.kind === 'valid') expect(readExpiry(once, TODAY)).toEqual(before);
    }),
  );
});

test('shows messages for invalid values only', () => {
  expect(expiryProblem('01/27', TODAY)).toBeNull();
  expect(expiryProblem('10/26', TODAY)).toBe('This card has expired.');
  expect(expiryProblem('1', TODAY)).toContain('01/27');
});

function typed(keys: string): string {
  return [...keys].reduce((text, key) => formatExpiry(text + key), '');
}
