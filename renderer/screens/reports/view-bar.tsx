import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Popover from '@mui/material/Popover';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { ChartColumn, ChartLine, ChevronLeft, ChevronRight } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Days, daysText, PERIODS, type Period, shiftedPeriod } from '#renderer/reporting';
import { announce, KeyHint, NOT_PRINTED, useShortcuts } from '#renderer/ui';
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
  const { days, period, chart, compare, change } = view;
  const before = shiftedPeriod(days, -1, today);
  const after = shiftedPeriod(days, 1, today);
  const movePeriod = (next: Days | undefined) => {
    if (next === undefined) return announce('The period already ends today.');
    change({ days: next });
    announce(daysText(next));
  };
  const choose = (next: GroupId) => {
    change({ group: next });
    announce(`Grouped by ${next}`);
  };
  useShortcuts('Reports', [
    { keys: '[', label: 'Earlier period', run: () => movePeriod(before) },
    { keys: ']', label: 'Later period', run: () => movePeriod(after) },
    { keys: 'G', label: 'Next grouping', run: () => choose(groups[(groups.indexOf(group) + 1) % groups.length] ?? group) },
  ]);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', ...NOT_PRINTED }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Tooltip title="Earlier period: [">
          <IconButton aria-label="Earlier period" aria-keyshortcuts="[" onClick={() => movePeriod(before)}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={period ?? null}
          onChange={(_, next: Period | null) => next && change({ period: next })}
          aria-label="Period"
        >
          {PERIODS.map(({ id, name }) => (
            <ToggleButton key={id} value={id} sx={SMALL}>
              {name}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <CustomDates days={days} isChosen={period === undefined} onChange={(next) => change({ days: next })} />
        <Tooltip title="Later period: ]">
          <span>
            <IconButton aria-label="Later period" aria-keyshortcuts="]" onClick={() => movePeriod(after)} disabled={after === undefined}>
              <ChevronRight size={18} aria-hidden />
            </IconButton>
          </span>
        </Tooltip>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={group}
          onChange={(_, next: GroupId | null) => next && choose(next)}
          aria-label="Group by"
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
          slotProps={{ htmlInput: { 'aria-label': 'Compare with' } }}
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
            aria-label="Chart"
          >
            <ToggleButton value="bars" aria-label="Bars" title="Bars" sx={SMALL}>
              <ChartColumn size={16} aria-hidden />
            </ToggleButton>
            <ToggleButton value="line" aria-label="Line" title="Line" sx={SMALL}>
              <ChartLine size={16} aria-hidden />
            </ToggleButton>
          </ToggleButtonGroup>
        )}
      </Box>
      <Box sx={{ ml: 'auto', display: 'flex', gap: 2 }}>{children}</Box>
    </Box>
  );
}

const SMALL = { minHeight: 32, px: 2.5, py: 0, fontSize: 13 } as const;

interface OwnDaysProps {
  readonly days: Days;
  readonly isChosen: boolean;
  readonly onChange: (days: Days) => void;
}

/** Selection of any period. */
function CustomDates({ days, isChosen, onChange }: OwnDaysProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        size="small"
        color={isChosen ? 'primary' : 'inherit'}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ minHeight: 32 }}
      >
        {isChosen ? daysText(days) : 'Dates'}
      </Button>
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Dates', sx: { p: 4, mt: 1, width: 320, border: 1, borderColor: 'divider' } } }}
      >
        <DaysForm
          days={days}
          onDone={(next) => {
            close();
            onChange(next);
          }}
        />
      </Popover>
    </>
  );
}

function DaysForm({ days, onDone }: { days: Days; onDone: (days: Days) => void }) {
  const [startDate, setFrom] = useState(days.startDate);
  const [endDate, setTo] = useState(days.endDate);
  const isBackwards = startDate !== '' && endDate !== '' && endDate < startDate;
  const isWhole = startDate !== '' && endDate !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole && !isBackwards) onDone({ startDate, endDate });
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
      <TextField id="report-from" type="date" label="From" value={startDate} onChange={({ target }) => setFrom(target.value)} />
      <TextField
        id="report-to"
        type="date"
        label="To"
        value={endDate}
        onChange={({ target }) => setTo(target.value)}
        error={isBackwards}
        helperText={isBackwards ? 'Before the start date' : undefined}
      />
      <Button type="submit" sx={{ gridColumn: '1 / -1' }} disabled={!isWhole}>
        Apply dates
      </Button>
    </Box>
  );
}
