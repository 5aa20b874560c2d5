import { describe, expect, test } from 'vitest';
import { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from '../../../core/payments/steps.ts';
import type { Transaction } from '../../../renderer/client/shapes.ts';
import { type ActionId, barredReasons, type TransactionWithRerun, voidsInstead } from '../../../renderer/screens/transactions/actions.ts';
import { rerunResult } from '../../../renderer/screens/transactions/rerun-result.ts';
import { leftOf, refundWords } from '../../../renderer/screens/transactions/standing.ts';

const PAID: Transaction = {
  transactionId: 'txn_1',
  merchantId: 'mer_1',
  type: 'auth',
  paymentMethod: 'card',
  amount: 30,
  currency: 'USD',
  status: 'approved',
  captured: true,
  capturedAmount: 30,
  capturedAt: '2026-11-20T12:00:00Z',
  refundedAmount: 0,
  refundStatus: 'none',
  reservedAmount: 0,
  voidedAt: null,
  voidReason: null,
  settledAt: null,
  settlementDate: null,
  settlementId: null,
  captureHeldUntil: null,
  returnedAt: null,
  returnCode: null,
  retryAdvice: null,
  gateway: 'sandbox',
  processorRef: 'R',
  authCode: '123456',
  avsResponse: 'Y',
  cvvResponse: 'M',
  details: null,
  declineCode: null,
  declineReason: null,
  errorCode: null,
  token: null,
  card: { brand: 'visa', last4: '1111', expiryMonth: '12', expiryYear: '2031' },
  bankAccount: null,
  customer: null,
  billing: null,
  rerunOf: null,
  customerId: null,
  invoiceId: null,
  subscriptionId: null,
  orderId: null,
  description: null,
  metadata: null,
  source: 'keyed',
  pendingReason: null,
  createdAt: '2026-11-20T12:00:00Z',
  updatedAt: '2026-11-20T12:00:00Z',
};
const UNPAID = { captured: false, capturedAmount: 0, capturedAt: null } as const;

/** A record in each state that the service's table knows. */
const RECORDS: Readonly<Record<TransactionState, Transaction>> = {
  pending: { ...PAID, ...UNPAID, status: 'pending' },
  authorized: { ...PAID, ...UNPAID },
  captured: PAID,
  'partly-refunded': { ...PAID, refundedAmount: 10, refundStatus: 'partial' },
  refunded: { ...PAID, refundedAmount: 30, refundStatus: 'full' },
  settled: { ...PAID, settledAt: '2026-11-21T00:00:00Z', settlementDate: '2026-11-20' },
  returned: {
    ...PAID,
    returnedAt: '2026-11-23T12:00:00Z',
    returnCode: 'R01',
    refundedAmount: 30,
    refundStatus: 'full',
  },
  credited: { ...PAID, type: 'credit' },
  declined: { ...PAID, ...UNPAID, status: 'declined' },
  failed: { ...PAID, ...UNPAID, status: 'failed' },
  voided: { ...PAID, ...UNPAID, status: 'voided', voidedAt: '2026-11-20T13:00:00Z' },
};

const OPERATIONS: Readonly<Record<Exclude<ActionId, 'give-back'>, TransactionOperation>> = {
  capture: 'capture',
  void: 'void',
  'cancel-capture': 'cancelCapture',
  credit: 'credit',
  rerun: 'rerun',
};

const states = Object.keys(RECORDS) as TransactionState[];
const isAllowed = (state: TransactionState, operation: TransactionOperation) => typeof TRANSACTION_STEPS[state][operation] === 'string';

describe.each(states)('a transaction that is %s', (state) => {
  const reasons = barredReasons(RECORDS[state]);

  test.each(Object.entries(OPERATIONS))('offers %s exactly when the service takes it', (action, operation) => {
    expect(reasons[action as ActionId] === undefined).toBe(isAllowed(state, operation));
  });

  test('offers to give money back exactly when the service voids or refunds it', () => {
    expect(reasons['give-back'] === undefined).toBe(isAllowed(state, 'void') || isAllowed(state, 'refund'));
  });

  test('explains every unavailable action', () => {
    for (const reason of Object.values(reasons)) expect(reason ?? 'allowed').not.toBe('');
  });
});

test.each([
  ['a sale that has not settled goes back whole by a void', PAID, true, true],
  ['a part of it goes back by a refund', PAID, false, false],
  ['a settled one goes back by a refund', RECORDS.settled, true, false],
  ['what is left of a partly refunded one goes back by a refund', RECORDS['partly-refunded'], true, false],
  ['a hold is released by a void', RECORDS.authorized, false, true],
])('%s', (_, transaction, isWhole, expected) => {
  expect(voidsInstead(transaction, isWhole)).toBe(expected);
});

describe('rerun of a declined payment', () => {
  const declined = RECORDS.declined;
  const rerun = (status: string) => ({ ...declined, rerun: { transactionId: 'txn_2', status } }) as TransactionWithRerun;

  test.each(['declined', 'failed'])('is offered after a %s rerun', (status) => {
    expect(barredReasons(rerun(status)).rerun).toBeUndefined();
  });

  test.each([
    ['pending', 'This payment is being rerun; the outcome is not known yet.'],
    ['approved', 'This payment was already rerun.'],
    ['voided', 'This payment was already rerun.'],
  ])('is not offered after a rerun that is %s', (status, reason) => {
    expect(barredReasons(rerun(status)).rerun).toBe(reason);
  });

  test('is not offered for a payment of a subscription or an invoice', () => {
    expect(barredReasons({ ...declined, subscriptionId: 'sub_1' }).rerun).toContain('subscription');
    expect(barredReasons({ ...declined, invoiceId: 'inv_1' }).rerun).toContain('invoice');
  });

  test('shows a rejected second rerun with a link to the first one', () => {
    const details = { transactionId: 'txn_2', reason: 'already_rerun' };
    expect(rerunResult({ code: 'RESOURCE_CONFLICT', details })).toMatchObject({ tone: 'warning', madeId: 'txn_2' });
    expect(rerunResult({ code: 'RESOURCE_CONFLICT', details: { reason: 'invoice_payment' } })).toBeUndefined();
  });
});

test('computes the remaining amount in minor units, less pending refunds', () => {
  expect(leftOf({ ...PAID, capturedAmount: 0.3, refundedAmount: 0.1, reservedAmount: 0.1 })).toBe(0.1);
  expect(leftOf(RECORDS.voided)).toBe(0);
});

test('names the reason of a refund, and a void only when it is done', () => {
  const refund = { status: 'approved', sentAs: 'void', reason: 'Wrong size', declineReason: null } as const;
  const voided = 'Voided before it settled: the customer is not charged';
  expect(refundWords(refund)).toBe(`Wrong size · ${voided}`);
  expect(refundWords({ ...refund, reason: null })).toBe(voided);
  expect(refundWords({ ...refund, sentAs: 'refund' })).toBe('Wrong size');
  expect(refundWords({ ...refund, status: 'pending' })).toBe('Wrong size');
  expect(refundWords({ ...refund, status: 'declined', declineReason: 'Refused' })).toBe('Refused');
  expect(refundWords({ ...refund, sentAs: 'refund', reason: null })).toBe('');
});
