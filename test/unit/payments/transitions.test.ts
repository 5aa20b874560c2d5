import { describe, expect, test } from 'vitest';
import { ERRORS } from '#core/kernel';
import { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from '#core/sales/payments';

const STATES = Object.keys(TRANSACTION_STEPS) as TransactionState[];
const OPERATIONS: readonly TransactionOperation[] = [
  'capture',
  'cancelCapture',
  'void',
  'refund',
  'credit',
  'rerun',
  'adjustAuthorization',
  'adjustTip',
];

describe('transitions of a payment', () => {
  test.each(STATES)('%s: every operation has a next state or an error', (state) => {
    for (const operation of OPERATIONS) {
      const next = TRANSACTION_STEPS[state][operation];
      if (typeof next === 'string') expect(STATES).toContain(next);
      else expect(Object.keys(ERRORS)).toContain(next.code);
    }
  });

  test('refunds only captured money, and keeps voided payments voided', () => {
    const refundable = STATES.filter((state) => typeof TRANSACTION_STEPS[state].refund === 'string');
    expect(refundable).toEqual(['captured', 'partly-refunded', 'settled', 'disputed']);
    expect(OPERATIONS.filter((operation) => typeof TRANSACTION_STEPS.voided[operation] === 'string')).toEqual([]);
  });
});
