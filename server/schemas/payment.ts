import { Type } from 'typebox';
import { nullable } from '#core/platform/fields';
import type { ListedPayment, PaymentFilter } from '#core/sales/payment-list';
import { Transaction } from '#core/sales/payments';
import { Maybe, PageQuery, Timestamp } from './fields.ts';
import { filterFrom, oneOf, TransactionFilters } from './list.ts';
import { named } from './named.ts';
import { TENDER_KINDS, TenderOut, tenderRecord } from './tender.ts';

/** Filters of payments, in their list and their export. */
export const PaymentFilters = { ...TransactionFilters, paymentMethod: oneOf('card', 'ach', 'token', ...TENDER_KINDS) };
/** Query of the list of payments. */
export const PaymentListQuery = Type.Object({ ...PageQuery, ...PaymentFilters });

/** Returns the filter of a validated query. */
export const paymentFilterFrom = (query: Type.Static<typeof PaymentListQuery>): PaymentFilter => filterFrom(query);

export const PaymentOut = named(
  'Payment',
  Type.Object({
    paymentId: Type.String({ description: 'ID of the transaction or tender' }),
    merchantId: Type.String(),
    createdAt: Timestamp,
    transaction: nullable(Transaction, 'The transaction; null for a tender'),
    tender: Maybe(TenderOut),
  }),
);

/** Returns a payment in the form of the API; either `transaction` or `tender` is null. */
export function paymentRecord(payment: ListedPayment) {
  const transaction = 'transaction' in payment ? payment.transaction : null;
  const tender = 'tender' in payment ? tenderRecord(payment.tender) : null;
  const { merchantId, createdAt } = 'tender' in payment ? payment.tender : payment.transaction;
  return { paymentId: transaction?.transactionId ?? tender?.tenderId ?? '', merchantId, createdAt, transaction, tender };
}
