import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { disputeSummaryQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, FailureNote } from '#renderer/kit/ui';

/** Figures of the disputes, absent while there are none: what is due, the amount at stake and the win rate. */
export function SummaryStrip({ merchantId }: { merchantId: string }) {
  const summary = useQuery(disputeSummaryQuery(merchantId));
  if (summary.error && !summary.data) return <FailureNote failure={summary.error} onRetry={() => void summary.refetch()} />;
  const data = summary.data;
  if (data && data.dueCount + data.wonCount + data.lostCount === 0 && data.amountAtStake === 0) return null;
  const figures: readonly (readonly [string, string])[] = [
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
  ];
  return (
    <Box
      component="section"
      aria-label={t('Dispute figures')}
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 6,
        rowGap: 2,
        px: 4,
        py: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      {figures.map(([name, value]) => (
        <Box key={name}>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
          <Box className="figures" sx={{ fontSize: 18, fontWeight: 600, lineHeight: '26px' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
