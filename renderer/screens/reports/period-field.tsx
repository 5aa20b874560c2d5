import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { ChoiceMenu } from '#renderer/kit/list-settings';
import { announce, useShortcuts } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { type Days, daysText, PERIODS, type Period, shiftedPeriod } from '#renderer/shared/reporting';
import type { ViewInAddress } from './use-view.ts';

/** Choice of any dates in the menu of periods. */
const DATES = 'dates';

/** Period of a report: a named one, any dates, and the one before or after. */
export function PeriodField({ view, today }: { readonly view: ViewInAddress; readonly today: string }) {
  const { days, period, change } = view;
  const [isEntering, setEntering] = useState(false);
  const field = useRef<HTMLElement>(null);
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
  const options: (readonly [Period | typeof DATES, string])[] = [
    ...PERIODS.map(({ id, name }) => [id, name] as const),
    [DATES, period === undefined ? daysText(days) : t('Dates…')],
  ];
  return (
    <Box ref={field} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Tooltip title={`${t('Earlier period')}: [`}>
        <IconButton aria-label={t('Earlier period')} aria-keyshortcuts="[" onClick={() => movePeriod(before)}>
          <ChevronLeft size={18} aria-hidden />
        </IconButton>
      </Tooltip>
      <ChoiceMenu
        label={t('Period')}
        options={options}
        value={period ?? DATES}
        onChange={(next) => (next === DATES ? setEntering(true) : change({ period: next }))}
      />
      <Tooltip title={`${t('Later period')}: ]`}>
        <span>
          <IconButton aria-label={t('Later period')} aria-keyshortcuts="]" onClick={() => movePeriod(after)} disabled={after === undefined}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        </span>
      </Tooltip>
      <Popover
        anchorEl={() => field.current}
        open={isEntering}
        onClose={() => setEntering(false)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('Dates'), sx: { p: 4, mt: 1, width: 336, border: 1, borderColor: 'divider' } },
        }}
      >
        <DaysForm
          days={days}
          onDone={(next) => {
            setEntering(false);
            change({ days: next });
          }}
        />
      </Popover>
    </Box>
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
