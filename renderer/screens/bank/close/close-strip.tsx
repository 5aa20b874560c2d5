import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { ChevronLeft, ChevronRight, Lock } from 'lucide-react';
import { Link } from 'react-router';
import type { PeriodClose } from '#renderer/base/client';
import { dateFormat, walkDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { dayText, statusStyle } from '#renderer/kit/ui';

type Day = PeriodClose['days'][number];
const SIDES = [
  ['processor', (status: string) => t('processor {{status}}', { status })],
  ['payouts', (status: string) => t('payouts {{status}}', { status })],
  ['bank', (status: string) => t('bank lines {{status}}', { status })],
] as const;
const STATUSES: Readonly<Record<string, string>> = {
  none: t('nothing'),
  balanced: t('balanced'),
  explained: t('explained'),
  transit: t('in transit'),
  open: t('open'),
};

/** Returns the month some months later, YYYY-MM. */
export function moved(month: string, by: number): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + by);
  return first.toISOString().slice(0, 7);
}

/** Formats a month: "November 2026". */
export const monthName = (month: string) =>
  dateFormat({ timeZone: 'UTC', month: 'long', year: 'numeric' }).format(new Date(`${month}-01T00:00:00Z`));

interface CloseStripProps {
  readonly close: PeriodClose;
  readonly month: string;
  /** The selected month or day. */
  readonly chosen: string;
  readonly onMonth: (by: 1 | -1) => void;
}

/** Days of a month, each with a mark for the processor, the payouts and the bank lines. One tab stop; arrow keys move between the days. */
export function CloseStrip({ close, month, chosen, onMonth }: CloseStripProps) {
  const name = monthName(month);
  return (
    <Box component="section" aria-label={t('Month')} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <IconButton size="small" aria-label={t('Previous month')} onClick={() => onMonth(-1)}>
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <Box
          component={Link}
          to={`/reconciliation/close/${month}`}
          aria-current={chosen === month ? 'date' : undefined}
          sx={{ fontSize: 13, fontWeight: 600, minWidth: 120, textAlign: 'center', color: 'text.primary' }}
        >
          {name}
        </Box>
        <IconButton size="small" aria-label={t('Next month')} onClick={() => onMonth(1)}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
        <Box sx={{ marginInlineStart: 2, fontSize: 12, color: 'text.secondary' }}>{t('Marks: processor, payouts, bank')}</Box>
      </Box>
      <Box
        role="toolbar"
        aria-label={t('Days of {{month}}', { month: name })}
        onKeyDown={walkDays}
        sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(32px, 1fr))', gap: '1px' }}
      >
        {close.days.map((day, index) => (
          <DayCell
            key={day.date}
            day={day}
            isChosen={day.date === chosen}
            isStop={chosen === day.date || (chosen === month && index === 0)}
          />
        ))}
      </Box>
    </Box>
  );
}

function DayCell({ day, isChosen, isStop }: { day: Day; isChosen: boolean; isStop: boolean }) {
  const marks = SIDES.map(([side, nameStatus]) => ({
    side,
    text: nameStatus(STATUSES[day[side]] ?? day[side]),
    ...statusStyle(day[side]),
  }));
  const date = day.closed ? t('{{day}}, closed', { day: dayText(day.date) }) : dayText(day.date);
  const text = `${date}: ${marks.map((mark) => mark.text).join(', ')}`;
  return (
    <Box
      component={Link}
      to={`/reconciliation/close/${day.date}`}
      title={text}
      aria-label={text}
      aria-current={isChosen ? 'date' : undefined}
      tabIndex={isStop ? 0 : -1}
      data-date={day.date}
      sx={(theme) => ({
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 0.75,
        height: 46,
        border: '1px solid',
        borderColor: isChosen ? theme.vars.palette.primary.main : 'transparent',
        borderRadius: 1,
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: isChosen ? 650 : 450,
        textDecoration: 'none',
        color: theme.vars.palette.text.primary,
        backgroundColor: day.closed ? theme.vars.palette.wash : 'transparent',
        '&:hover': { borderColor: theme.vars.palette.outline },
      })}
    >
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25, fontVariantNumeric: 'tabular-nums' }}>
        {Number(day.date.slice(-2))}
        {day.closed && <Lock size={9} strokeWidth={2.5} aria-hidden />}
      </Box>
      <Box component="span" aria-hidden sx={{ display: 'flex', gap: '1px', height: 10 }}>
        {marks.map(({ side, icon: Icon, tone }) => (
          <Box
            key={side}
            component="span"
            sx={(theme) => ({
              display: 'flex',
              color: day[side] === 'none' ? theme.vars.palette.divider : theme.vars.palette.tone[tone].main,
            })}
          >
            {day[side] === 'none' ? '·' : <Icon size={10} strokeWidth={2.75} />}
          </Box>
        ))}
      </Box>
    </Box>
  );
}
