import type { DisputeDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { actorText } from '#renderer/kit/ui';

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
  chargeback: ['disputed', t('Charged back')],
  chargeback_reversed: ['won', t('Returned to you')],
  dispute_fee: ['disputed', t('Fee of the processor')],
};
const ORIGINS: Readonly<Record<string, string>> = {
  processor: t('Dispute reported by the processor'),
  sandbox: t('Dispute opened by the sandbox'),
};
const CONCLUSIONS: Readonly<Record<string, string>> = {
  won: t('Dispute won'),
  lost: t('Dispute lost'),
  accepted: t('Dispute accepted'),
};
const REPORTS = { chargeback: t('Chargeback reported by the processor'), reversal: t('Reversal reported by the processor') } as const;

/** Returns the steps of a dispute, oldest first. */
export function disputeSteps(dispute: DisputeDetail): readonly DisputeStep[] {
  const { status, origin, currency } = dispute;
  const opened = ORIGINS[origin] ?? t('Dispute recorded by {{person}}', { person: actorText(dispute.createdBy) });
  const conclusion = CONCLUSIONS[status];
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
        text: [REPORTS[kind], note ?? t('nothing changed')].join(': '),
      })),
    ...(dispute.submittedAt === null ? [] : [{ at: dispute.submittedAt, state: 'submitted', text: t('Evidence submitted') }]),
    ...(dispute.concludedAt === null || conclusion === undefined ? [] : [{ at: dispute.concludedAt, state: status, text: conclusion }]),
  ].toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}
