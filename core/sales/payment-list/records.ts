import { id, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { Transaction } from '#core/sales/payments';
import { Tender } from '#core/sales/tenders';

/** A payment of any kind. */
export type ListedPayment = { readonly transaction: Transaction } | { readonly tender: Tender };

export const Payment = record('Payment', {
  paymentId: text('ID of the transaction or tender', 'txn_01m7y495cj0020acfq3xv5ygj8'),
  merchantId: id('mer', 'ID of the merchant'),
  createdAt: time('Time of creation'),
  orderNumber: nullable(text('Number of the order that it pays; null if `orderId` is an order number of the shop', null)),
  transaction: nullable(Transaction, 'The transaction; null for a tender'),
  tender: nullable(Tender, 'The tender; null for a transaction'),
});

/** Returns a payment in the form of the API. @param orderNumbers Numbers of orders by ID. */
export function paymentRecord(payment: ListedPayment, orderNumbers: ReadonlyMap<string, string>): RecordOf<typeof Payment> {
  const orderNumber = orderNumbers.get(orderIdOf(payment) ?? '') ?? null;
  if ('tender' in payment) {
    const { tender } = payment;
    return {
      paymentId: tender.tenderId,
      merchantId: tender.merchantId,
      createdAt: tender.createdAt,
      orderNumber,
      transaction: null,
      tender,
    };
  }
  const { transaction } = payment;
  const { transactionId: paymentId, merchantId, createdAt } = transaction;
  return { paymentId, merchantId, createdAt, orderNumber, transaction, tender: null };
}

/** Returns the order of a payment: its ID, or an order number of the shop. */
export const orderIdOf = (payment: ListedPayment): string | null =>
  'tender' in payment ? payment.tender.orderId : payment.transaction.orderId;
