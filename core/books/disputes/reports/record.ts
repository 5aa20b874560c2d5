import { createHash } from 'node:crypto';
import { UniqueViolation, type Work } from '#core/database';
import { formatDecimal, isoTime, ServiceError, serviceActor } from '#core/kernel';
import type { ReportedDispute } from '#core/processing/gateways';
import type { DisputedPayment } from '#core/sales/payments';
import { findReason, schemeOf } from '#shared/dispute-reasons';
import { applyOperation } from '../apply.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkDisputable, insertDispute, type NewDispute } from '../open.ts';
import { DISPUTE_REPORTS, type DisputeReportRow } from '../report-schema.ts';
import { DISPUTES, type DisputeRow } from '../schema.ts';
import { type Decision, decideReport } from './decide.ts';

/** A report with the gateway that it came from. */
export interface ReceivedReport {
  readonly tenantId: string;
  readonly gatewayId: string;
  /** Name of the connector. */
  readonly processor: string;
  readonly report: ReportedDispute;
}

/** Reason of a dispute for which the processor reports none. */
const NO_REASON = 'The processor reported no reason';
const REASON_MAX = 200;

/**
 * Records a report and applies it to the dispute of its payment, in one unit of work. A repeated report changes nothing. A report about an unknown payment
 * is kept as a difference for reconciliation. Returns false if the report was recorded before.
 */
