import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QueueStats } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, FilterChip } from '#renderer/kit/ui';
import { PERIODS, type Period, statsQuery } from './queries.ts';

const PERIOD_DEFAULT: Period = '30d';

/** Statistics of the queue for a period, from the service. */
export function StatsStrip() {
  const [period, setPeriod] = useState<Period>(PERIOD_DEFAULT);
  const stats = useQuery(statsQuery(period));
  if (stats.error && !stats.data) return <FailureNote failure={stats.error} onRetry={() => void stats.refetch()} />;
  return (
    <Box
      component="section"
      aria-label={t('Queue statistics')}
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 8,
        rowGap: 2,
        px: 4,
        py: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      {stats.data?.totalEntries === 0 && <Box sx={{ color: 'text.secondary' }}>{t('No declined refunds in this period.')}</Box>}
      {stats.data?.totalEntries !== 0 &&
        figuresOf(stats.data).map(([name, value]) => (
          <Box key={name}>
            <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
            <Box className="figures" sx={{ fontSize: 18, fontWeight: 600, lineHeight: '26px' }}>
              {value}
            </Box>
          </Box>
        ))}
      <Box sx={{ marginInlineStart: 'auto' }}>
        <FilterChip
          label={t('Period')}
          options={PERIODS}
          value={period}
          onChange={(value) => setPeriod((value as Period | undefined) ?? PERIOD_DEFAULT)}
        />
      </Box>
    </Box>
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
