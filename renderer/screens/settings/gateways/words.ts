import { dateFormat, dayIn } from '#renderer/dates';

import type { GatewayCheck, GatewayHealth, GatewaySettings } from './shape.ts';

const MINUTES_A_DAY = 1_440;
const MINUTES_AN_HOUR = 60;
export const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** "22:30" for 30 minutes before 23:00; before midnight it is the evening before. */
export function sendingTime(cutoffTime: string, holdMinutes: number): string {
  const [hours = 0, minutes = 0] = cutoffTime.split(':').map(Number);
  const at = (((hours * MINUTES_AN_HOUR + minutes - holdMinutes) % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY;
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(at / MINUTES_AN_HOUR))}:${twoDigits(at % MINUTES_AN_HOUR)}`;
}

/** Describes when captures are sent, and until when they can be canceled. */
export function holdWords({
  cutoffTime,
  captureHoldMinutes,
  timezone,
}: Pick<GatewaySettings, 'cutoffTime' | 'captureHoldMinutes' | 'timezone'>): string {
  const zone = timezone === '' ? '' : `, ${timezone.replaceAll('_', ' ')}`;
  return `Captures are sent at ${sendingTime(cutoffTime, captureHoldMinutes)}${zone}; until then they can be taken back.`;
}

/** Describes when the reason of a refused removal disappears; undefined for other refusals. */
export function waitWords(
  { reason, held }: Readonly<Record<string, unknown>>,
  settings: Pick<GatewaySettings, 'cutoffTime' | 'captureHoldMinutes' | 'timezone'> | null,
): string | undefined {
  if (reason !== 'payments_open' || typeof held !== 'number' || held < 1 || settings === null) return undefined;
  const at = `${sendingTime(settings.cutoffTime, settings.captureHoldMinutes)}, ${settings.timezone.replaceAll('_', ' ')}`;
  return `What waits goes by itself: captures at ${at}, refunds once the batch is closed.`;
}

interface HealthWords {
  /** A state that chips know. */
  readonly state: 'ok' | 'problem' | 'warning' | 'unknown';
  readonly word: string;
  readonly rest?: string;
}

/** Describes the health of a gateway as this server sees it; empty before the first request or check. */
export function healthWords(health: GatewayHealth, check: GatewayCheck | null, timeZone: string, nowMs: number): HealthWords {
  const { state, since, nextProbeAt, lastAnswerAt, lastReason } = health;
  const time = (at: string) => clockTime(at, timeZone, nowMs);
  if (state === 'open') {
    const probe = nextProbeAt && `asked again at ${time(nextProbeAt)}`;
    const parts = [since && `since ${time(since)}`, probe].filter(Boolean).join(', ');
    const word = health.isRefused ? 'Refuses the account' : 'Does not answer';
    return { state: 'problem', word, rest: [parts, lastReason].filter(Boolean).join('. ') };
  }
  if (state === 'half-open') return { state: 'warning', word: 'Answers again', rest: 'One payment tries it first' };
  if (lastAnswerAt === null && check?.state !== 'ok') return { state: 'unknown', word: 'No answer heard yet' };
  return { state: 'ok', word: 'Answers' };
}

/** Describes the processor's check of the account in one line. */
export function checkWords(check: GatewayCheck): string {
  if (check.state !== 'ok') return check.reason ?? 'The processor gave no reason.';
  const bank = check.takesBankAccounts === null ? undefined : check.takesBankAccounts ? 'bank payments too' : 'no bank payments';
  const takes = [check.currencies.join(', '), bank].filter(Boolean).join(', ');
  return [check.merchantName, takes && `takes ${takes}`].filter(Boolean).join('; ');
}

/** "10:42 AM" of today, "Nov 21, 10:42 AM" of another day. */
function clockTime(at: string, timeZone: string, nowMs: number): string {
  const isToday = dayIn(timeZone, new Date(at)) === dayIn(timeZone, nowMs);
  return dateFormat({
    timeZone,
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at));
}

/** A name that no gateway of the merchant has yet: "NMI", then "NMI 2". */
export function freeName(label: string, taken: readonly string[]): string {
  const names = [label, ...taken.map((_, index) => `${label} ${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? label;
}
