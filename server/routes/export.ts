import type { FastifyReply } from 'fastify';
import type { Core } from '#core';
import type { Actor } from '#core/kernel';
import type { TransactionLine } from '#core/sales/payments';
import { type Column, sendPages } from '#server/http';
import { withLocalDate } from './local-date.ts';

type ColumnLine = Omit<TransactionLine, 'transactionId' | 'paymentMethod'> & { readonly paymentMethod: string };

/** Columns of exports of payments, after the ID. */
export const TRANSACTION_COLUMNS: readonly Column<ColumnLine>[] = [
  ['createdAt', (line) => line.createdAt, 'plain'],
  ['merchantId', (line) => line.merchantId, 'plain'],
  ['type', (line) => line.type, 'plain'],
  ['status', (line) => line.status, 'plain'],
  ['amount', ({ amountMinor: minor, currency }) => ({ minor, currency })],
  ['currency', (line) => line.currency, 'plain'],
  ['capturedAmount', ({ capturedMinor: minor, currency }) => ({ minor, currency })],
  ['refundedAmount', ({ refundedMinor: minor, currency }) => ({ minor, currency })],
  ['paymentMethod', (line) => line.paymentMethod, 'plain'],
  ['brand', (line) => line.brand, 'plain'],
  ['last4', (line) => line.last4, 'plain'],
  ['authCode', (line) => line.authCode],
  ['declineCode', (line) => line.declineCode],
  ['customerName', (line) => line.customerName],
  ['customerEmail', (line) => line.customerEmail],
  ['orderId', (line) => line.orderId],
  ['description', (line) => line.description],
  ['processorRef', (line) => line.processorRef, 'plain'],
  ['settlementDate', (line) => line.settlementDate, 'plain'],
  ['tipAmount', ({ tipMinor: minor, currency }) => ({ minor, currency })],
  ['surchargeAmount', ({ surchargeMinor: minor, currency }) => ({ minor, currency })],
  ['taxAmount', ({ taxMinor: minor, currency }) => ({ minor, currency })],
  ['purchaseOrderNumber', (line) => line.purchaseOrderNumber],
  ['createdBy', (line) => line.createdBy],
  ['approvedBy', (line) => line.approvedBy],
  ['discountAmount', ({ discountMinor: minor, currency }) => ({ minor, currency })],
  ['discountApprovedBy', (line) => line.discountApprovedBy],
  ['channel', (line) => line.channel, 'plain'],
  ['secCode', (line) => line.secCode, 'plain'],
];

const COLUMNS: readonly Column<TransactionLine>[] = [['transactionId', (line) => line.transactionId, 'plain'], ...TRANSACTION_COLUMNS];

/** Streams transactions as CSV. */
export async function sendTransactions(
  { core, actor, reply }: { readonly core: Core; readonly actor: Actor; readonly reply: FastifyReply },
  pages: AsyncGenerator<readonly TransactionLine[]>,
): Promise<void> {
  await sendPages(reply, 'transactions.csv', await withLocalDate(core, actor, COLUMNS, ({ createdAt }) => createdAt), pages);
}
