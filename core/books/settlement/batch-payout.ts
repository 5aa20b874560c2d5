import { type Currency, type Money, money } from '#core/kernel';
import type { PayoutRow, PayoutStatus } from './schema.ts';

/** A batch payout. */
export interface BatchPayout {
  readonly batchId: string;
  readonly merchantId: string;
  readonly transactionCount: number;
  readonly totalAmount: Money;
  readonly fees: Money;
  readonly netAmount: Money;
  readonly currency: Currency;
  readonly status: PayoutStatus;
  readonly startDate: string;
  readonly endDate: string;
  readonly reference: string;
  readonly settlementIds: readonly string[];
  readonly note: string | null;
  readonly paidAt: string | null;
  readonly createdAt: string;
}

export function toBatch(row: PayoutRow, settlementIds: readonly string[]): BatchPayout {
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