export async function recordReport(deps: Dependencies, received: ReceivedReport): Promise<boolean> {
  const { tenantId, gatewayId, report } = received;
  const transactionId = await deps.payments.disputed.find(tenantId, { gatewayId, ...report });
  try {
    return await deps.database.unitOfWork.transaction(tenantId, async (work) => {
      const payment = transactionId === null ? null : await deps.payments.disputed.lock(work, transactionId);
      const earlier = await work.find(
        DISPUTE_REPORTS,
        { reference: report.reference, processor: received.processor },
        {
          orderBy: [
            ['received_at', 'asc'],
            ['id', 'asc'],
          ],
        },
      );
      const id = idOf(received, earlier);
      if (earlier.some((row) => row.id === id)) return false;
      const row = await applyReport(deps, work, received, payment, earlier);
      if (row === null) return false;
      work.insert(DISPUTE_REPORTS, { ...row, id });
      if (row.result === 'unmatched' || row.result === 'conflict')
        work.afterCommit(() => deps.report('A chargeback of a processor requires a person', { gatewayId, transactionId, note: row.note }));
      return true;
    });
  } catch (error) {
    // Another server recorded the same report.
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}

/** Returns the ID of a report. Present states have no time, so their number distinguishes them. */
function idOf({ processor, report }: ReceivedReport, earlier: readonly DisputeReportRow[]): string {
  const { reference, kind, at, processorCase, amount } = report;
  const step = at === undefined ? `#${earlier.length}` : [at, processorCase ?? '', amount.minor].join('/');
  const hash = createHash('sha256').update([processor, reference, kind, step].join('/')).digest('base64url');
  return `drp_${hash.slice(0, 26)}`;
}

/** Applies a report and returns its row; null for a present state that was reported before. */
async function applyReport(
  deps: Dependencies,
  work: Work,
  received: ReceivedReport,
  payment: DisputedPayment | null,
  earlier: readonly DisputeReportRow[],
): Promise<Omit<DisputeReportRow, 'id'> | null> {
  const { tenantId, report } = received;
  if (payment === null) {
    const isRepeated = report.at === undefined && earlier.at(-1)?.kind === report.kind;
    return isRepeated ? null : rowOf(deps, received, null, { result: 'unmatched', note: 'Paydesk does not know this payment.' });
  }
  const disputes = await work.find(DISPUTES, { transaction_id: payment.transactionId }, { orderBy: [['id', 'desc']] });
  const decision = decideReport({ kind: report.kind, at: report.at ?? null }, disputes.map(knownDispute), earlier.map(earlierReport));
  try {
    switch (decision.kind) {
      case 'repeated':
        return null;
      case 'open': {
        const opened = await openReported(deps, work, tenantId, payment, report, decision.isReversed);
        return rowOf(deps, received, payment, { result: 'opened', dispute_id: opened.id });
      }
      case 'advance': {
        const row = disputes.find(({ id }) => id === decision.disputeId) as DisputeRow;
        await advance(deps, work, tenantId, payment, row, report, decision.operation);
        return rowOf(deps, received, payment, { result: 'advanced', dispute_id: row.id });
      }
      case 'recorded':
        await adoptCase(work, disputes, decision.disputeId, report);
        return rowOf(deps, received, payment, { result: 'recorded', dispute_id: decision.disputeId });
      case 'conflict':
        return rowOf(deps, received, payment, { result: 'conflict', dispute_id: decision.disputeId, note: decision.reason });
    }
  } catch (error) {
    // The checks precede the first change, so that a refusal leaves no trace in this unit of work.
    if (!(error instanceof ServiceError)) throw error;
    const dispute_id = 'disputeId' in decision ? decision.disputeId : null;
    return rowOf(deps, received, payment, { result: 'conflict', dispute_id, note: error.message });
  }
}

async function openReported(
  deps: Dependencies,
  work: Work,
  tenantId: string,
  payment: DisputedPayment,
  report: ReportedDispute,
  isReversed: boolean,
): Promise<DisputeRow> {
  const actor = serviceActor(tenantId);
  const known = report.reasonCode === undefined ? null : findReason(schemeOf(payment.cardBrand), report.reasonCode);
  const words = [known === null ? report.reasonCode : undefined, report.reason].filter((text) => text !== undefined).join(' ');
  const input: NewDispute = {
    transactionId: payment.transactionId,
    amount: formatDecimal(report.amount),
    processorCase: report.processorCase,
    ...(known === null ? { reason: words.slice(0, REASON_MAX) || NO_REASON } : { reasonCode: known.code }),
  };
  const row = await insertDispute(deps, work, actor, payment, input, 'processor');
  if (!isReversed) return row;
  const { now } = await deps.payments.disputed.lock(work, payment.transactionId);
  return applyOperation(deps, work, actor, { row, payment: { ...payment, now } }, 'win');
}

async function advance(
  deps: Dependencies,
  work: Work,
  tenantId: string,
  payment: DisputedPayment,
  row: DisputeRow,
  { amount, processorCase }: ReportedDispute,
  operation: Extract<Decision, { kind: 'advance' }>['operation'],
): Promise<DisputeRow> {
  const returnedMinor = operation === 'win' && amount.minor < row.withheld_minor ? amount.minor : undefined;
  const changed = { ...row, processor_case: row.processor_case ?? processorCase ?? null };
  await checkDisputable(work, { row: changed, payment }, operation);
  return applyOperation(deps, work, serviceActor(tenantId), { row: changed, payment }, operation, { returnedMinor });
}

/** Stores the case of the processor in a dispute that a person recorded without it. */
async function adoptCase(work: Work, disputes: readonly DisputeRow[], id: string, { processorCase }: ReportedDispute): Promise<void> {
  const dispute = disputes.find((each) => each.id === id);
  if (processorCase !== undefined && dispute?.processor_case === null)
    await work.update(DISPUTES, { id }, { processor_case: processorCase });
}

function rowOf(
  deps: Dependencies,
  { tenantId, gatewayId, processor, report }: ReceivedReport,
  payment: DisputedPayment | null,
  effect: Pick<DisputeReportRow, 'result'> & Partial<Pick<DisputeReportRow, 'dispute_id' | 'note'>>,
): Omit<DisputeReportRow, 'id'> {
  return {
    tenant_id: tenantId,
    gateway_id: gatewayId,
    processor,
    reference: report.reference,
    kind: report.kind,
    amount_minor: report.amount.minor,
    currency: report.amount.currency,
    reason_code: report.reasonCode ?? null,
    reason: report.reason?.slice(0, REASON_MAX) ?? null,
    processor_case: report.processorCase ?? null,
    reported_at: report.at ?? null,
    merchant_id: payment?.merchantId ?? null,
    transaction_id: payment?.transactionId ?? null,
    dispute_id: null,
    note: null,
    received_at: isoTime(payment?.now ?? deps.clockOf(tenantId).now()),
    ...effect,
  };
}

const knownDispute = ({ id, status, stage, concluded_at }: DisputeRow) => ({ id, status, stage, concludedAt: concluded_at });
const earlierReport = ({ kind, reported_at, dispute_id }: DisputeReportRow) => ({ kind, at: reported_at, disputeId: dispute_id });
