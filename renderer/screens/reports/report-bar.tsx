import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { ChartColumn, ChartLine } from 'lucide-react';
import { t } from '#renderer/base/language';
import { ChoiceMenu } from '#renderer/kit/list-settings';
import { announce, NOT_PRINTED, useShortcuts } from '#renderer/kit/ui';
import { ExportMenu, type ExportMenuProps } from './export-menu.tsx';
import { PeriodField } from './period-field.tsx';
import { COMPARISONS, GROUPS, type GroupId, type TimeChartKind, type ViewInAddress } from './use-view.ts';

interface ReportBarProps extends ExportMenuProps {
  readonly view: ViewInAddress;
  readonly today: string;
  /** Controls of a report with a chart. */
  readonly chart?: ChartControlsProps;
}

/** The controls of a report in one row. */
export function ReportBar({ view, today, chart, ...exported }: ReportBarProps) {
  return (
    <Box role="toolbar" aria-label={t('Report')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', ...NOT_PRINTED }}>
      <PeriodField view={view} today={today} />
      {chart && <ChartControls {...chart} view={view} />}
      <Box sx={{ marginInlineStart: 'auto' }}>
        <ExportMenu {...exported} />
      </Box>
    </Box>
  );
}

interface ChartControlsProps {
  readonly groups: readonly GroupId[];
  readonly group: GroupId;
  /** True if the chart can be bars or a line. */
  readonly isOverTime: boolean;
  /** False for a report without a compared period. */
  readonly canCompare?: boolean;
}

function ChartControls({
  groups,
  group,
  isOverTime,
  canCompare = true,
  view: { chart, compare, change },
}: ChartControlsProps & { view: ViewInAddress }) {
  const options = GROUPS.filter(({ id }) => groups.includes(id));
  const choose = (next: GroupId) => {
    change({ group: next });
    announce(GROUPS.find(({ id }) => id === next)?.announcement ?? '');
  };
  useShortcuts(t('Reports'), [
    { keys: 'G', label: t('Next grouping'), run: () => choose(groups[(groups.indexOf(group) + 1) % groups.length] ?? group) },
  ]);
  return (
    <>
      <ChoiceMenu
        label={t('Group by')}
        isLabelShown
        keys="G"
        options={options.map(({ id, name }) => [id, name] as const)}
        value={group}
        onChange={choose}
      />
      {canCompare && (
        <ChoiceMenu
          label={t('Compare with')}
          options={COMPARISONS.map(({ id, name }) => [id, name] as const)}
          value={compare}
          onChange={(next) => change({ compare: next })}
        />
      )}
      {isOverTime && (
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
    </>
  );
}

const SMALL = { minHeight: 30, px: 2, py: 0 } as const;
