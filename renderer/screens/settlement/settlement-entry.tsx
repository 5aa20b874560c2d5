import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { RecordEntry } from '#renderer/kit/record';
import { dayText } from '#renderer/kit/ui';
import { settlementQuery } from './queries.ts';

interface SettlementEntryProps {
  readonly settlementId: string;
  /** Part of the settlement in a payout; its net amount if it is wholly in it. */
  readonly amount?: number;
  readonly search: string;
}

/** A settlement of a payout: its day with a link to it, and its amount. */
export function SettlementEntry({ settlementId, amount, search }: SettlementEntryProps) {
  const { data } = useQuery(settlementQuery(settlementId));
  return (
    <RecordEntry
      to={{ pathname: `/settlement/${settlementId}`, search }}
      name={data ? t('Settlement of {{day}}', { day: dayText(data.settlementDate) }) : settlementId}
      amount={data && (amount ?? data.netAmount)}
      currency={data?.currency ?? ''}
    />
  );
}
