import { expect, test } from 'vitest';
import { isCardNumberInFreeText } from '../../../renderer/shared/card-entry/free-text.ts';

test('looks for card numbers in free-text fields only', () => {
  const value = '4111111111111111';
  expect(isCardNumberInFreeText({ type: 'text', inputMode: '', value })).toBe(true);
  expect(isCardNumberInFreeText({ type: 'textarea', inputMode: 'text', value })).toBe(true);
  expect(isCardNumberInFreeText({ type: 'text', inputMode: 'numeric', value })).toBe(false);
  expect(isCardNumberInFreeText({ type: 'password', inputMode: '', value })).toBe(false);
  expect(isCardNumberInFreeText({ type: 'text', inputMode: '', value: '+6281234567895' })).toBe(false);
});
