import Box from '@mui/material/Box';
import { language, t } from '#renderer/base/language';
import { dayText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { isPublicHoliday } from '#shared/holidays';
import { LOCALES } from '#shared/languages';

const DAY_MS = 86_400_000;
const WEEK = 7;

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const addDays = (day: string, days: number) => new Date(dateOf(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);
/** Returns the Monday of the week of a day. */
const mondayOf = (day: string) => addDays(day, -((dateOf(day).getUTCDay() + 6) % WEEK));

interface LifeCalendarProps {
  readonly dueDate: string;
  /** Accessible name. */
  readonly label: string;
  /** Days of the reminders and of the late fees. */
  readonly reminders: readonly string[];
  readonly fees: readonly string[];
}

/** Calendar of the weeks of the life of one invoice in which something happens, with the due date and public holidays. */
export function LifeCalendar({ dueDate, label, reminders, fees }: LifeCalendarProps) {
  const { country } = useMerchant();
  const marked = [dueDate, ...reminders, ...fees].toSorted();
  const first = mondayOf(marked[0] ?? dueDate);
  const last = mondayOf(marked.at(-1) ?? dueDate);
  const weeks: string[] = [];
  for (let week = first; week <= last; week = addDays(week, WEEK)) if (marked.some((day) => mondayOf(day) === week)) weeks.push(week);
  const locale = LOCALES[language()];
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const days = Array.from({ length: WEEK }, (_, index) => index);
  const marksOf = (day: string) => [
    ...(day === dueDate ? [{ symbol: '■', name: t('Due') }] : []),
    ...(reminders.includes(day) ? [{ symbol: '●', name: t('Reminder') }] : []),
    ...(fees.includes(day) ? [{ symbol: '▲', name: t('Late fee') }] : []),
    ...(isPublicHoliday(country, day) ? [{ symbol: '○', name: t('Public holiday') }] : []),
  ];
  const shown = weeks.flatMap((week) => days.flatMap((index) => marksOf(addDays(week, index))));
  const legend = shown.filter(({ name }, index) => shown.findIndex((each) => each.name === name) === index);
  return (
    <>
      <Box component="table" aria-label={label} sx={TABLE}>
        <thead>
          <tr>
            {days.map((index) => (
              <th key={index} scope="col">
                {weekday.format(dateOf(addDays(first, index)))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week}>
              {days.map((index) => {
                const day = addDays(week, index);
                const marks = marksOf(day);
                return (
                  <td
                    key={day}
                    data-marked={marked.includes(day) || undefined}
                    aria-label={[dayText(day), ...marks.map(({ name }) => name)].join(', ')}
                  >
                    <Box component="span" sx={{ display: 'block', fontSize: 12 }}>
                      {short.format(dateOf(day))}
                    </Box>
                    {marks.map(({ symbol, name }) => (
                      <Box key={name} component="span" sx={{ display: { xs: 'inline', sm: 'block' }, fontSize: 11, fontWeight: 600 }}>
                        <Box component="span" sx={NARROW_ONLY}>
                          {symbol}
                        </Box>
                        <Box component="span" sx={WIDE_ONLY}>
                          {name}
                        </Box>
                      </Box>
                    ))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Box>
      <Box sx={{ display: { xs: 'flex', sm: 'none' }, flexWrap: 'wrap', gap: 3, fontSize: 12, color: 'text.secondary' }}>
        {legend.map(({ symbol, name }) => (
          <span key={name}>{`${symbol} ${name}`}</span>
        ))}
      </Box>
    </>
  );
}

/** A cell is too narrow for words on a phone. */
const NARROW_ONLY = { display: { xs: 'inline', sm: 'none' } } as const;
const WIDE_ONLY = { display: { xs: 'none', sm: 'inline' } } as const;

const TABLE = {
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'collapse',
  '& th': { fontSize: 12, fontWeight: 500, color: 'text.secondary', textAlign: 'start', p: 1 },
  '& td': { border: 1, borderColor: 'divider', p: 1, height: 48, verticalAlign: 'top', color: 'text.secondary', overflow: 'hidden' },
  '& td[data-marked]': { bgcolor: 'action.selected', color: 'text.primary' },
} as const;
