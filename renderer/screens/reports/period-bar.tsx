import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, useShortcuts } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { type Days, daysText, PERIODS, type Period, shiftedPeriod } from '#renderer/shared/reporting';
import type { ViewInAddress } from './use-view.ts';

/** Size of the toggle buttons above a report. */
export const SMALL = { minHeight: 32, px: 2.5, py: 0, fontSize: 13 } as const;

/** Period of a report. */
export function PeriodBar({ view, today }: { readonly view: ViewInAddress; readonly today: string }) {
  const { days, period, change } = view;
  const before = shiftedPeriod(days, -1, today);
  const after = shiftedPeriod(days, 1, today);
  const movePeriod = (next: Days | undefined) => {
    if (next === undefined) return announce(t('The period already ends today.'));
    change({ days: next });
    announce(daysText(next));
  };
  useShortcuts(t('Reports'), [
    { keys: '[', label: t('Earlier period'), run: () => movePeriod(before) },
    { keys: ']', label: t('Later period'), run: () => movePeriod(after) },
  ]);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
      <Tooltip title={`${t('Earlier period')}: [`}>
        <IconButton aria-label={t('Earlier period')} aria-keyshortcuts="[" onClick={() => movePeriod(before)}>
          <ChevronLeft size={18} aria-hidden />
        </IconButton>
      </Tooltip>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={period ?? null}
        onChange={(_, next: Period | null) => next && change({ period: next })}
        aria-label={t('Period')}
      >
        {PERIODS.map(({ id, name }) => (
          <ToggleButton key={id} value={id} sx={SMALL}>
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <CustomDates days={days} isChosen={period === undefined} onChange={(next) => change({ days: next })} />
      <Tooltip title={`${t('Later period')}: ]`}>
        <span>
          <IconButton aria-label={t('Later period')} aria-keyshortcuts="]" onClick={() => movePeriod(after)} disabled={after === undefined}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        </span>
      </Tooltip>
    </Box>
  );
}

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
        {isChosen ? daysText(days) : t('Dates')}
      </Button>
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('Dates'), sx: { p: 4, mt: 1, width: 336, border: 1, borderColor: 'divider' } },
        }}
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
      <DateField id="report-from" label={t('From')} value={startDate} onChange={setFrom} />
      <DateField
        id="report-to"
        label={t('To')}
        value={endDate}
        onChange={setTo}
        error={isBackwards}
        helperText={isBackwards ? t('Before the start date') : undefined}
      />
      <Button type="submit" sx={{ gridColumn: '1 / -1' }} disabled={!isWhole}>
        {t('Apply dates')}
      </Button>
    </Box>
  );
}
