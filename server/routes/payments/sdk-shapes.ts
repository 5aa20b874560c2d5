import type { Refund, Transaction } from '#core/sales/payments';
import { inSdkNaming } from '#server/http';

function sdkTransaction(transaction: Transaction): unknown {
  const { tenantId: _, ...shown } = transaction;
  return inSdkNaming(shown);
}

export function showSdkPayment(transaction: Transaction) {
  return { success: transaction.status !== 'declined', data: sdkTransaction(transaction) };
}

export function showSdkTransaction(transaction: Transaction) {
  return { success: true, data: sdkTransaction(transaction) };
}

export function showSdkRefund(refund: Refund) {
  return { success: refund.status !== 'declined', data: inSdkNaming(refund) };
}
