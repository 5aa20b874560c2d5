import type { FastifyReply } from 'fastify';
import type { Transaction } from '#core/payments';
import { type Column, sendCsv } from '../csv.ts';

const COLUMNS: readonly Column<Transaction>[] = [
  ['transactionId', (of) => of.transactionId],
  ['createdAt', (of) => of.createdAt],
  ['merchantId', (of) => of.merchantId],
  ['type', (of) => of.type],
  ['status', (of) => of.status],
  ['amount', (of) => of.amount],
  ['currency', (of) => of.currency],
  ['capturedAmount', (of) => of.capturedAmount],
  ['refundedAmount', (of) => of.refundedAmount],
  ['paymentMethod', (of) => of.paymentMethod],
  ['brand', (of) => of.card?.brand ?? null],
  ['last4', (of) => of.card?.last4 ?? of.bankAccount?.last4 ?? null],
  ['authCode', (of) => of.authCode],
  ['declineCode', (of) => of.declineCode],
  ['customerName', (of) => of.customer?.name ?? null],
  ['customerEmail', (of) => of.customer?.email ?? null],
  ['orderId', (of) => of.orderId],
  ['description', (of) => of.description],
  ['processorRef', (of) => of.processorRef],
  ['settlementDate', (of) => of.settlementDate],
];

/** Streams transactions as CSV. */
export function sendTransactions(reply: FastifyReply, transactions: AsyncGenerator<Transaction>): Promise<void> {
  return sendCsv(reply, 'transactions.csv', COLUMNS, transactions);
}
