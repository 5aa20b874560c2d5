import type { Read, Work } from '#core/database';
import { assert, type Currency, money, ServiceError } from '#core/kernel';
import { ATTEMPTS, type AttemptRow, type AttemptState, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from './schema.ts';
import type { HistoryEntry } from './transaction.ts';

/** The transaction's row, locked; TRANSACTION_NOT_FOUND when the tenant has none of that id. */
export async function lockTransaction(work: Work, transactionId: string): Promise<TransactionRow> {
  return (await work.lockOne(TRANSACTIONS, { id: transactionId })) ?? missing(transactionId);
}

export async function readTransaction(read: Read, transactionId: string): Promise<TransactionRow> {
  return (await read.one(TRANSACTIONS, { id: transactionId })) ?? missing(transactionId);
}

function missing(transactionId: string): never {
  throw new ServiceError('TRANSACTION_NOT_FOUND', `There is no transaction ${transactionId.slice(0, 60)}.`, { details: { transactionId } });
}

export async function readRefund(read: Read, refundId: string): Promise<RefundRow> {
  const row = await read.one(REFUNDS, { id: refundId });
  if (!row) throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)}.`, { details: { refundId } });
  return row;
}

export async function lockRefund(work: Work, refundId: string): Promise<RefundRow> {
  const row = await work.lockOne(REFUNDS, { id: refundId });
  assert(row, 'a refund attempt has its refund');
  return row;
}

/** The word that the history has for an attempt without a result. */
const OPEN_RESULTS: Readonly<Record<AttemptState, string>> = { sending: 'pending', doubt: 'in_doubt', held: 'held', done: 'pending' };

/** The attempts made for a transaction in their order: its history. */
export async function historyOf(read: Read, transactionId: string): Promise<HistoryEntry[]> {
  const rows = await read.find(ATTEMPTS, { transaction_id: transactionId }, { orderBy: [['id', 'asc']] });
  return rows.map((row: AttemptRow) => ({
    at: row.concluded_at ?? row.created_at,
    actor: row.actor,
    action: row.operation,
    result: row.result ?? OPEN_RESULTS[row.state],
    amount: money(row.amount_minor, row.currency as Currency),
    processorRef: row.processor_ref,
    reason: row.reason,
  }));
}

/** The attempts made for a refund after its first, in their order. */
export async function retriesOf(read: Read, transactionId: string, refundId: string): Promise<AttemptRow[]> {
  const rows = await read.find(ATTEMPTS, { transaction_id: transactionId, refund_id: refundId }, { orderBy: [['id', 'asc']] });
  return rows.slice(1);
}
