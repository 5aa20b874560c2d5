import { type Currency, money } from '#core/kernel';
import type { CardMovement } from '#core/sales/payments';
import type { ReportLine, Shift, ShiftMovement, ShiftReport } from './records.ts';
import type { ShiftMovementRow, ShiftRow } from './schema.ts';

export function toShift(row: ShiftRow, seesExpected: boolean): Shift {
  const currency = row.currency as Currency;
  const amountOf = (minor: number | null) => (minor === null ? null : money(minor, currency));
  return {
    shiftId: row.id,
    merchantId: row.merchant_id,
    drawer: row.drawer,
    status: row.status,
    currency,
    floatAmount: money(row.float_minor, currency),
    expectedAmount: row.status === 'closed' || seesExpected ? money(row.expected_minor, currency) : null,
    countedAmount: amountOf(row.counted_minor),
    varianceAmount: amountOf(row.variance_minor),
    note: row.note,
    noteBy: row.note_by,
    zNumber: row.z_number,
    openedBy: row.opened_by,
    openedAt: row.created_at,
    closedBy: row.closed_by,
    closedAt: row.closed_at,
  };
}

export function toMovement(row: ShiftMovementRow): ShiftMovement {
  return {
    movementId: row.id,
    kind: row.kind,
    amount: money(row.amount_minor, row.currency as Currency),
    reason: row.reason,
    actor: row.actor,
    at: row.at,
    transactionId: null,
    brand: null,
    last4: null,
  };
}

export function toCardMovement({ attemptId, transactionId, kind, amount, actor, at, brand, last4 }: CardMovement): ShiftMovement {
  return { movementId: attemptId, kind, amount, reason: null, actor, at, transactionId, brand, last4 };
}

/** Sums of a stored Z report, in minor units. */
export interface ReportSums {
  /** Card and bank payments. */
  readonly cardsMinor: number;
  /** Sales less refunds of tenders, cards and bank accounts, without sold gift cards. */
  readonly netMinor: number;
}

type LaterLine =
  | 'salesCount'
  | 'paymentsCount'
  | 'cashRounding'
  | 'giftCardSales'
  | 'giftCardRefunds'
  | 'giftCardsSold'
  | 'giftCardsTakenBack';
/** Reports from before cash could be rounded, gift cards could pay, and sales were counted, do not have these figures. */
type StoredReport = Partial<Pick<ShiftReport, LaterLine>> & Omit<ShiftReport, LaterLine>;

/** Returns the sums of a Z report as it was stored at the close. */
export function reportSums(report: string): ReportSums {
  const stored = JSON.parse(report) as StoredReport;
  const sumOf = (lines: readonly (ReportLine | null)[]) => lines.reduce((sum, line) => sum + (line?.amount.minor ?? 0), 0);
  const sales = sumOf([
    stored.cashSales,
    stored.checkSales,
    stored.otherSales,
    stored.giftCardSales ?? null,
    stored.giftCardsTakenBack ?? null,
  ]);
  const refunds = sumOf([
    stored.cashRefunds,
    stored.checkRefunds,
    stored.otherRefunds,
    stored.giftCardRefunds ?? null,
    stored.giftCardsSold ?? null,
  ]);
  const cardsMinor = stored.cards.total.minor;
  return { cardsMinor, netMinor: sales - refunds + cardsMinor };
}

/** Returns the Z report as it was written at the close; null while the shift is open. */
export function storedReport({ report, currency }: ShiftRow): ShiftReport | null {
  if (report === null) return null;
  const none = { count: 0, amount: money(0, currency as Currency) };
  const later = { giftCardSales: none, giftCardRefunds: none, giftCardsSold: none, giftCardsTakenBack: none };
  return { salesCount: null, paymentsCount: null, cashRounding: none.amount, ...later, ...(JSON.parse(report) as StoredReport) };
}
