import { describe, expect, test } from 'vitest';
import { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from '../../../core/sales/payments/steps.ts';
import type { Transaction } from '../../../renderer/base/client/shapes.ts';
import { type ActionId, blockedReasons, type TransactionWithRerun, voidsInstead } from '../../../renderer/screens/transactions/actions.ts';
import { rerunResult } from '../../../renderer/screens/transactions/rerun-result.ts';
import { refundableAmountOf, refundNote } from '../../../renderer/screens/transactions/status.ts';

const PAID: Transaction = {
  transactionId: 'txn_1',
  merchantId: 'mer_1',
  type: 'auth',
  paymentMethod: 'card',
  amount: 30,
  tipAmount: 0,
  surchargeAmount: 0,
  taxAmount: 0,
  discountAmount: 0,
  discountApprovedBy: null,
  currency: 'USD',
  status: 'approved',
  captured: true,
  capturedAmount: 30,
  capturedAt: '2026-11-20T12:00:00Z',
  refundedAmount: 0,
  refundStatus: 'none',
  reservedAmount: 0,
  disputedAmount: 0,
  voidedAt: null,
  voidReason: null,
  approvedBy: null,
  shiftId: null,
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
  creditOf: null,
  customerId: null,
  invoiceId: null,
  subscriptionId: null,
  queuedPaymentId: null,
  orderId: null,
  purchaseOrderNumber: null,
  createdBy: null,
  lineItems: [],
  description: null,
  metadata: null,
  source: 'keyed',
  channel: 'phone',
  secCode: null,
  bankAuthorization: null,
  pendingReason: null,
  createdAt: '2026-11-20T12:00:00Z',
  updatedAt: '2026-11-20T12:00:00Z',
};
const UNPAID = { captured: false, capturedAmount: 0, capturedAt: null } as const;

/** A record in each state of the service's transition table. */
const RECORDS: Readonly<Record<TransactionState, Transaction>> = {
  pending: { ...PAID, ...UNPAID, status: 'pending' },
  authorized: { ...PAID, ...UNPAID },
  captured: PAID,
  'partly-refunded': { ...PAID, refundedAmount: 10, refundStatus: 'partial' },
  refunded: { ...PAID, refundedAmount: 30, refundStatus: 'full' },
  settled: { ...PAID, settledAt: '2026-11-21T00:00:00Z', settlementDate: '2026-11-20' },
  disputed: { ...PAID, disputedAmount: 10 },
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

const OPERATIONS: Readonly<Record<Exclude<ActionId, 'refund' | 'refund-only' | 'dispute'>, TransactionOperation>> = {
  capture: 'capture',
  void: 'void',
  adjust: 'adjustAuthorization',
  tip: 'adjustTip',
  'cancel-capture': 'cancelCapture',
  credit: 'credit',
  rerun: 'rerun',
};

const states = Object.keys(RECORDS) as TransactionState[];
const isAllowed = (state: TransactionState, operation: TransactionOperation) => typeof TRANSACTION_STEPS[state][operation] === 'string';

describe.each(states)('a transaction that is %s', (state) => {
  const reasons = blockedReasons(RECORDS[state]);

  test.each(Object.entries(OPERATIONS))('offers %s exactly when the service accepts it', (action, operation) => {
    expect(reasons[action as ActionId] === undefined).toBe(isAllowed(state, operation));
  });

  test('offers to record a dispute only for a captured payment that no bank returned', () => {
    const isPaid = RECORDS[state].captured && RECORDS[state].status === 'approved' && RECORDS[state].type !== 'credit';
    expect(reasons.dispute === undefined).toBe(isPaid && RECORDS[state].returnedAt === null);
  });

  test('offers a refund exactly when the service voids or refunds it', () => {
    expect(reasons.refund === undefined).toBe(isAllowed(state, 'void') || isAllowed(state, 'refund'));
  });

  test('offers a refund instead of a void exactly when a void is possible and something is captured', () => {
    expect(reasons['refund-only'] === undefined).toBe(isAllowed(state, 'void') && RECORDS[state].captured);
  });

  test('explains every unavailable action', () => {
    for (const reason of Object.values(reasons)) expect(reason ?? 'allowed').not.toBe('');
  });
});

test.each([
  ['voids an unsettled sale for a full refund', PAID, true, true],
  ['refunds a part of an unsettled sale', PAID, false, false],
  ['refunds a settled sale', RECORDS.settled, true, false],
  ['refunds the remaining amount of a partially refunded sale', RECORDS['partly-refunded'], true, false],
  ['voids an authorization', RECORDS.authorized, false, true],
])('%s', (_, transaction, isWhole, expected) => {
  expect(voidsInstead(transaction, isWhole)).toBe(expected);
});

describe('rerun of a declined payment', () => {
  const declined = RECORDS.declined;
  const rerun = (status: string) => ({ ...declined, rerun: { transactionId: 'txn_2', status } }) as TransactionWithRerun;

  test.each(['declined', 'failed'])('offers a rerun after a %s rerun', (status) => {
    expect(blockedReasons(rerun(status)).rerun).toBeUndefined();
  });

  test.each([
    ['pending', 'This payment is being rerun; the outcome isn’t known yet.'],
    ['approved', 'This payment was already rerun.'],
    ['voided', 'This payment was already rerun.'],
  ])('offers no rerun after a rerun that is %s', (status, reason) => {
    expect(blockedReasons(rerun(status)).rerun).toBe(reason);
  });

  test('offers no rerun for a payment of a subscription or an invoice', () => {
    expect(blockedReasons({ ...declined, subscriptionId: 'sub_1' }).rerun).toContain('subscription');
    expect(blockedReasons({ ...declined, queuedPaymentId: 'qpy_1' }).rerun).toContain('charged later');
    expect(blockedReasons({ ...declined, invoiceId: 'inv_1' }).rerun).toContain('invoice');
  });

  test('shows a rejected second rerun with a link to the first one', () => {
    const details = { transactionId: 'txn_2', reason: 'already_rerun' };
    expect(rerunResult({ code: 'RESOURCE_CONFLICT', details })).toMatchObject({ tone: 'warning', transactionId: 'txn_2' });
    expect(rerunResult({ code: 'RESOURCE_CONFLICT', details: { reason: 'invoice_payment' } })).toBeUndefined();
  });
});

test('computes the remaining amount in minor units, less pending refunds', () => {
  expect(refundableAmountOf({ ...PAID, capturedAmount: 0.3, refundedAmount: 0.1, reservedAmount: 0.1 })).toBe(0.1);
  expect(refundableAmountOf(RECORDS.voided)).toBe(0);
});

test('shows the reason of a refund, and that it was a void once it is completed', () => {
  const refund = { status: 'approved', sentAs: 'void', reason: 'Wrong size', declineReason: null } as const;
  const voided = 'Voided before it settled: the customer isn’t charged';
  expect(refundNote(refund)).toBe(`Wrong size · ${voided}`);
  expect(refundNote({ ...refund, reason: null })).toBe(voided);
  expect(refundNote({ ...refund, sentAs: 'refund' })).toBe('Wrong size');
  expect(refundNote({ ...refund, status: 'pending' })).toBe('Wrong size');
  expect(refundNote({ ...refund, status: 'declined', declineReason: 'Refused' })).toBe('Refused');
  expect(refundNote({ ...refund, sentAs: 'refund', reason: null })).toBe('');
});
