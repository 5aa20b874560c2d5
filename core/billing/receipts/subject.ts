import { type Actor, ServiceError } from '#core/kernel';
import type { Refund } from '#core/sales/payments';
import type { ReceiptCopy, ReceiptSubject } from './content.ts';
import type { Dependencies } from './dependencies.ts';

/** Identifies the payment or refund of a receipt. */
export interface ReceiptReference {
  readonly transactionId: string;
  readonly refundId?: string;
}

/**
 * Reads the data of a receipt. @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED; NOT_FOUND for a refund of another
 * transaction.
 */
export async function subjectOf(
  deps: Dependencies,
  actor: Actor,
  reference: ReceiptReference,
  copy: ReceiptCopy = 'customer',
): Promise<ReceiptSubject> {
  const transaction = await deps.payments.find(actor.tenantId, reference.transactionId);
  const merchant = await deps.merchantFor(actor, transaction.merchantId);
  return {
    transaction,
    refund: reference.refundId === undefined ? null : await refundOf(deps, actor, reference.transactionId, reference.refundId),
    merchant,
    invoiceNumber: transaction.invoiceId === null ? null : await deps.invoiceNumber(actor.tenantId, transaction.invoiceId),
    copy,
    isSandbox: deps.environmentOf(actor.tenantId) === 'sandbox',
    isTest: await deps.isTestPayment(actor.tenantId, reference.transactionId),
    isDuplicate: false,
    originalAmount: transaction.type === 'auth' ? await deps.payments.originalAmountOf(actor.tenantId, reference.transactionId) : null,
  };
}

async function refundOf(deps: Dependencies, actor: Actor, transactionId: string, refundId: string): Promise<Refund> {
  const refund = await deps.payments.getRefund(actor, refundId);
  if (refund.transactionId === transactionId) return refund;
  throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)} of this transaction.`, { details: { refundId } });
}

/** Returns the key under which prints are counted. */
export function subjectId({ transaction, refund }: ReceiptSubject): string {
  return refund?.refundId ?? transaction.transactionId;
}
