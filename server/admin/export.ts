import type { FastifyReply } from 'fastify';
import type { TransactionLine } from '#core/payments';
import { type Column, sendPages } from '#server/http';

const COLUMNS: readonly Column<TransactionLine>[] = [
  ['transactionId', (of) => of.transactionId, 'plain'],
  ['createdAt', (of) => of.createdAt, 'plain'],
  ['merchantId', (of) => of.merchantId, 'plain'],
  ['type', (of) => of.type, 'plain'],
  ['status', (of) => of.status, 'plain'],
  ['amount', ({ amountMinor: minor, currency }) => ({ minor, currency })],
  ['currency', (of) => of.currency, 'plain'],
  ['capturedAmount', ({ capturedMinor: minor, currency }) => ({ minor, currency })],
  ['refundedAmount', ({ refundedMinor: minor, currency }) => ({ minor, currency })],
  ['paymentMethod', (of) => of.paymentMethod, 'plain'],
  ['brand', (of) => of.brand, 'plain'],
  ['last4', (of) => of.last4, 'plain'],
  ['authCode', (of) => of.authCode],
  ['declineCode', (of) => of.declineCode],
  ['customerName', (of) => of.customerName],
  ['customerEmail', (of) => of.customerEmail],
  ['orderId', (of) => of.orderId],
  ['description', (of) => of.description],
  ['processorRef', (of) => of.processorRef, 'plain'],
  ['settlementDate', (of) => of.settlementDate, 'plain'],
];

/** Streams transactions as CSV. */
export function sendTransactions(reply: FastifyReply, pages: AsyncGenerator<readonly TransactionLine[]>): Promise<void> {
  return sendPages(reply, 'transactions.csv', COLUMNS, pages);
}
