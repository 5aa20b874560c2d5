import type { Reach } from '#renderer/client';
import { dateFormat } from '#renderer/dates';

/** Sentences about an outage: its cause, what does not work, and what still works. */
export interface OutageTexts {
  readonly cause: string;
  readonly stopped: string;
  readonly goesOn: string;
}

/** Returns the texts of an outage. */
export function outageTexts(reach: Reach, timeZone: string, nowMs: number): OutageTexts {
  const since = reach.since === null ? '' : ` since ${timeText(reach.since, timeZone, nowMs)}`;
  return {
    cause: isReturning(reach) ? `The gateway responds again after an outage${since}.` : `${causeText(reach)}${since}.`,
    stopped: isReturning(reach)
      ? 'Cards and bank accounts can be charged as soon as the connection is stable.'
      : 'Cards and bank accounts can’t be charged.',
    goesOn:
      reach.state === 'offline'
        ? `Cash, checks, invoices and payment links work. ${messagesText(reach)}`
        : 'Cash, checks, invoices and payment links work, but payers can’t pay online yet.',
  };
}

/** Returns true if the gateways answer again, but not for long enough yet. */
const isReturning = ({ gateways }: Reach) => gateways.length > 0 && gateways.some(({ state }) => state === 'up');

function causeText({ state, gateways }: Reach): string {
  if (state === 'offline') return 'No connection';
  const names = gateways.map(({ name }) => name).join(' and ');
  if (gateways.every(({ cause }) => cause === 'refused')) return `${names} ${gateways.length === 1 ? 'has' : 'have'} refused the account`;
  return `${names} ${gateways.length === 1 ? 'hasn’t' : 'haven’t'} responded`;
}

function messagesText({ waitingMessages }: Reach): string {
  if (waitingMessages === 0) return 'Emails and text messages are sent when the connection returns.';
  const waiting = waitingMessages === 1 ? '1 email or text message waits' : `${waitingMessages} emails and text messages wait`;
  return `${waiting} for the connection.`;
}

/** Returns the time of day, with the date if it is not today. */
function timeText(at: string, timeZone: string, nowMs: number): string {
  const day = dateFormat({ timeZone, month: 'short', day: 'numeric' });
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(Date.parse(at));
  return day.format(Date.parse(at)) === day.format(nowMs) ? time : `${day.format(Date.parse(at))}, ${time}`;
}
