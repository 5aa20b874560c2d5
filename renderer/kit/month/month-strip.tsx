import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { ChevronLeft, ChevronRight, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';
import { monthName, walkDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { statusStyle } from '#renderer/kit/ui';

/** A day of a month with its state. */
export interface MonthDay {
  readonly date: string;
  readonly state: string;
  /** Day and state in words. */
  readonly text: string;
  /** True if the day has no state, because nothing happened. */
  readonly isBlank: boolean;
  readonly isLocked?: boolean;
  readonly to: To;
}

interface MonthStripProps {
  /** YYYY-MM. */
  readonly month: string;
  /** Address of the whole month, if it can be chosen. */
  readonly to?: string;
  readonly isChosen?: boolean;
  readonly onMonth: (by: 1 | -1) => void;
  /** The days, or their state of loading. */
  readonly children: ReactNode;
}

/** A month that can be changed, with its days. */
export function MonthStrip({ month, to, isChosen = false, onMonth, children }: MonthStripProps) {
  return (
    <Box component="section" aria-label={t('Month')} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <IconButton size="small" aria-label={t('Previous month')} onClick={() => onMonth(-1)}>
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <Box
          {...(to !== undefined && { component: Link, to, 'aria-current': isChosen ? 'date' : undefined })}
          sx={{ fontSize: 13, fontWeight: 600, minWidth: 120, textAlign: 'center', color: 'text.primary' }}
        >
          {monthName(month)}
        </Box>
        <IconButton size="small" aria-label={t('Next month')} onClick={() => onMonth(1)}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
      </Box>
      {children}
    </Box>
  );
}

const CELL_PX = 28;

interface MonthDaysProps {
  readonly month: string;
  readonly days: readonly MonthDay[];
  readonly chosen: string;
}

/** Links to the days of a month. One tab stop; arrow keys move between the days. */
export function MonthDays({ month, days, chosen }: MonthDaysProps) {
  const stop = days.some(({ date }) => date === chosen) ? chosen : days[0]?.date;
  return (
    <Box
      role="toolbar"
      aria-label={t('Days of {{month}}', { month: monthName(month) })}
      onKeyDown={walkDays}
      sx={{ display: 'grid', gridTemplateColumns: `repeat(auto-fill, minmax(${CELL_PX}px, 1fr))`, gap: 0.5 }}
    >
      {days.map((day) => (
        <Day key={day.date} day={day} isChosen={day.date === chosen} isStop={day.date === stop} />
      ))}
    </Box>
  );
}

function Day({ day, isChosen, isStop }: { day: MonthDay; isChosen: boolean; isStop: boolean }) {
  const { date, state, text, isBlank, isLocked = false, to } = day;
  const { icon: Icon, tone } = statusStyle(state);
  return (
    <Box
      component={Link}
      to={to}
      title={text}
      aria-label={text}
      aria-current={isChosen ? 'date' : undefined}
      tabIndex={isStop ? 0 : -1}
      data-date={date}
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
      {Number(date.slice(-2))}
      <Box aria-hidden sx={{ display: 'flex', gap: 0.25, height: 13, lineHeight: '11px' }}>
        {isBlank ? '·' : <Icon size={13} strokeWidth={2.25} />}
        {isLocked && <Lock size={10} strokeWidth={2.5} />}
      </Box>
    </Box>
  );
}
