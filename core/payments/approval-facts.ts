import { type ApprovalSubject, type Money, money } from '#core/kernel';
import type { TransactionRow } from './schema.ts';

/** Returns facts about a payment by which an approver recognizes it. */
export function paymentFacts(row: TransactionRow): Readonly<Record<string, unknown>> {
  const { id: transactionId, type, card_brand: cardBrand, last4, order_id: orderId, created_at: createdAt } = row;
  return { transactionId, type, paymentMethod: row.method, cardBrand, last4, orderId, createdAt };
}

/**
 * Returns a refund as the approver sees it. The rule compares the sum of all refunds of the payment, so that several small ones are not
 * below its limit.
 */
export function refundSubject(row: TransactionRow, amount: Money, reason: string | null): ApprovalSubject {
  const total = money(row.refunded_minor + row.reserved_minor + amount.minor, amount.currency);
  return {
    kind: 'refund',
    merchantId: row.merchant_id,
    resource: `transactions/${row.id}`,
    amount,
    total,
    details: { ...paymentFacts(row), reason },
  };
}
