import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '#renderer/base/language';
import { ChipShell, dayText } from '#renderer/kit/ui';
import { DateField } from './fields.tsx';

/** Days of a filter: a preset, or two dates, each optional. */
export interface DaysFilter<Period extends string = never> {
  readonly period?: Period | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

type Presets<Period extends string> = readonly { readonly value: Period; readonly name: string }[];

interface DaysChipProps<Period extends string> {
  /** "Period", "Created". */
  readonly label: string;
  readonly value: DaysFilter<Period>;
  readonly onChange: (value: DaysFilter<Period>) => void;
  readonly presets?: Presets<Period>;
}

/** Filter by days: a preset or two dates. */
export function DaysChip<Period extends string = never>({ label, value, onChange, presets = [] }: DaysChipProps<Period>) {
  return (
    <ChipShell label={label} chosenName={daysText(value, presets)} onClear={() => onChange({})} kind="dialog">
      {(anchor, close) => {
        const choose = (next: DaysFilter<Period>) => {
          close();
          onChange(next);
        };
        return (
          <Dialog label={label} anchor={anchor} onClose={close}>
            {presets.length > 0 && (
              <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
                {presets.map(({ value: period, name }) => (
                  <Button
                    key={period}
                    size="small"
                    variant={value.period === period ? 'contained' : 'outlined'}
                    color={value.period === period ? 'primary' : 'inherit'}
                    onClick={() => choose({ period })}
                  >
                    {name}
                  </Button>
                ))}
              </Box>
            )}
            <DaysForm from={value.startDate} to={value.endDate} onDone={choose} />
          </Dialog>
        );
      }}
    </ChipShell>
  );
}

interface DayChipProps {
  readonly label: string;
  /** Label of the date. */
  readonly fieldLabel: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Filter by one day. */
export function DayChip({ label, fieldLabel, value, onChange }: DayChipProps) {
  return (
    <ChipShell label={label} chosenName={value && dayText(value)} onClear={() => onChange(undefined)} kind="dialog">
      {(anchor, close) => (
        <Dialog label={label} anchor={anchor} onClose={close}>
          <DayForm
            label={fieldLabel}
            submitLabel={t('Show this day')}
            value={value}
            onDone={(day) => {
              close();
              onChange(day || undefined);
            }}
          />
        </Dialog>
      )}
    </ChipShell>
  );
}

/** Goes to the page of a list that has the rows of a day. */
export function GoToDate({ onDay }: { onDay: (day: string) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary' }}
      >
        {t('Go to date')}
      </Button>
      <Dialog label={t('Go to date')} anchor={anchor} onClose={close}>
        <DayForm
          label={t('Date')}
          submitLabel={t('Go to date')}
          value={undefined}
          onDone={(day) => {
            if (day === '') return;
            close();
            onDay(day);
          }}
        />
      </Dialog>
    </>
  );
}

interface DialogProps {
  readonly label: string;
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Dialog({ label, anchor, onClose, children }: DialogProps) {
  return (
    <Popover
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': label,
          sx: { p: 4, mt: 1, width: 336, border: 1, borderColor: 'divider', display: 'grid', gap: 4 },
        },
      }}
    >
      {children}
    </Popover>
  );
}

/** Two days below an element of the page; closed without one. */
export function DaysDialog({ label, anchor, onClose, ...form }: Omit<DialogProps, 'children'> & DaysFormProps) {
  return (
    <Dialog label={label} anchor={anchor} onClose={onClose}>
      <DaysForm {...form} />
    </Dialog>
  );
}

interface DaysFormProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** True if one day is not enough. */
  readonly needsBoth?: boolean;
  readonly onDone: (days: Pick<DaysFilter, 'startDate' | 'endDate'>) => void;
}

function DaysForm({ needsBoth = false, onDone, ...given }: DaysFormProps) {
  const [from, setFrom] = useState(given.from ?? '');
  const [to, setTo] = useState(given.to ?? '');
  const isBackwards = from !== '' && to !== '' && to < from;
  const isIncomplete = needsBoth ? from === '' || to === '' : from === '' && to === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBackwards && !(needsBoth && isIncomplete)) onDone({ ...(from && { startDate: from }), ...(to && { endDate: to }) });
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
      <Button type="submit" sx={{ gridColumn: '1 / -1' }} disabled={isIncomplete}>
        {t('Show these days')}
      </Button>
    </Box>
  );
}

interface DayFormProps {
  readonly label: string;
  readonly submitLabel: string;
  readonly value: string | undefined;
  readonly onDone: (day: string) => void;
}

function DayForm({ label, submitLabel, value = '', onDone }: DayFormProps) {
  const [day, setDay] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDone(day);
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 3 }}>
      <DateField id="filter-day" label={label} value={day} onChange={setDay} autoFocus />
      <Button type="submit">{submitLabel}</Button>
    </Box>
  );
}

/** Returns the display text of the days of a filter. */
export function daysText<Period extends string = never>(
  { period, startDate, endDate }: DaysFilter<Period>,
  presets: Presets<Period> = [],
): string | undefined {
  if (period) return presets.find(({ value }) => value === period)?.name;
  if (startDate && endDate)
    return startDate === endDate ? dayText(startDate) : t('{{start}} to {{end}}', { start: dayText(startDate), end: dayText(endDate) });
  if (startDate) return t('from {{day}}', { day: dayText(startDate) });
  return endDate ? t('to {{day}}', { day: dayText(endDate) }) : undefined;
}
