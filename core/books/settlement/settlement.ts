import { type Currency, money } from '#core/kernel';
import type { Payout, PayoutBatch, Settlement } from './records.ts';
import type { PayoutRow, SettlementRow } from './schema.ts';

/** Returns the amount of a settlement before fees: captures less refunds, plus the effect of disputes, in minor units. */
export function amountOf(row: Pick<SettlementRow, 'captures_minor' | 'refunds_minor' | 'disputes_minor'>): number {
  return row.captures_minor - row.refunds_minor + row.disputes_minor;
}

/** Returns the net amount of a settlement: its amount less fees, in minor units. */
export function netOf(row: SettlementRow): number {
  return amountOf(row) - row.fees_minor;
}

export function toSettlement(row: SettlementRow): Settlement {
  const currency = row.currency as Currency;
  const inCurrency = (minor: number) => money(minor, currency);
  return {
    settlementId: row.id,
    merchantId: row.merchant_id,
    currency,
    amount: inCurrency(amountOf(row)),
    captures: inCurrency(row.captures_minor),
    refunds: inCurrency(row.refunds_minor),
    disputes: inCurrency(row.disputes_minor),
    fees: inCurrency(row.fees_minor),
    netAmount: inCurrency(netOf(row)),
    paidAmount: inCurrency(row.paid_minor),
    transactionCount: row.transaction_count,
    refundCount: row.refund_count,
    disputeCount: row.dispute_count,
    settlementDate: row.settlement_date,
    cutoffAt: row.cutoff_at,
    status: row.status === 'paid' ? 'paid' : 'pending',
    origin: row.origin,
    paidAt: row.paid_at,
    createdAt: row.created_at,
  };
}

export function toPayout(row: PayoutRow, lines: readonly { settlement_id: string; amount_minor: number }[]): Payout {
  const currency = row.currency as Currency;
  return {
    payoutId: row.id,
    merchantId: row.merchant_id,
    amount: money(row.amount_minor, currency),
    currency,
    status: row.status,
    reference: row.reference,
    settlements: lines.map((line) => ({ settlementId: line.settlement_id, amount: money(line.amount_minor, currency) })),
    paidAt: row.paid_at,
    createdAt: row.created_at,
  };
}

export function toBatch(row: PayoutRow, settlementIds: readonly string[]): PayoutBatch {
  const currency = row.currency as Currency;
  return {
    batchId: row.id,
    merchantId: row.merchant_id,
    transactionCount: row.transaction_count,
    totalAmount: money(row.gross_minor, currency),
    fees: money(row.fees_minor, currency),
    netAmount: money(row.amount_minor, currency),
    currency,
    status: row.status,
    startDate: row.start_date ?? '',
    endDate: row.end_date ?? '',
    reference: row.reference,
    settlementIds,
    note: row.note,
    paidAt: row.paid_at,
    createdAt: row.created_at,
  };
}
