import { expect, test } from 'vitest';
import type { Transaction, TransactionDetail } from '../../../renderer/base/client/shapes.ts';
import { blockedReason, isOffered, labelOf, UNREAD_ACTIONS } from '../../../renderer/screens/transactions/actions.ts';
import { rerunResult } from '../../../renderer/screens/transactions/rerun-result.ts';
import { refundableAmountOf, refundNote } from '../../../renderer/screens/transactions/status.ts';

const PAID: Transaction = {
  transactionId: 'txn_1',
  merchantId: 'mer_1',
  type: 'auth',
  paymentMethod: 'card',
  amount: 30,
  requestedAmount: null,
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
  terminal: null,
  pendingReason: null,
  authorizationExpiresAt: null,
  createdAt: '2026-11-20T12:00:00Z',
  updatedAt: '2026-11-20T12:00:00Z',
};
const payment = (
  actions: Partial<Record<'refund' | 'void' | 'capture', boolean>>,
  change: Partial<TransactionDetail> = {},
): TransactionDetail => ({
  ...PAID,
  rerun: null,
  shippingAddress: null,
  history: [],
  ...change,
  actions: Object.fromEntries(
    Object.keys(UNREAD_ACTIONS).map((id) => {
      const allowed = actions[id as keyof typeof actions] ?? false;
      return [id, allowed ? { allowed } : { allowed, code: 'RESOURCE_CONFLICT', message: `No ${id}.` }];
    }),
  ) as TransactionDetail['actions'],
});
const HOLD = { captured: false, capturedAmount: 0, capturedAt: null } as const;

test('offers to release held money and no refund of it', () => {
  const settings = { tipEnabled: false, storeCreditForCards: true } as Parameters<typeof isOffered>[2];
  const held = payment({ void: true }, HOLD);
  expect([labelOf('void', held), labelOf('void', payment({}))]).toEqual(['Release', 'Void']);
  for (const id of ['refund', 'refund-only', 'store-credit'] as const)
    expect([isOffered(id, held, settings), isOffered(id, payment({}), settings)]).toEqual([false, true]);
});

test('offers a refund instead of a void only where both are possible', () => {
  expect(blockedReason('refund-only', payment({ void: true, refund: true }))).toBeUndefined();
  expect(blockedReason('refund-only', payment({ refund: true }))).toBe('A refund of this payment never voids it.');
});

test('names a missing right in words of the screen', () => {
  const { actions, ...rest } = payment({ refund: true });
  const refused = {
    ...rest,
    actions: { ...actions, refund: { allowed: false, code: 'PERMISSION_DENIED', message: 'This requires the permission.' } },
  };
  expect(blockedReason('refund', refused)).toBe('Your role does not allow this.');
});

test('shows a rejected second rerun with a link to the first one', () => {
  const details = { transactionId: 'txn_2', reason: 'already_rerun' };
  expect(rerunResult({ code: 'RESOURCE_CONFLICT', details })).toMatchObject({ tone: 'warning', transactionId: 'txn_2' });
  expect(rerunResult({ code: 'RESOURCE_CONFLICT', details: { reason: 'invoice_payment' } })).toBeUndefined();
});

test('computes the remaining amount in minor units, less pending refunds', () => {
  expect(refundableAmountOf({ ...PAID, capturedAmount: 0.3, refundedAmount: 0.1, reservedAmount: 0.1 })).toBe(0.1);
  expect(refundableAmountOf({ ...PAID, status: 'voided' })).toBe(0);
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
