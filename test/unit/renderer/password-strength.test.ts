import { expect, test } from 'vitest';
import { strengthOf } from '../../../renderer/kit/ui/password-strength.ts';

test.each([
  ['', 'empty'],
  ['Tr0ub4dor&3', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefghijklmnop', 'weak'],
  ['Password1234', 'weak'],
  ['Paydesk2026!', 'weak'],
  ['ownerbakery1', 'weak'],
  ['kestrel-omit-ox', 'strong'],
  ['three loaves rising slowly', 'strong'],
  ['vbkqpzmwrtyx', 'fair'],
])('rates %s as %s', (password, strength) => {
  expect(strengthOf(password, ['owner@bakery.example', 'Corner Bakery'])).toBe(strength);
});

test('counts personal details as weak', () => {
  expect(strengthOf('cornerbakery-owner', ['owner@bakery.example', 'Corner Bakery'])).toBe('weak');
});
