import { toNumber } from '#core/kernel';
import type { Refund, Transaction } from './transaction.ts';

/** What is told of a payment that was decided (specification 6.3). Later steps of it are told as its resource's too, so that they arrive in order. */
export function decidedEvent(transaction: Transaction) {
  const { transactionId, type, currency, authCode, declineCode, declineReason, card, bankAccount, customer } = transaction;
  const account = bankAccount ? { bankAccount: { last4: bankAccount.last4, accountType: bankAccount.accountType } } : {};
  const amount = toNumber(transaction.amount);
  if (transaction.status === 'declined') {
    const data = { transactionId, type, amount, declineCode, declineReason, card: card && { last4: card.last4 }, ...account };
    return { type: 'transaction.declined', data } as const;
  }
  const data = {
    transactionId,
    type,
    amount,
    currency,
    authCode,
    card: card && { brand: card.brand, last4: card.last4 },
    ...account,
    customer: customer && { email: customer.email },
  };
  return { type: 'transaction.approved', data } as const;
}

export function voidedEvent(transaction: Transaction) {
  const { transactionId, type, currency, voidReason: reason, voidedAt } = transaction;
  return {
    type: 'transaction.voided',
    data: { transactionId, type, amount: toNumber(transaction.amount), currency, reason, voidedAt },
  } as const;
}

export function refundEvent(refund: Refund) {
  const { refundId, transactionId, status, reason, declineReason, errorCode, queuedForRetry } = refund;
  const amount = toNumber(refund.amount);
  return status === 'approved'
    ? ({ type: 'refund.processed', data: { refundId, transactionId, amount, status, reason } } as const)
    : ({ type: 'refund.declined', data: { refundId, transactionId, amount, declineReason, errorCode, queuedForRetry } } as const);
}
