import type { Read, Work } from '#core/database';
import { assert, type Currency, type Money, money, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { HistoryEntry } from './records.ts';
import { ATTEMPTS, type AttemptRow, type AttemptState, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from './schema.ts';

/** Locks and returns the row of a transaction. @throws ServiceError TRANSACTION_NOT_FOUND */
export async function lockTransaction(work: Work, transactionId: string): Promise<TransactionRow> {
  return (await work.lockOne(TRANSACTIONS, { id: transactionId })) ?? transactionNotFound(transactionId);
}

export async function readTransaction(read: Read, transactionId: string): Promise<TransactionRow> {
  return (await read.one(TRANSACTIONS, { id: transactionId })) ?? transactionNotFound(transactionId);
}

function transactionNotFound(transactionId: string): never {
  throw new ServiceError('TRANSACTION_NOT_FOUND', `There is no transaction ${transactionId.slice(0, 60)}.`, { details: { transactionId } });
}

export async function readRefund(read: Read, refundId: string): Promise<RefundRow> {
  const row = await read.one(REFUNDS, { id: refundId });
  if (!row) throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)}.`, { details: { refundId } });
  return row;
}

export async function lockRefund(work: Work, refundId: string): Promise<RefundRow> {
  const row = await work.lockOne(REFUNDS, { id: refundId });
  assert(row, 'an attempt of a refund has a refund');
  return row;
}

/** Results that the history shows for attempts without a result. */
const RESULTS_OF_STATES: Readonly<Record<AttemptState, string>> = {
  sending: 'pending',
  waiting: 'pending',
  unconfirmed: 'unconfirmed',
  held: 'held',
  done: 'pending',
};

/** Returns the history of a transaction: its attempts, oldest first. */
export async function historyOf(read: Read, transactionId: string): Promise<HistoryEntry[]> {
  const rows = await read.find(ATTEMPTS, { transaction_id: transactionId }, { orderBy: [['id', 'asc']] });
  return rows.map((row: AttemptRow) => ({
    at: row.concluded_at ?? row.created_at,
    actor: row.actor,
    approvedBy: row.approved_by,
    shiftId: row.shift_id,
    action: row.operation,
    result: row.result ?? RESULTS_OF_STATES[row.state],
    amount: money(row.amount_minor, row.currency as Currency),
    processorRef: row.processor_ref,
    reason: row.reason,
  }));
}

/** Returns the approved authorization of a payment and the approved changes of its amount that were made while it was not captured, oldest first. */
export async function authorizationsOf(read: Pick<Read, 'find'>, transactionId: string): Promise<AttemptRow[]> {
  const attempts = await read.find(ATTEMPTS, { transaction_id: transactionId, result: 'approved' }, { orderBy: [['id', 'asc']] });
  let isCaptured = false;
  return attempts.filter(({ operation }) => {
    if (operation === 'capture' || operation === 'cancel_capture') isCaptured = operation === 'capture';
    return operation === 'auth' || (operation === 'adjust' && !isCaptured);
  });
}

/** Returns the amount that was authorized first, without its tip, if it was changed before the capture; otherwise null. */
export async function originalAmountOf(
  { database }: Pick<Dependencies, 'database'>,
  tenantId: string,
  transactionId: string,
): Promise<Money | null> {
  const authorizations = await authorizationsOf(database.read(tenantId), transactionId);
  const [first, last] = [authorizations[0], authorizations.at(-1)];
  if (first === undefined || last === undefined) return null;
  const original = first.amount_minor - first.tip_minor;
  return original === last.amount_minor - last.tip_minor ? null : money(original, first.currency as Currency);
}

/** Returns the attempts of a refund after the first one, oldest first. */
export async function retriesOf(read: Read, transactionId: string, refundId: string): Promise<AttemptRow[]> {
  const rows = await read.find(ATTEMPTS, { transaction_id: transactionId, refund_id: refundId }, { orderBy: [['id', 'asc']] });
  return rows.slice(1);
}
