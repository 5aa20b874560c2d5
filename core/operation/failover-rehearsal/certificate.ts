import type { AcknowledgedSale } from './sales-stream.ts';

/** A payment of the rehearsal as the database has it afterwards. */
export interface RecordedSale {
  readonly id: string;
  readonly mark: string;
  readonly status: string;
  /** The processor's reference; null if the payment did not reach it. */
  readonly gatewayReference: string | null;
}

/** Result of the comparison of the acknowledged sales with the records and with the processor. */
export interface Comparison {
  /** Acknowledged sales that are missing or not approved. */
  readonly lost: number;
  /** Sales that were made more than once: further approved payments, and charges at the processor without an approved payment. */
  readonly doubled: number;
  /** Payments whose outcome is still unknown. */
  readonly unconfirmed: number;
}

/** Compares the acknowledged sales with the payments of the database and the charges of the processor. */
export function compareSales(
  acknowledged: readonly AcknowledgedSale[],
  recorded: readonly RecordedSale[],
  charges: readonly string[],
): Comparison {
  const isApproved = ({ status }: RecordedSale) => status === 'approved';
  const approved = recorded.filter(isApproved);
  const approvedIds = new Set(approved.map(({ id }) => id));
  const approvedMarks = new Set(approved.map(({ mark }) => mark));
  const unconfirmed = recorded.filter(({ status }) => status === 'pending');
  const known = new Set(approved.map(({ gatewayReference }) => gatewayReference));
  const distinct = new Set(charges);
  // A charge of an unconfirmed payment has no record with its reference yet.
  const strangers = Math.max(0, [...distinct].filter((reference) => !known.has(reference)).length - unconfirmed.length);
  return {
    lost: acknowledged.filter(({ transactionId }) => !approvedIds.has(transactionId)).length,
    doubled: approved.length - approvedMarks.size + (charges.length - distinct.size) + strangers,
    unconfirmed: unconfirmed.length,
  };
}

/** Returns the longest time without an acknowledged sale within a period, in whole milliseconds. */
export function longestGapMs(acknowledged: readonly Pick<AcknowledgedSale, 'atMs'>[], fromMs: number, toMs: number): number {
  const times = acknowledged.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs && atMs <= toMs);
  const points = [fromMs, ...times.toSorted((one, other) => one - other), toMs];
  return Math.round(Math.max(...points.slice(1).map((at, index) => at - (points[index] ?? at))));
}
