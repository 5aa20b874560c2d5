import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { ChartColumn, ChartLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import { announce, KeyHint, NOT_PRINTED, useShortcuts } from '#renderer/kit/ui';
import { PeriodBar, SMALL } from './period-bar.tsx';
import { COMPARISONS, type Comparison, GROUPS, type GroupId, type TimeChartKind, type ViewInAddress } from './use-view.ts';

interface ViewBarProps {
  readonly view: ViewInAddress;
  readonly today: string;
  readonly groups: readonly GroupId[];
  readonly group: GroupId;
  /** True if the chart can be bars or a line. */
  readonly hasTimeChart: boolean;
  /** Actions on the report. */
  readonly children: ReactNode;
}

/** Period and grouping of a report. */
export function ViewBar({ view, today, groups, group, hasTimeChart, children }: ViewBarProps) {
  const { chart, compare, change } = view;
  const choose = (next: GroupId) => {
    change({ group: next });
    announce(GROUPS.find(({ id }) => id === next)?.announcement ?? '');
  };
  useShortcuts(t('Reports'), [
    { keys: 'G', label: t('Next grouping'), run: () => choose(groups[(groups.indexOf(group) + 1) % groups.length] ?? group) },
  ]);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', ...NOT_PRINTED }}>
      <PeriodBar view={view} today={today} />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={group}
          onChange={(_, next: GroupId | null) => next && choose(next)}
          aria-label={t('Group by')}
          aria-keyshortcuts="G"
        >
          {GROUPS.filter(({ id }) => groups.includes(id)).map(({ id, name }) => (
            <ToggleButton key={id} value={id} sx={SMALL}>
              {name}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <KeyHint keys="G" />
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <TextField
          select
          size="small"
          value={compare}
          onChange={({ target }) => change({ compare: target.value as Comparison })}
          slotProps={{ htmlInput: { 'aria-label': t('Compare with') } }}
          sx={{ width: 168, '& .MuiInputBase-root': { height: 32, minHeight: 32, fontSize: 13 } }}
        >
          {COMPARISONS.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </TextField>
        {hasTimeChart && (
          <ToggleButtonGroup
            exclusive
            size="small"
            value={chart}
            onChange={(_, next: TimeChartKind | null) => next && change({ chart: next })}
            aria-label={t('Chart')}
          >
            <ToggleButton value="bars" aria-label={t('Bars')} title={t('Bars')} sx={SMALL}>
              <ChartColumn size={16} aria-hidden />
            </ToggleButton>
            <ToggleButton value="line" aria-label={t('Line')} title={t('Line')} sx={SMALL}>
              <ChartLine size={16} aria-hidden />
            </ToggleButton>
          </ToggleButtonGroup>
        )}
      </Box>
      <Box sx={{ marginInlineStart: 'auto', display: 'flex', gap: 2 }}>{children}</Box>
    </Box>
  );
}
