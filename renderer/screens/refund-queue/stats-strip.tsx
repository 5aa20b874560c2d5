import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QueueStats } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, FigureStrip, FilterChip } from '#renderer/kit/ui';
import { PERIODS, type Period, statsQuery } from './queries.ts';

const PERIOD_DEFAULT: Period = '30d';

/** Statistics of the queue for a period, from the service. */
export function StatsStrip() {
  const [period, setPeriod] = useState<Period>(PERIOD_DEFAULT);
  const stats = useQuery(statsQuery(period));
  if (stats.error && !stats.data) return <FailureNote failure={stats.error} onRetry={() => void stats.refetch()} />;
  const isEmpty = stats.data?.totalEntries === 0;
  return (
    <FigureStrip label={t('Queue statistics')} figures={isEmpty ? [] : figuresOf(stats.data).map(([name, value]) => ({ name, value }))}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, color: 'text.secondary' }}>
        {isEmpty && t('No declined refunds in this period.')}
        <FilterChip
          label={t('Period')}
          options={PERIODS}
          value={period}
          onChange={(value) => setPeriod((value as Period | undefined) ?? PERIOD_DEFAULT)}
        />
      </Box>
    </FigureStrip>
  );
}

function figuresOf(stats: QueueStats | undefined): readonly (readonly [string, string])[] {
  const format = (read: (loaded: QueueStats) => string | number) => (stats ? String(read(stats)) : '–');
  return [
    [t('Refunds'), format(({ totalEntries }) => totalEntries)],
    [t('Retrying'), format(({ pending }) => pending)],
    [t('Needs attention'), format(({ failed }) => failed)],
    [t('Resolved', { context: 'refunds' }), format(({ resolved }) => resolved)],
    [t('Resolution rate'), format(({ resolutionRate }) => `${Math.round(resolutionRate * 100)}%`)],
    [t('Average attempts'), format(({ averageAttempts }) => averageAttempts)],
    [t('Average time to resolve'), format(({ averageResolutionTime }) => durationText(averageResolutionTime))],
  ];
}

/** "7h 49m" of the API as screens write durations: "7 h 49 min". */
const durationText = (text: string): string => text.replace('h ', ' h ').replace(/m$/, ' min');
