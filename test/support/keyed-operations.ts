/**
 * Operations that claim their Idempotency-Key and end in a later unit of work, by the one of them that is killed after each of its units of work. The
 * others end in the same code.
 */
export const LATER_ENDINGS: Readonly<Record<string, readonly string[]>> = {
  createTransaction: [
    'createTransaction',
    'rerunTransaction',
    'chargeToken',
    'shopifyTransaction',
    'creditTransaction',
    'creditOnTerminal',
  ],
  voidTransaction: ['voidTransaction', 'captureTransaction', 'adjustAuthorization', 'adjustTip', 'cancelCapture'],
  refundTransaction: ['refundTransaction', 'refundTransactionPartially'],
  payInvoice: ['payInvoice'],
  createSubscription: ['createSubscription'],
  retrySubscription: ['retrySubscription'],
  createInstallmentPlan: ['createInstallmentPlan'],
  retryInstallment: ['retryInstallment'],
  releaseQueuedPayment: ['releaseQueuedPayment'],
  settleNow: ['settleNow'],
};
