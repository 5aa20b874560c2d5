import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { type FormEvent, useState } from 'react';
import { t } from '#renderer/base/language';
import { ChipShell } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { type CreatedFilter, createdFilterText, PERIODS } from './period.ts';

interface PeriodChipProps {
  readonly value: CreatedFilter;
  readonly onChange: (value: CreatedFilter) => void;
}

/** Filter by creation date: a named period, or two days. */
export function PeriodChip({ value, onChange }: PeriodChipProps) {
  return (
    <ChipShell label={t('Created')} chosenName={createdFilterText(value)} onClear={() => onChange({})} kind="dialog">
      {(anchor, close) => {
        const choose = (next: CreatedFilter) => {
          close();
          onChange(next);
        };
        return (
          <Popover
            anchorEl={anchor}
            open={anchor !== null}
            onClose={close}
            anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
            slotProps={{
              paper: {
                role: 'dialog',
                'aria-label': t('Created'),
                sx: { p: 4, mt: 1, width: 336, border: 1, borderColor: 'divider', display: 'grid', gap: 4 },
              },
            }}
          >
            <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
              {PERIODS.map(({ id, name }) => (
                <Button
                  key={id}
                  size="small"
                  variant={value.period === id ? 'contained' : 'outlined'}
                  color={value.period === id ? 'primary' : 'inherit'}
                  onClick={() => choose({ period: id })}
                >
                  {name}
                </Button>
              ))}
            </Box>
            <DaysForm value={value} onDone={choose} />
          </Popover>
        );
      }}
    </ChipShell>
  );
}

function DaysForm({ value, onDone }: { value: CreatedFilter; onDone: (days: CreatedFilter) => void }) {
  const [from, setFrom] = useState(value.startDate ?? '');
  const [to, setTo] = useState(value.endDate ?? '');
  const isBackwards = from !== '' && to !== '' && to < from;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBackwards) onDone({ ...(from && { startDate: from }), ...(to && { endDate: to }) });
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
      <DateField id="made-from" label={t('From')} value={from} onChange={setFrom} />
      <DateField
        id="made-to"
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
