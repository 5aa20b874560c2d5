import { type Currency, money, subtract } from '#core/kernel';
import type { Discrepancy, ReconciliationDay, ReconciliationRun } from './records.ts';
import type { ItemRow, RunRow } from './schema.ts';

export function stateOf(row: Pick<RunRow, 'is_settled' | 'discrepancy_count' | 'open_count'>): ReconciliationDay['state'] {
  if (Number(row.open_count) > 0) return 'open';
  if (Number(row.discrepancy_count) > 0) return 'explained';
  return Number(row.is_settled) === 1 ? 'balanced' : 'unsettled';
}

export function toRun(row: RunRow, merchantId: string | null): ReconciliationRun {
  const currency = row.currency as Currency;
  const totals = JSON.parse(row.totals) as { currency: Currency; transactions: number; settlements: number }[];
  return {
    runId: row.id === '' ? null : row.id,
    date: row.date,
    merchantId,
    state: stateOf(row),
    source: row.source,
    importId: row.import_id,
    currency,
    transactionsTotal: money(row.transactions_minor, currency),
    settlementsTotal: money(row.settlements_minor, currency),
    totals: totals.map((total) => {
      const [transactionsTotal, settlementsTotal] = [money(total.transactions, total.currency), money(total.settlements, total.currency)];
      return { currency: total.currency, transactionsTotal, settlementsTotal, difference: subtract(transactionsTotal, settlementsTotal) };
    }),
    matched: row.discrepancy_count === 0,
    matchedCount: row.matched_count,
    discrepancyCount: row.discrepancy_count,
    openCount: row.open_count,
    createdAt: row.id === '' ? null : row.created_at,
  };
}

export function toItem(row: ItemRow): Discrepancy {
  const currency = row.currency as Currency;
  const amountOf = (minor: number | null) => (minor === null ? null : money(minor, currency));
  return {
    id: row.id,
    type: row.type,
    kind: row.kind,
    merchantId: row.merchant_id,
    transactionId: row.transaction_id,
    refundId: row.refund_id,
    settlementReference: row.settlement_reference,
    currency,
    transactionAmount: amountOf(row.transaction_minor),
    settledAmount: amountOf(row.settled_minor),
    difference: money(row.difference_minor, currency),
    status: row.status,
    note: row.note,
    resolvedBy: row.resolved_by,
    resolvedAt: row.resolved_at,
  };
}
