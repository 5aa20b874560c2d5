import type { GatewayStanding } from '#renderer/client';
import { dateFormat } from '#renderer/dates';

interface Outage {
  readonly gatewayId: string;
  /** True if no other gateway takes the payments. */
  readonly isRefusing: boolean;
  readonly words: string;
}

/** Returns the unavailable gateways of a merchant that would be used, each with the reason, and the gateways used instead. */
export function outagesOf(gateways: readonly GatewayStanding[], timeZone: string, nowMs: number): Outage[] {
  const active = gateways.filter(({ status }) => status === 'active');
  return active
    .filter(({ health }) => health.state === 'open')
    .map(({ gatewayId, name, currency, health }) => {
      const { isRefused, lastReason, since } = health;
      const alike = active.filter((other) => other.currency === currency);
      const others = alike.filter((other) => other.health.state !== 'open').map((other) => other.name);
      const isRefusing = others.length === 0;
      if (isRefused) {
        const reason = lastReason ? `: ${lastReason.replace(/\.$/, '')}` : '';
        const instead = isRefusing ? 'are refused until that is mended' : `go to ${others.join(' or ')}`;
        const words = `${name} refuses the account${reason}. New payments ${instead}. See Settings, Gateways.`;
        return { gatewayId, isRefusing, words };
      }
      const refused = `are refused until ${alike.length === 1 ? 'it' : 'one of them'} does`;
      const instead = isRefusing ? refused : `go to ${others.join(' or ')}`;
      const from = since === null ? '' : ` since ${timeOf(since, timeZone, nowMs)}`;
      return { gatewayId, isRefusing, words: `${name} has not answered${from}. New payments ${instead}.` };
    });
}

interface Returned {
  /** Ids of those that are away, or are only being tried. */
  readonly away: ReadonlySet<string>;
  /** Gateways that were unavailable and answer again. */
  readonly names: readonly string[];
}

/** Returns the gateways of a merchant that recovered; a gateway that is no longer used does not count. */
export function returnedOf(before: ReadonlySet<string>, gateways: readonly GatewayStanding[]): Returned {
  const active = gateways.filter(({ status }) => status === 'active');
  const away = active.filter(({ gatewayId, health: { state } }) => state === 'open' || (state === 'half-open' && before.has(gatewayId)));
  const back = active.filter(({ gatewayId, health }) => health.state === 'closed' && before.has(gatewayId));
  return { away: new Set(away.map(({ gatewayId }) => gatewayId)), names: back.map(({ name }) => name) };
}

/** The time of day; with the date where that was not today. */
function timeOf(at: string, timeZone: string, nowMs: number): string {
  const day = dateFormat({ timeZone, month: 'short', day: 'numeric' });
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(Date.parse(at));
  const isToday = day.format(Date.parse(at)) === day.format(nowMs);
  return isToday ? time : `${day.format(Date.parse(at))}, ${time}`;
}
