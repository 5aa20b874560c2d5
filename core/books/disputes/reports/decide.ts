import type { DisputeStage, DisputeStatus } from '../steps.ts';
import { isActive } from '../steps.ts';

/** Part of a report that determines its effect. `at` is null if the processor reports only the present state of the payment. */
export interface Report {
  readonly kind: 'chargeback' | 'reversal';
  readonly at: string | null;
}

/** Part of a dispute that determines the effect of a report. */
export interface KnownDispute {
  readonly id: string;
  readonly status: DisputeStatus;
  readonly stage: DisputeStage;
  readonly concludedAt: string | null;
}

/** A report that was stored before, about the same payment. */
export interface EarlierReport extends Report {
  readonly disputeId: string | null;
}

/** Effect of a report. `recorded` changes nothing; `conflict` leaves the decision to a person. */
export type Decision =
  | { readonly kind: 'repeated' }
  | { readonly kind: 'open'; readonly isReversed: boolean }
  | { readonly kind: 'advance'; readonly disputeId: string; readonly operation: 'chargeBack' | 'prearbitrate' | 'win' }
  | { readonly kind: 'recorded'; readonly disputeId: string }
  | { readonly kind: 'conflict'; readonly disputeId: string | null; readonly reason: string };

const conflict = (disputeId: string | null, reason: string): Decision => ({ kind: 'conflict', disputeId, reason });

/**
 * Decides the effect of a report on a payment. Reports may be repeated, late or out of order, and a person may have recorded the same dispute
 * before. @param disputes Newest first. @param earlier Oldest first.
 */
export function decideReport(report: Report, disputes: readonly KnownDispute[], earlier: readonly EarlierReport[]): Decision {
  // A present state that was reported before is not a new step.
  if (report.at === null && earlier.at(-1)?.kind === report.kind) return { kind: 'repeated' };
  const dispute = disputes.find(({ status }) => isActive(status)) ?? disputes[0];
  if (dispute === undefined) return { kind: 'open', isReversed: report.kind === 'reversal' };
  return report.kind === 'chargeback' ? decideChargeback(report, dispute, earlier) : decideReversal(report, dispute, disputes, earlier);
}

function decideChargeback(report: Report, dispute: KnownDispute, earlier: readonly EarlierReport[]): Decision {
  const { id, status, stage, concludedAt } = dispute;
  const isReported = earlier.some(({ kind, disputeId }) => kind === 'chargeback' && disputeId === id);
  if (isActive(status)) {
    if (stage === 'retrieval') return { kind: 'advance', disputeId: id, operation: 'chargeBack' };
    if (isReported) return conflict(id, 'The processor reported another chargeback while this dispute is active.');
    return { kind: 'recorded', disputeId: id };
  }
  // The chargeback that began a concluded dispute, reported late.
  const isOlder = report.at === null ? earlier.length === 0 : isBefore(report.at, latestOf('reversal', id, earlier) ?? concludedAt);
  if (isOlder) return { kind: 'recorded', disputeId: id };
  if (status !== 'won') return conflict(id, 'The processor reported another chargeback after this dispute was concluded.');
  return { kind: 'advance', disputeId: id, operation: stage === 'retrieval' ? 'chargeBack' : 'prearbitrate' };
}

function decideReversal(
  report: Report,
  dispute: KnownDispute,
  disputes: readonly KnownDispute[],
  earlier: readonly EarlierReport[],
): Decision {
  const { id, status } = dispute;
  if (isActive(status)) {
    const chargedBackAt = latestOf('chargeback', id, earlier);
    const isOfEarlierStage = report.at !== null && chargedBackAt !== null && report.at < chargedBackAt;
    if (!isOfEarlierStage) return { kind: 'advance', disputeId: id, operation: 'win' };
    const won = disputes.find((each) => each.status === 'won');
    return won ? { kind: 'recorded', disputeId: won.id } : { kind: 'recorded', disputeId: id };
  }
  if (status === 'won') return { kind: 'recorded', disputeId: id };
  return conflict(id, 'The processor returned money of a dispute that was recorded as lost or accepted.');
}

/** Returns true if a chargeback precedes a time; at the same second, because a reversal follows its chargeback. */
const isBefore = (at: string, other: string | null) => other !== null && at <= other;

/** Returns the latest time of the stored reports of a kind, regardless of the order in which they arrived; null if none has a time. */
function latestOf(kind: Report['kind'], id: string, earlier: readonly EarlierReport[]): string | null {
  const times = earlier.flatMap((report) => (report.kind === kind && report.disputeId === id && report.at !== null ? [report.at] : []));
  return times.toSorted().at(-1) ?? null;
}
