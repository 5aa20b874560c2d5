import { type Currency, type Money, money } from '#core/kernel';
import type { PayoutRow, PayoutStatus, SettlementRow } from './schema.ts';

/** A settlement in the form of the API. */
export interface Settlement {
  readonly settlementId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** Captures less refunds, plus `disputes`. */
  readonly amount: Money;
  readonly captures: Money;
  readonly refunds: Money;
  /** Reversals less chargebacks and dispute fees; negative if money was withheld. */
  readonly disputes: Money;
  readonly fees: Money;
  /** Amount to pay out. */
  readonly netAmount: Money;
  readonly paidAmount: Money;
  readonly transactionCount: number;
  readonly refundCount: number;
  readonly disputeCount: number;
  readonly settlementDate: string;
  readonly cutoffAt: string;
  readonly status: 'pending' | 'paid';
  readonly origin: 'schedule' | 'manual';
  readonly paidAt: string | null;
  readonly createdAt: string;
}

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

/** A payout to a merchant's bank in the form of the API. */
export interface Payout {
  readonly payoutId: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly currency: Currency;
  readonly status: PayoutStatus;
  /** Text on the line of the bank statement. */
  readonly reference: string;
  readonly settlements: readonly { readonly settlementId: string; readonly amount: Money }[];
  readonly paidAt: string | null;
  readonly createdAt: string;
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
