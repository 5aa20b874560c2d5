import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { type FormEvent, useState } from 'react';
import { t } from '#renderer/base/language';
import { ChipShell, dayText } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { PERIOD_NAMES, PERIODS, type Period } from './period.ts';

interface PeriodValue {
  readonly period?: Period;
  readonly startDate?: string;
  readonly endDate?: string;
}

/** Filter by period: a preset or two dates. */
export function PeriodChip({ value, onChange }: { value: PeriodValue; onChange: (value: PeriodValue) => void }) {
  return (
    <ChipShell label={t('Period')} chosenName={periodText(value)} onClear={() => onChange({})} kind="dialog">
      {(anchor, close) => (
        <Popover
          anchorEl={anchor}
          open={anchor !== null}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': t('Period'), sx: PAPER } }}
        >
          <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
            {PERIODS.map((period) => (
              <Button
                key={period}
                variant={value.period === period ? 'contained' : 'outlined'}
                color={value.period === period ? 'primary' : 'inherit'}
                size="small"
                onClick={() => {
                  close();
                  onChange({ period });
                }}
              >
                {PERIOD_NAMES[period]}
              </Button>
            ))}
          </Box>
          <DaysForm
            value={value}
            onDone={(days) => {
              close();
              onChange(days);
            }}
          />
        </Popover>
      )}
    </ChipShell>
  );
}

interface DaysChipProps {
  /** "Captured", "Refunded". */
  readonly label: string;
  readonly value: PeriodValue;
  readonly onChange: (value: PeriodValue) => void;
}

/** Filter by the date of an event, as two dates. */
export function DaysChip({ label, value, onChange }: DaysChipProps) {
  return (
    <ChipShell label={label} chosenName={periodText(value)} onClear={() => onChange({})} kind="dialog">
      {(anchor, close) => (
        <Popover
          anchorEl={anchor}
          open={anchor !== null}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': label, sx: PAPER } }}
        >
          <DaysForm
            value={value}
            onDone={(days) => {
              close();
              onChange(days);
            }}
          />
        </Popover>
      )}
    </ChipShell>
  );
}

/** Filter by settlement date. */
export function SettlementChip({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  return (
    <ChipShell label={t('Settled on')} chosenName={value && dayText(value)} onClear={() => onChange(undefined)} kind="dialog">
      {(anchor, close) => (
        <Popover
          anchorEl={anchor}
          open={anchor !== null}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': t('Settled on'), sx: PAPER } }}
        >
          <DayForm
            value={value ?? ''}
            onDone={(day) => {
              close();
              onChange(day || undefined);
            }}
          />
        </Popover>
      )}
    </ChipShell>
  );
}

const PAPER = { p: 4, mt: 1, width: 336, border: 1, borderColor: 'divider', display: 'grid', gap: 4 } as const;

function DaysForm({ value, onDone }: { value: PeriodValue; onDone: (days: PeriodValue) => void }) {
  const [from, setFrom] = useState(value.startDate ?? '');
  const [to, setTo] = useState(value.endDate ?? '');
  const isBackwards = from !== '' && to !== '' && to < from;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBackwards) onDone({ ...(from && { startDate: from }), ...(to && { endDate: to }) });
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
      <DateField id="filter-from" label={t('From')} value={from} onChange={setFrom} />
      <DateField
        id="filter-to"
        label={t('To')}
        value={to}
        onChange={setTo}
        error={isBackwards}
        helperText={isBackwards ? t('The end date is before the start date') : undefined}
      />
      <Button type="submit" sx={{ gridColumn: '1 / -1' }} disabled={from === '' && to === ''}>
        {t('Show these days')}
      </Button>
    </Box>
  );
}

function DayForm({ value, onDone }: { value: string; onDone: (day: string) => void }) {
  const [day, setDay] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDone(day);
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 3 }}>
      <DateField id="filter-settled" label={t('Settlement date')} value={day} onChange={setDay} autoFocus />
      <Button type="submit">{t('Show this day')}</Button>
    </Box>
  );
}

/** Returns the display text of a period. */
export function periodText({ period, startDate, endDate }: PeriodValue): string | undefined {
  if (period) return PERIOD_NAMES[period];
  if (startDate && endDate)
    return startDate === endDate ? dayText(startDate) : t('{{start}} to {{end}}', { start: dayText(startDate), end: dayText(endDate) });
  if (startDate) return t('from {{day}}', { day: dayText(startDate) });
  return endDate ? t('to {{day}}', { day: dayText(endDate) }) : undefined;
}
