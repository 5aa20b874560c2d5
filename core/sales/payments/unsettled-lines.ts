import { type GuardedUpdate, lit, queriesOn, TENANT, type Writer } from '#core/database';
import { type Currency, dateIn, type Money, money } from '#core/kernel';
import { type AggregatedPayment, countFee } from './aggregates/daily-aggregates.ts';
import type { Dependencies } from './dependencies.ts';
import { REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from './schema.ts';

/** A captured payment or a processed refund that belongs to no settlement yet. */
export interface UnsettledLine {
  readonly kind: 'transaction' | 'refund';
  readonly id: string;
  readonly transactionId: string;
  readonly amount: Money;
  readonly isCard: boolean;
  /** Time of the capture or refund. */
  readonly at: string;
  /** Aggregate under which the fee of a payment is counted; refunds have no fee. */
  readonly counted: AggregatedPayment | null;
}

/** Values that a settlement writes to each of its lines. */
export interface SettlementReference {
  readonly tenantId: string;
  readonly settlementId: string;
  readonly settlementDate: string;
  readonly at: string;
  /** Time zone of the merchant, in which the day of a capture is counted. */
  readonly timeZone: string;
}

export const SETTLE_TRANSACTION: GuardedUpdate<TransactionRow> = {
  table: TRANSACTIONS,
  // Guarded by the values read: a capture that was canceled and made again has another amount.
  where: ['tenant_id', 'id', 'captured_minor', 'captured_at'],
  set: ['settled_at', 'settlement_date', 'settlement_id', 'fee_minor'],
  guard: "settled_at IS NULL AND status = 'approved' AND pending_attempt IS NULL AND capture_held_until IS NULL",
};
export const SETTLE_REFUND: GuardedUpdate<RefundRow> = {
  table: REFUNDS,
  where: ['tenant_id', 'id'],
  set: ['settled_at', 'settlement_date', 'settlement_id'],
  guard: "settled_at IS NULL AND status = 'approved'",
};

const queries = queriesOn(TRANSACTIONS, REFUNDS);

/** Selects unsettled captures. Payments that are being changed, or whose capture is held, are left for the next settlement. */
const unsettledCaptures = (merchantId: string) =>
  queries
    .selectFrom('transactions')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('settled_at', 'is', null)
    .where('captured_minor', '>', lit(0))
    .where('status', '=', lit('approved'))
    .where('pending_attempt', 'is', null)
    .where('capture_held_until', 'is', null);

const unsettledRefunds = (merchantId: string) =>
  queries
    .selectFrom('refunds')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('settled_at', 'is', null)
    .where('refunded_at', 'is not', null)
    .where('status', '=', lit('approved'));

/** Returns the oldest unsettled captures or refunds of a merchant, up to a time. */
export async function unsettledLines(
  deps: Dependencies,
  tenantId: string,
  merchantId: string,
  options: { readonly kind: UnsettledLine['kind']; readonly before: string; readonly limit: number },
): Promise<UnsettledLine[]> {
  const read = deps.database.read(tenantId);
  const { before } = options;
  const limit = Math.trunc(options.limit);
  if (options.kind === 'refund') {
    const refunds = unsettledRefunds(merchantId).selectAll().where('refunded_at', '<', before).orderBy('refunded_at').limit(limit);
    return (await read.rows(refunds)).map((row) => ({
      kind: 'refund',
      id: row.id,
      transactionId: row.transaction_id,
      amount: money(row.amount_minor, row.currency as Currency),
      isCard: row.card_brand !== null,
      at: row.refunded_at ?? row.created_at,
      counted: null,
    }));
  }
  const captures = unsettledCaptures(merchantId).selectAll().where('captured_at', '<', before).orderBy('captured_at').limit(limit);
  return (await read.rows(captures)).map((row) => ({
    kind: 'transaction',
    id: row.id,
    transactionId: row.id,
    amount: money(row.captured_minor, row.currency as Currency),
    isCard: row.card_brand !== null,
    at: row.captured_at ?? row.created_at,
    counted: row,
  }));
}

/** Assigns a line to its settlement. LostRace undoes the batch if the line was changed or settled in the meantime. */
export function settleLine(
  deps: Dependencies,
  batch: Writer,
  merchantId: string,
  line: UnsettledLine,
  settlement: SettlementReference,
  fee: Money,
  atMs: number,
): void {
  const { tenantId, settlementId, settlementDate, at } = settlement;
  const set = { tenant_id: tenantId, id: line.id, settled_at: at, settlement_date: settlementDate, settlement_id: settlementId };
  if (line.kind === 'refund') {
    batch.guardedUpdate(SETTLE_REFUND, set);
    return;
  }
  batch.guardedUpdate(SETTLE_TRANSACTION, { ...set, captured_minor: line.amount.minor, captured_at: line.at, fee_minor: fee.minor });
  // The fee belongs to the day of its sale, so that a row of a report is about the same sales.
  if (line.counted) countFee(batch, line.counted, fee.minor, dateIn(settlement.timeZone, Date.parse(line.at)));
  deps.emit(batch, {
    tenantId,
    merchantId,
    type: 'transaction.settled',
    resourceId: line.id,
    atMs,
    data: { transactionId: line.id, amount: line.amount, settlementId, settlementDate },
  });
}

/** Returns the times of the oldest and newest unsettled capture or refund; null if there is none. */
export async function unsettledSpan(
  deps: Dependencies,
  tenantId: string,
  merchantId: string,
): Promise<{ readonly oldest: string; readonly newest: string } | null> {
  const captures = unsettledCaptures(merchantId).select('captured_at as at').limit(1);
  const refunds = unsettledRefunds(merchantId).select('refunded_at as at').limit(1);
  const ends = [
    captures.orderBy('captured_at'),
    captures.orderBy('captured_at', 'desc'),
    refunds.orderBy('refunded_at'),
    refunds.orderBy('refunded_at', 'desc'),
  ].map((query) => queries.selectFrom(query.as('ending')).select('at'));
  const found = await deps.database.read(tenantId).rows(ends.reduce((all, query) => all.unionAll(query)));
  const [oldest, ...later] = found.map(({ at }) => at ?? '').sort();
  return oldest === undefined ? null : { oldest, newest: later.at(-1) ?? oldest };
}
