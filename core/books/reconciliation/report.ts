import { type Currency, type Money, money } from '#core/kernel';
import type { DiscrepancyType, ItemRow, LineKind, RunRow, Source } from './schema.ts';

/**
 * State of a date. `unsettled`: nothing is settled yet; `open`: discrepancies need attention; `explained`: all discrepancies are resolved.
 */
export type DayState = 'balanced' | 'explained' | 'open' | 'unsettled';

/** A comparison of a date in the form of the API. */
export interface Run {
  /** Null if there was nothing to compare, so that no run is stored. */
  readonly runId: string | null;
  readonly date: string;
  readonly merchantId: string | null;
  readonly state: DayState;
  readonly source: Source;
  readonly importId: string | null;
  readonly transactionsTotal: Money;
  readonly settlementsTotal: Money;
  readonly totals: readonly { readonly transactions: Money; readonly settlements: Money }[];
  /** True if both sides are equal, line for line. */
  readonly matched: boolean;
  readonly matchedCount: number;
  readonly discrepancyCount: number;
  readonly openCount: number;
  readonly createdAt: string | null;
}

/** A line of a run: one that matched, or a discrepancy. */
export interface Item {
  /** Null for a matched line. */
  readonly id: string | null;
  readonly type: DiscrepancyType | 'matched';
  readonly kind: LineKind;
  readonly merchantId: string | null;
  readonly transactionId: string | null;
  readonly refundId: string | null;
  readonly settlementReference: string | null;
  /** Refunds are negative. */
  readonly transactionAmount: Money | null;
  readonly settledAmount: Money | null;
  readonly difference: Money;
  readonly status: 'matched' | 'open' | 'resolved';
  readonly note: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: string | null;
}

export function stateOf(row: Pick<RunRow, 'is_settled' | 'discrepancy_count' | 'open_count'>): DayState {
  if (Number(row.open_count) > 0) return 'open';
  if (Number(row.discrepancy_count) > 0) return 'explained';
  return Number(row.is_settled) === 1 ? 'balanced' : 'unsettled';
}

export function toRun(row: RunRow, merchantId: string | null): Run {
  const currency = row.currency as Currency;
  const totals = JSON.parse(row.totals) as { currency: Currency; transactions: number; settlements: number }[];
  return {
    runId: row.id === '' ? null : row.id,
    date: row.date,
    merchantId,
    state: stateOf(row),
    source: row.source,
    importId: row.import_id,
    transactionsTotal: money(row.transactions_minor, currency),
    settlementsTotal: money(row.settlements_minor, currency),
    totals: totals.map((total) => ({
      transactions: money(total.transactions, total.currency),
      settlements: money(total.settlements, total.currency),
    })),
    matched: row.discrepancy_count === 0,
    matchedCount: row.matched_count,
    discrepancyCount: row.discrepancy_count,
    openCount: row.open_count,
    createdAt: row.id === '' ? null : row.created_at,
  };
}

export function toItem(row: ItemRow): Item {
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
    transactionAmount: amountOf(row.transaction_minor),
    settledAmount: amountOf(row.settled_minor),
    difference: money(row.difference_minor, currency),
    status: row.status,
    note: row.note,
    resolvedBy: row.resolved_by,
    resolvedAt: row.resolved_at,
  };
}
