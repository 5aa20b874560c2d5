import { describe, expect, test } from 'vitest';
import { categoryOf, DISPUTE_REASONS, findReason, schemeOf } from '../../../shared/dispute-reasons.ts';

describe('reason codes', () => {
  test('are unique within their scheme and described in one sentence', () => {
    const keys = DISPUTE_REASONS.map(({ scheme, code }) => `${scheme}/${code}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { name, description } of DISPUTE_REASONS) {
      expect(name).toMatch(/^[A-Z][^.]+$/);
      expect(description).toMatch(/^[A-Z][^.]+\.$/);
    }
  });

  test('cover Visa 10.x to 13.x, Mastercard 48xx, Amex, Discover and ACH returns', () => {
    const count = (scheme: string) => DISPUTE_REASONS.filter((reason) => reason.scheme === scheme).length;
    expect(['visa', 'mastercard', 'amex', 'discover', 'ach'].map(count)).toEqual([25, 21, 32, 23, 10]);
  });

  test.each([
    ['visa', '10.4', 'fraud'],
    ['visa', '12.6', 'duplicate'],
    ['mastercard', '4853', 'not_as_described'],
    ['amex', 'c28', 'cancelled_recurring'],
    ['discover', 'RN2', 'credit_not_processed'],
    ['ach', 'R10', 'fraud'],
  ] as const)('finds %s %s in the category %s', (scheme, code, category) => {
    expect(findReason(scheme, code)?.category).toBe(category);
  });

  test('does not find a code of another scheme', () => {
    expect(findReason('mastercard', '10.4')).toBeNull();
  });

  test.each(['constructor', '__proto__', 'toString'])('does not find %s, a name that every object has', (code) => {
    expect(findReason('visa', code)).toBeNull();
  });

  test.each([
    ['fraudulent', 'fraud'],
    ['not_received', 'not_received'],
    ['something else', 'general'],
  ])('sorts the reason "%s" without a code into %s', (reason, category) => {
    expect(categoryOf('visa', null, reason)).toBe(category);
  });

  test.each([
    ['visa', 'visa'],
    ['jcb', 'other'],
    [null, 'ach'],
  ])('selects the scheme of the brand %s', (brand, scheme) => {
    expect(schemeOf(brand)).toBe(scheme);
  });
});
