import type { Static } from 'typebox';
import { toNumber } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { HistoryEntry, Refund, Transaction, TransactionDetail } from '#core/sales/payments';
import { success } from '#server/http';
import { lineItemRecord } from './line-item.ts';
import { MerchantOut } from './merchant.ts';

const partNumbers = ({ tipAmount, surchargeAmount, taxAmount }: Pick<Transaction, 'tipAmount' | 'surchargeAmount' | 'taxAmount'>) => ({
  tipAmount: toNumber(tipAmount),
  surchargeAmount: toNumber(surchargeAmount),
  taxAmount: toNumber(taxAmount),
});

/** Returns a transaction as the Public and Admin surfaces return it. */
export function transactionRecord(transaction: Transaction) {
  const { tenantId: _, ...record } = transaction;
  return {
    ...record,
    amount: toNumber(transaction.amount),
    ...partNumbers(transaction),
    discountAmount: toNumber(transaction.discountAmount),
    capturedAmount: toNumber(transaction.capturedAmount),
    refundedAmount: toNumber(transaction.refundedAmount),
    reservedAmount: toNumber(transaction.reservedAmount),
    disputedAmount: toNumber(transaction.disputedAmount),
    lineItems: transaction.lineItems.map(lineItemRecord),
  };
}

function historyRecord(entry: HistoryEntry) {
  return { ...entry, amount: entry.amount === null ? null : toNumber(entry.amount) };
}

export function refundRecord(refund: Refund) {
  return { ...refund, amount: toNumber(refund.amount), ...partNumbers(refund), remainingAmount: toNumber(refund.remainingAmount) };
}

/** Returns the response of a payment: a decline is HTTP 200 with `success` false. */
export function showPayment(transaction: Transaction) {
  return { success: transaction.status !== 'declined', data: transactionRecord(transaction) };
}

export function showTransaction(transaction: Transaction) {
  return success(transactionRecord(transaction));
}

export function showWithHistory<Actions>({
  authorizationExpiresAt,
  rerun,
  shippingAddress,
  history,
  actions,
  ...transaction
}: TransactionDetail & { readonly actions: Actions }) {
  return success({
    ...transactionRecord(transaction),
    authorizationExpiresAt,
    rerun,
    shippingAddress,
    history: history.map(historyRecord),
    actions,
  });
}

export function showRefund(refund: Refund) {
  return { success: refund.status !== 'declined', data: refundRecord(refund) };
}

const MERCHANT_FIELDS = Object.keys(MerchantOut.properties) as (keyof Static<typeof MerchantOut>)[];

/** Returns the fields of a merchant that a response may contain. Its settings have their own routes and permissions. */
export function showMerchant(merchant: Merchant): Pick<Merchant, keyof Static<typeof MerchantOut>> {
  return Object.fromEntries(MERCHANT_FIELDS.map((name) => [name, merchant[name]])) as Pick<Merchant, keyof Static<typeof MerchantOut>>;
}
