import { expect, test } from 'vitest';
import { shownState } from '../../../renderer/screens/settlement/texts.ts';

test.each([
  ['shows an unpaid settlement as pending', 'pending', 0, 'pending'],
  ['shows a settlement as partially paid if a part was paid out', 'pending', 40, 'partially_paid'],
  ['shows a settlement in a batch that the bank has not paid yet as in payout', 'pending', 161.53, 'in_payout'],
  ['shows a paid settlement as paid', 'paid', 161.53, 'paid'],
] as const)('%s', (_, status, paidAmount, shown) => {
  expect(shownState({ status, paidAmount, netAmount: 161.53 })).toBe(shown);
});
