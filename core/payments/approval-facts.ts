import type { TransactionRow } from './schema.ts';

/** Returns facts about a payment by which an approver recognizes it. */
export function paymentFacts(row: TransactionRow): Readonly<Record<string, unknown>> {
  const { id: transactionId, type, card_brand: cardBrand, last4, order_id: orderId, created_at: createdAt } = row;
  return { transactionId, type, paymentMethod: row.method, cardBrand, last4, orderId, createdAt };
}
