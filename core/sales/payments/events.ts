import type { Money } from '#core/kernel';
import type { TypedEvent } from '#core/records/webhooks';
import type { Refund, Transaction } from './records.ts';

const bankAccountOf = ({ bankAccount }: Transaction) =>
  bankAccount ? { bankAccount: { last4: bankAccount.last4, accountType: bankAccount.accountType } } : {};

const partsOf = ({ tipAmount, surchargeAmount, taxAmount }: Pick<Transaction, 'tipAmount' | 'surchargeAmount' | 'taxAmount'>) => ({
  tipAmount,
  surchargeAmount,
  taxAmount,
});

/** Fields of every event of a payment. */
const paymentOf = ({ transactionId, type, orderId, customerId, metadata }: Transaction) => ({
  transactionId,
  type,
  ...(orderId !== null && { orderId }),
  ...(customerId !== null && { customerId }),
  ...(metadata !== null && { metadata }),
});

/** Returns the event of a decided payment. Later events of it share its resource, so that they arrive in order. */
export function decidedEvent(transaction: Transaction): TypedEvent {
  const { currency, authCode, card, channel, customer } = transaction;
  if (transaction.status === 'declined') return { type: 'transaction.declined', data: declined(transaction) };
  const data = {
    ...paymentOf(transaction),
    amount: transaction.amount,
    ...(transaction.requestedAmount !== null && { requestedAmount: transaction.requestedAmount }),
    ...partsOf(transaction),
    discountAmount: transaction.discountAmount,
    discountApprovedBy: transaction.discountApprovedBy,
    currency,
    authCode,
    card: card && { brand: card.brand, last4: card.last4 },
    ...bankAccountOf(transaction),
    channel,
    customer: customer && { email: customer.email },
  };
  return { type: 'transaction.approved', data };
}

function declined(transaction: Transaction) {
  const { amount, channel, declineCode, declineReason, card } = transaction;
  return {
    ...paymentOf(transaction),
    amount,
    channel,
    declineCode,
    declineReason,
    card: card && { last4: card.last4 },
    ...bankAccountOf(transaction),
  };
}

/** Returns the event of a payment that was returned after its approval. */
export function returnedEvent(transaction: Transaction, returned: Money): TypedEvent {
  return { type: 'transaction.declined', data: { ...declined(transaction), amount: returned, returned: true } };
}

export function voidedEvent(transaction: Transaction): TypedEvent {
  const { currency, voidReason: reason, voidedAt } = transaction;
  return {
    type: 'transaction.voided',
    data: { ...paymentOf(transaction), amount: transaction.amount, currency, reason, voidedAt },
  };
}

export function refundEvent(refund: Refund): TypedEvent {
  const { refundId, transactionId, amount, status, reason, declineReason, errorCode, queuedForRetry } = refund;
  return status === 'approved'
    ? { type: 'refund.processed', data: { refundId, transactionId, amount, ...partsOf(refund), status, reason } }
    : { type: 'refund.declined', data: { refundId, transactionId, amount, declineReason, errorCode, queuedForRetry } };
}
