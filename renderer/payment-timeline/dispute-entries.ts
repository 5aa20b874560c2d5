import type { DisputeDetail } from '#renderer/client';
import { writeMoney } from '#renderer/money';

/** A step of a dispute. */
export interface DisputeStep {
  readonly at: string;
  /** Status, which selects icon and color. */
  readonly state: string;
  readonly text: string;
  /** Change of the merchant's money; absent if none moved. */
  readonly amount?: number;
}

const MOVEMENTS: Readonly<Record<string, readonly [state: string, text: string]>> = {
  chargeback: ['disputed', 'Charged back'],
  chargeback_reversed: ['won', 'Returned to you'],
  dispute_fee: ['disputed', 'Fee of the processor'],
};
const ORIGINS: Readonly<Record<string, string>> = { processor: 'reported by the processor', sandbox: 'opened by the sandbox' };
const REPORTS = { chargeback: 'Chargeback reported by the processor', reversal: 'Reversal reported by the processor' } as const;

/** Returns the steps of a dispute, oldest first. */
export function disputeSteps(dispute: DisputeDetail): readonly DisputeStep[] {
  const { status, origin, currency } = dispute;
  const opened = `Dispute ${ORIGINS[origin] ?? `recorded by ${dispute.createdBy}`}`;
  const conclusion = { won: 'won', lost: 'lost', accepted: 'accepted' }[status as 'won' | 'lost' | 'accepted'];
  return [
    { at: dispute.createdAt, state: 'disputed', text: opened },
    ...dispute.movements.map(({ at, kind, amount }) => {
      const [state, text] = MOVEMENTS[kind] ?? ['disputed', kind];
      return { at, state, text: `${text}: ${writeMoney(Math.abs(amount), currency)}`, amount };
    }),
    // The report that opened or changed the dispute is its step already.
    ...dispute.reports
      .filter(({ result }) => result === 'recorded' || result === 'conflict')
      .map(({ receivedAt, kind, note }) => ({
        at: receivedAt,
        state: 'made',
        text: [REPORTS[kind], note ?? 'nothing changed'].join(': '),
      })),
    ...(dispute.submittedAt === null ? [] : [{ at: dispute.submittedAt, state: 'submitted', text: 'Evidence submitted' }]),
    ...(dispute.concludedAt === null || conclusion === undefined
      ? []
      : [{ at: dispute.concludedAt, state: conclusion, text: `Dispute ${conclusion}` }]),
  ].toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}
