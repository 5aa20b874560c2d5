import { dateFormat, dayIn, timeZoneName } from '#renderer/base/dates';
import { serviceText, t } from '#renderer/base/language';

import type { GatewayCheck, GatewayHealth, GatewaySettings } from './types.ts';

const MINUTES_A_DAY = 1_440;
const MINUTES_AN_HOUR = 60;
export const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the time at which captures are sent: "22:30" for 30 minutes before 23:00. It may be on the previous day. */
export function sendingTime(cutoffTime: string, holdMinutes: number): string {
  const [hours = 0, minutes = 0] = cutoffTime.split(':').map(Number);
  const at = (((hours * MINUTES_AN_HOUR + minutes - holdMinutes) % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY;
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(at / MINUTES_AN_HOUR))}:${twoDigits(at % MINUTES_AN_HOUR)}`;
}

/** Describes when captures are sent, and until when they can be canceled. */
export function holdText({
  cutoffTime,
  captureHoldMinutes,
  timezone,
}: Pick<GatewaySettings, 'cutoffTime' | 'captureHoldMinutes' | 'timezone'>): string {
  const time = [sendingTime(cutoffTime, captureHoldMinutes), timeZoneName(timezone)].filter(Boolean).join(', ');
  return t('Captures are sent at {{time}}; until then they can be canceled.', { time });
}

/** Describes when the reason of a refused removal disappears; undefined for other refusals. */
export function waitText(
  { reason, held }: Readonly<Record<string, unknown>>,
  settings: Pick<GatewaySettings, 'cutoffTime' | 'captureHoldMinutes' | 'timezone'> | null,
): string | undefined {
  if (reason !== 'payments_open' || typeof held !== 'number' || held < 1 || settings === null) return undefined;
  const time = `${sendingTime(settings.cutoffTime, settings.captureHoldMinutes)}, ${timeZoneName(settings.timezone)}`;
  return t('Pending operations finish automatically: captures at {{time}}, refunds after the batch closes.', { time });
}

interface HealthText {
  /** Status of the chip. */
  readonly state: 'ok' | 'problem' | 'warning' | 'unknown';
  readonly label: string;
  readonly detail?: string;
}

/** Describes the health of a gateway as this server sees it; empty before the first request or check. */
export function healthText(health: GatewayHealth, check: GatewayCheck | null, timeZone: string, nowMs: number): HealthText {
  const { state, since, nextProbeAt, lastAnswerAt, lastReason } = health;
  const time = (at: string) => clockTime(at, timeZone, nowMs);
  if (state === 'open') {
    const times = [
      since && t('since {{time}}', { time: time(since) }),
      nextProbeAt && t('next check at {{time}}', { time: time(nextProbeAt) }),
    ];
    const parts = times.filter(Boolean).join(', ');
    const label = health.isRefused ? t('Rejects the account') : t('Not responding');
    return { state: 'problem', label, detail: [parts, lastReason && serviceText(lastReason)].filter(Boolean).join('. ') };
  }
  if (state === 'half-open') return { state: 'warning', label: t('Responding again'), detail: t('One payment tests it first') };
  if (lastAnswerAt === null && check?.state !== 'ok') return { state: 'unknown', label: t('No response yet') };
  return { state: 'ok', label: t('Responding') };
}

/** Describes the processor's check of the account in one line. */
export function checkText(check: GatewayCheck): string {
  if (check.state !== 'ok') return check.reason ? serviceText(check.reason) : t('The processor gave no reason.');
  return [check.merchantName, acceptedText(check)].filter(Boolean).join('; ');
}

function acceptedText({ currencies: accepted, takesBankAccounts }: GatewayCheck): string {
  const currencies = accepted.join(', ');
  if (currencies === '') {
    if (takesBankAccounts === null) return '';
    return takesBankAccounts ? t('accepts bank payments') : t('accepts no bank payments');
  }
  if (takesBankAccounts === null) return t('accepts {{currencies}}', { currencies });
  return takesBankAccounts
    ? t('accepts {{currencies}}, bank payments', { currencies })
    : t('accepts {{currencies}}, no bank payments', { currencies });
}

/** Formats a time: "10:42 AM" for today, "Nov 21, 10:42 AM" for another day. */
function clockTime(at: string, timeZone: string, nowMs: number): string {
  const isToday = dayIn(timeZone, new Date(at)) === dayIn(timeZone, nowMs);
  return dateFormat({
    timeZone,
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at));
}

/** Returns a name that no gateway of the merchant has: "NMI", then "NMI 2". */
export function unusedName(label: string, taken: readonly string[]): string {
  const names = [label, ...taken.map((_, index) => `${label} ${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? label;
}
