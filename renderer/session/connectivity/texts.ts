import type { ConnectivityReport } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { listText, t } from '#renderer/base/language';

/** Sentences about an outage: its cause, what does not work, and what still works. */
interface OutageTexts {
  readonly cause: string;
  readonly stopped: string;
  readonly goesOn: string;
}

/** Returns the texts of an outage. */
export function outageTexts(reach: ConnectivityReport, timeZone: string, nowMs: number): OutageTexts {
  const time = reach.since === null ? null : timeText(reach.since, timeZone, nowMs);
  return {
    cause: isReturning(reach) ? returningText(time) : causeText(reach, time),
    stopped: isReturning(reach)
      ? t('Cards and bank accounts can be charged as soon as the connection is stable.')
      : t('Cards and bank accounts can’t be charged.'),
    goesOn:
      reach.state === 'offline'
        ? `${t('Cash, checks, invoices and payment links work.')} ${messagesText(reach)}`
        : t('Cash, checks, invoices and payment links work, but payers can’t pay online yet.'),
  };
}

/** Returns true if the gateways answer again, but not for long enough yet. */
const isReturning = ({ gateways }: ConnectivityReport) => gateways.length > 0 && gateways.some(({ state }) => state === 'up');

const returningText = (time: string | null) =>
  time === null
    ? t('The gateway responds again after an outage.')
    : t('The gateway responds again after an outage since {{time}}.', { time });

function causeText({ state, gateways }: ConnectivityReport, time: string | null): string {
  if (state === 'offline') return time === null ? t('No connection.') : t('No connection since {{time}}.', { time });
  const isRefused = gateways.every(({ cause }) => cause === 'refused');
  const [first] = gateways;
  if (first && gateways.length === 1) return singleText(first.name, isRefused, time);
  const names = listText(gateways.map(({ name }) => name));
  if (isRefused)
    return time === null
      ? t('{{gateways}} have refused the account.', { gateways: names })
      : t('{{gateways}} have refused the account since {{time}}.', { gateways: names, time });
  return time === null
    ? t('{{gateways}} haven’t responded.', { gateways: names })
    : t('{{gateways}} haven’t responded since {{time}}.', { gateways: names, time });
}

function singleText(gateway: string, isRefused: boolean, time: string | null): string {
  if (isRefused)
    return time === null
      ? t('{{gateway}} has refused the account.', { gateway })
      : t('{{gateway}} has refused the account since {{time}}.', { gateway, time });
  return time === null
    ? t('{{gateway}} hasn’t responded.', { gateway })
    : t('{{gateway}} hasn’t responded since {{time}}.', { gateway, time });
}

function messagesText({ waitingMessages }: ConnectivityReport): string {
  if (waitingMessages === 0) return t('Emails and text messages are sent when the connection returns.');
  return t('{{count, number}} emails and text messages wait for the connection.', { count: waitingMessages });
}

/** Returns the time of day, with the date if it is not today. */
function timeText(at: string, timeZone: string, nowMs: number): string {
  const day = dateFormat({ timeZone, month: 'short', day: 'numeric' });
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(Date.parse(at));
  return day.format(Date.parse(at)) === day.format(nowMs) ? time : `${day.format(Date.parse(at))}, ${time}`;
}
