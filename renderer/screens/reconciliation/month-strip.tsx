import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ReconciliationDay } from '#renderer/base/client';
import { walkDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { QueryContent, statusStyle } from '#renderer/kit/ui';
import { addDays, addMonths, monthText } from './dates.ts';
import { daysQuery, type MerchantScope } from './queries.ts';
import { dayStatus } from './texts.ts';
import { addressOf, type ViewInAddress } from './use-view.ts';

const CELL_PX = 28;
const STRIP_PX = 48;

interface MonthStripProps {
  readonly merchantScope: MerchantScope;
  /** The selected day. */
  readonly date: string;
  readonly view: ViewInAddress;
}

/** State of each day of a month, with links. One tab stop; arrow keys move between the days. */
export function MonthStrip({ merchantScope, date, view }: MonthStripProps) {
  const [navigated, setNavigated] = useState<{ from: string; month: string }>();
  // Selecting a day of another month also changes the month.
  const month = navigated?.from === date ? navigated.month : date.slice(0, 7);
  const changeMonth = (by: 1 | -1) => setNavigated({ from: date, month: addMonths(month, by) });
  const days = useQuery(daysQuery(merchantScope, month));
  const name = monthText(month);
  return (
    <Box component="section" aria-label={t('Month')} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <IconButton size="small" aria-label={t('Previous month')} onClick={() => changeMonth(-1)}>
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <Box sx={{ fontSize: 13, fontWeight: 600, minWidth: 120, textAlign: 'center' }}>{name}</Box>
        <IconButton size="small" aria-label={t('Next month')} onClick={() => changeMonth(1)}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
      </Box>
      <QueryContent query={days} skeleton={<Box sx={{ height: STRIP_PX }} />}>
        {(data) => (
          <Box
            role="toolbar"
            aria-label={t('Days of {{month}}', { month: name })}
            onKeyDown={walkDays}
            sx={{ display: 'grid', gridTemplateColumns: `repeat(auto-fill, minmax(${CELL_PX}px, 1fr))`, gap: 0.5, minHeight: STRIP_PX }}
          >
            {data.map((day, at) => (
              <Day
                key={day.date}
                day={day}
                isChosen={day.date === date}
                isStop={data.some((each) => each.date === date) ? day.date === date : at === 0}
                to={addressOf({ ...view, date: day.date, page: 1, line: undefined })}
              />
            ))}
          </Box>
        )}
      </QueryContent>
    </Box>
  );
}

interface DayProps {
  readonly day: ReconciliationDay;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly to: { pathname: string; search: string };
}

function Day({ day, isChosen, isStop, to }: DayProps) {
  const { state, text } = dayStatus(day);
  const { icon: Icon, tone } = statusStyle(state);
  const isBlank = state === 'unsettled';
  return (
    <Box
      component={Link}
      to={to}
      title={text}
      aria-label={text}
      aria-current={isChosen ? 'date' : undefined}
      tabIndex={isStop ? 0 : -1}
      data-date={day.date}
      data-state={state}
      sx={(theme) => ({
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 0.5,
        height: 46,
        border: '1px solid',
        borderColor: isChosen ? theme.vars.palette.primary.main : 'transparent',
        borderRadius: 1,
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: isChosen ? 650 : 450,
        fontVariantNumeric: 'tabular-nums',
        textDecoration: 'none',
        color: isBlank ? theme.vars.palette.text.secondary : theme.vars.palette.tone[tone].main,
        backgroundColor: isBlank ? 'transparent' : theme.vars.palette.tone[tone].tint,
        '&:hover': { borderColor: theme.vars.palette.outline },
      })}
    >
      {Number(day.date.slice(-2))}
      {isBlank ? (
        <Box aria-hidden sx={{ height: 13, lineHeight: '11px' }}>
          ·
        </Box>
      ) : (
        <Icon size={13} strokeWidth={2.25} aria-hidden />
      )}
    </Box>
  );
}

/** Returns the previous and the next day. */
export const neighbours = (date: string) => ({ before: addDays(date, -1), after: addDays(date, 1) });
