import { type Currency, money } from '#core/kernel';
import { categoryOf, findReason } from '#shared/dispute-reasons';
import type { Dispute, DisputeMovement, DisputeReport } from './records.ts';
import type { DisputeReportRow } from './report-schema.ts';
import type { DisputeMovementRow, DisputeRow } from './schema.ts';
import { awaitsResponse } from './steps.ts';

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
