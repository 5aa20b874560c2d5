import { type Money, toNumber } from '#core/kernel';
import type { PaymentEvent } from '#shared/webhook-events';
import type { Refund, Transaction } from './records.ts';

const bankAccountOf = ({ bankAccount }: Transaction) =>
  bankAccount ? { bankAccount: { last4: bankAccount.last4, accountType: bankAccount.accountType } } : {};

const partNumbers = ({ tipAmount, surchargeAmount, taxAmount }: Pick<Transaction, 'tipAmount' | 'surchargeAmount' | 'taxAmount'>) => ({
  tipAmount: toNumber(tipAmount),
  surchargeAmount: toNumber(surchargeAmount),
  taxAmount: toNumber(taxAmount),
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
export function decidedEvent(transaction: Transaction): PaymentEvent {
  const { currency, authCode, card, channel, customer } = transaction;
  if (transaction.status === 'declined') return { type: 'transaction.declined', data: declined(transaction) };
  const data = {
    ...paymentOf(transaction),
    amount: toNumber(transaction.amount),
    ...(transaction.requestedAmount !== null && { requestedAmount: toNumber(transaction.requestedAmount) }),
    ...partNumbers(transaction),
    discountAmount: toNumber(transaction.discountAmount),
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
  const { channel, declineCode, declineReason, card } = transaction;
  const amount = toNumber(transaction.amount);
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
export function returnedEvent(transaction: Transaction, returned: Money): PaymentEvent {
  return { type: 'transaction.declined', data: { ...declined(transaction), amount: toNumber(returned), returned: true } };
}

export function voidedEvent(transaction: Transaction): PaymentEvent {
  const { currency, voidReason: reason, voidedAt } = transaction;
  return {
    type: 'transaction.voided',
    data: { ...paymentOf(transaction), amount: toNumber(transaction.amount), currency, reason, voidedAt },
  };
}

export function refundEvent(refund: Refund): PaymentEvent {
  const { refundId, transactionId, status, reason, declineReason, errorCode, queuedForRetry } = refund;
  const amount = toNumber(refund.amount);
  return status === 'approved'
    ? { type: 'refund.processed', data: { refundId, transactionId, amount, ...partNumbers(refund), status, reason } }
    : { type: 'refund.declined', data: { refundId, transactionId, amount, declineReason, errorCode, queuedForRetry } };
}
