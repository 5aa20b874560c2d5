import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Transaction } from '#renderer/base/client';
import {
  metadataOf,
  partsOfRefund,
  remainingParts,
  returnedBefore,
  returnedText,
  sumOfReturned,
} from '../../../renderer/screens/transactions/returned-items.ts';

type Line = Transaction['lineItems'][number];
const line = (description: string, quantity: number, amount: number, taxAmount: number) =>
  ({ description, quantity, amount, taxAmount }) as Line;

test('refunds of a line, one unit after the other, add up to the line to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 99_999 }), fc.nat(20), (quantity, cents, rate) => {
      const lines = [line('Tart', quantity, cents / 100, Math.round((cents * rate) / 120) / 100)];
      const sum = { amountMinor: 0, taxMinor: 0 };
      for (let unit = 0; unit < quantity; unit += 1) {
        const part = sumOfReturned(lines, 'USD', { 0: unit * 1_000 }, { 0: 1_000 });
        sum.amountMinor += part.amountMinor;
        sum.taxMinor += part.taxMinor;
      }
      expect(sum).toEqual({ amountMinor: cents, taxMinor: Math.round((lines[0]?.taxAmount ?? 0) * 100) });
    }),
  );
});

test('counts what earlier refunds returned, and names it', () => {
  const lines = [line('Flat white', 3, 9.99, 0), line('Cake', 1.5, 6, 0)];
  const metadata = metadataOf({ 0: 2_000, 1: 1_500 });
  const refunds = [
    { status: 'approved', metadata },
    { status: 'declined', metadata },
    { status: 'pending', metadata: metadataOf({ 0: 1_000 }) },
    { status: 'approved', metadata: null },
  ] as const;
  expect(returnedBefore(refunds)).toEqual({ 0: 3_000, 1: 1_500 });
  expect(returnedText({ metadata }, lines)).toBe('2 × Flat white, 1.5 × Cake');
});

test('keeps the tip unless it is returned, and takes the tax of the items', () => {
  const payment = { amount: 100.96, tipAmount: 13, taxAmount: 6.8, surchargeAmount: 0, currency: 'USD' };
  const remaining = remainingParts(payment, []);
  expect(partsOfRefund(2_500, remaining, 0, 185, 'USD')).toEqual({ tipAmount: '0.00', taxAmount: '1.85', surchargeAmount: '0.00' });
  expect(partsOfRefund(2_500, remaining, 0, null, 'USD')).toEqual({ tipAmount: '0.00', taxAmount: '1.93', surchargeAmount: '0.00' });
  expect(partsOfRefund(3_800, remaining, 1_300, 185, 'USD').tipAmount).toBe('13.00');
});
