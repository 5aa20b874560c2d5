import { useQuery } from '@tanstack/react-query';
import { disputeSummaryQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, FailureNote, FigureStrip } from '#renderer/kit/ui';

/** Figures of the disputes, absent while there are none: what is due, the amount at stake and the win rate. */
export function SummaryStrip({ merchantId }: { merchantId: string }) {
  const summary = useQuery(disputeSummaryQuery(merchantId));
  if (summary.error && !summary.data) return <FailureNote failure={summary.error} onRetry={() => void summary.refetch()} />;
  const data = summary.data;
  if (data && data.dueCount + data.wonCount + data.lostCount === 0 && data.amountAtStake === 0) return null;
  const figures = [
    [t('Response due'), data ? String(data.dueCount) : '–'],
    [t('Due within 7 days'), data ? String(data.dueSoonCount) : '–'],
    [t('Next due date'), data?.nextDueDate ? dayText(data.nextDueDate) : '–'],
    [
      data ? t('At stake, {{count, number}} disputes', { count: data.activeCount }) : t('At stake'),
      data ? writeMoney(data.amountAtStake, data.currency) : '–',
    ],
    [t('Won', { context: 'disputes' }), data ? String(data.wonCount) : '–'],
    [t('Lost or accepted'), data ? String(data.lostCount) : '–'],
    [t('Win rate'), data?.winRate == null ? '–' : `${Math.round(data.winRate * 100)}%`],
  ] as const;
  return <FigureStrip label={t('Dispute figures')} figures={figures.map(([name, value]) => ({ name, value }))} />;
}
