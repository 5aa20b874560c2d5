import type { PeriodClose } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { MonthDay } from '#renderer/kit/month';
import { dayText } from '#renderer/kit/ui';

type Day = PeriodClose['days'][number];
const SIDES = [
  ['processor', (status: string) => t('processor {{status}}', { status })],
  ['payouts', (status: string) => t('payouts {{status}}', { status })],
  ['bank', (status: string) => t('bank lines {{status}}', { status })],
] as const;
/** States of a side, the worst first. */
const STATUSES = {
  open: t('open'),
  transit: t('in transit'),
  explained: t('explained'),
  balanced: t('balanced'),
  none: t('nothing'),
} satisfies Record<Day['bank'], string>;
const WORST_FIRST = Object.keys(STATUSES) as readonly Day['bank'][];

/** Returns a day of the close with the worst state of its three sides; its text names all of them. */
export function closeDay(day: Day): MonthDay {
  const sides = SIDES.map(([side, nameStatus]) => nameStatus(STATUSES[day[side]]));
  const state = WORST_FIRST.find((each) => SIDES.some(([side]) => day[side] === each)) ?? 'none';
  const date = day.closed ? t('{{day}}, closed', { day: dayText(day.date) }) : dayText(day.date);
  return {
    date: day.date,
    state,
    text: `${date}: ${sides.join(', ')}`,
    isBlank: state === 'none',
    isLocked: day.closed,
    to: `/reconciliation/close/${day.date}`,
  };
}
