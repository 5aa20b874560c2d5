import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { ChoiceMenu } from '#renderer/kit/list-settings';
import { announce, useShortcuts } from '#renderer/kit/ui';
import { DaysDialog } from '#renderer/session/date-entry';
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
      <DaysDialog
        label={t('Dates')}
        anchor={isEntering ? field.current : null}
        onClose={() => setEntering(false)}
        from={days.startDate}
        to={days.endDate}
        needsBoth
        onDone={({ startDate = '', endDate = '' }) => {
          setEntering(false);
          change({ days: { startDate, endDate } });
        }}
      />
    </Box>
  );
}
