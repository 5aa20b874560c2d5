import { type Currency, type Money, money } from '#core/kernel';
import { categoryOf, type DisputeCategory, type DisputeScheme, findReason } from '#shared/dispute-reasons';
import type { DisputeReportRow, ReportResult } from './reports/schema.ts';
import type { DisputeMovementKind, DisputeMovementRow, DisputeOrigin, DisputeRow } from './schema.ts';
import { awaitsResponse, type DisputeStage, type DisputeStatus } from './steps.ts';

/** A disputed payment in the form of the API. */
export interface Dispute {
  readonly disputeId: string;
  readonly merchantId: string;
  readonly transactionId: string;
  readonly status: DisputeStatus;
  readonly stage: DisputeStage;
  readonly scheme: DisputeScheme;
  readonly reasonCode: string | null;
  /** Name of the reason code, or the reason as it was reported. */
  readonly reason: string;
  readonly reasonDescription: string | null;
  readonly category: DisputeCategory;
  readonly amount: Money;
  readonly currency: Currency;
  /** Part of the amount that is withheld from the merchant at present. */
  readonly withheldAmount: Money;
  /** Part of the amount that the decision returned to the merchant. */
  readonly returnedAmount: Money;
  readonly feesAmount: Money;
  /** Last day to respond in the merchant's time zone, YYYY-MM-DD. */
  readonly dueDate: string;
  /** True if the merchant must respond by the due date. */
  readonly awaitsResponse: boolean;
  readonly origin: DisputeOrigin;
  readonly processorCase: string | null;
  readonly notes: string | null;
  readonly createdBy: string;
  readonly submittedAt: string | null;
  readonly submittedPackId: string | null;
  readonly concludedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Money that a dispute moved; negative amounts were taken from the merchant. */
export interface DisputeMovement {
  readonly movementId: string;
  readonly kind: DisputeMovementKind;
  readonly amount: Money;
  readonly settlementId: string | null;
  readonly at: string;
}

export function toDispute(row: DisputeRow): Dispute {
  const currency = row.currency as Currency;
  const known = row.reason_code === null ? null : findReason(row.scheme, row.reason_code);
  return {
    disputeId: row.id,
    merchantId: row.merchant_id,
    transactionId: row.transaction_id,
    status: row.status,
    stage: row.stage,
    scheme: row.scheme,
    reasonCode: row.reason_code,
    reason: row.reason,
    reasonDescription: known?.description ?? null,
    category: categoryOf(row.scheme, row.reason_code, row.reason),
    amount: money(row.amount_minor, currency),
    currency,
    withheldAmount: money(row.withheld_minor, currency),
    returnedAmount: money(row.returned_minor, currency),
    feesAmount: money(row.fees_minor, currency),
    dueDate: row.due_date,
    awaitsResponse: awaitsResponse(row.status),
    origin: row.origin,
    processorCase: row.processor_case,
    notes: row.notes,
    createdBy: row.created_by,
    submittedAt: row.submitted_at,
    submittedPackId: row.submitted_pack_id,
    concludedAt: row.concluded_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toMovement(row: DisputeMovementRow): DisputeMovement {
  return {
    movementId: row.id,
    kind: row.kind,
    amount: money(row.amount_minor, row.currency as Currency),
    settlementId: row.settlement_id,
    at: row.at,
  };
}

/** A chargeback or reversal that the processor reported about a dispute. */
export interface DisputeReport {
  readonly reportId: string;
  readonly kind: 'chargeback' | 'reversal';
  readonly amount: Money;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  /** Time of the step at the processor; null if it reports none. */
  readonly reportedAt: string | null;
  readonly receivedAt: string;
  readonly result: ReportResult;
  readonly note: string | null;
}

export function toReport(row: DisputeReportRow): DisputeReport {
  return {
    reportId: row.id,
    kind: row.kind,
    amount: money(row.amount_minor, row.currency as Currency),
    reasonCode: row.reason_code,
    reason: row.reason,
    reportedAt: row.reported_at,
    receivedAt: row.received_at,
    result: row.result,
    note: row.note,
  };
}
