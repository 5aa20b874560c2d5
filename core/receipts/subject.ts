import { type Actor, ServiceError } from '#core/kernel';
import type { Refund } from '#core/payments';
import type { ReceiptCopy, ReceiptSubject } from './content.ts';
import type { Needs } from './needs.ts';

/** The payment, or the refund of it, whose receipt is wanted. */
export interface ReceiptOf {
  readonly transactionId: string;
  readonly refundId?: string;
}

/** Collects what a receipt is made of. TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED; NOT_FOUND for a refund that is not of this transaction. */
export async function subjectOf(on: Needs, by: Actor, of: ReceiptOf, copy: ReceiptCopy = 'customer'): Promise<ReceiptSubject> {
  const transaction = await on.payments.find(by.tenantId, of.transactionId);
  const merchant = await on.merchantFor(by, transaction.merchantId);
  return {
    transaction,
    refund: of.refundId === undefined ? null : await refundOf(on, by, of.transactionId, of.refundId),
    merchant,
    invoiceNumber: transaction.invoiceId === null ? null : await on.invoiceNumber(by.tenantId, transaction.invoiceId),
    copy,
    isSandbox: on.environmentOf(by.tenantId) === 'sandbox',
    isTest: await on.isTestPayment(by.tenantId, of.transactionId),
    isDuplicate: false,
  };
}

async function refundOf(on: Needs, by: Actor, transactionId: string, refundId: string): Promise<Refund> {
  const refund = await on.payments.getRefund(by, refundId);
  if (refund.transactionId === transactionId) return refund;
  throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)} of this transaction.`, { details: { refundId } });
}

/** What prints are counted by. */
export function subjectId({ transaction, refund }: ReceiptSubject): string {
  return refund?.refundId ?? transaction.transactionId;
}
