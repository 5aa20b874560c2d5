import type { GatewayHealthReport } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { listText, serviceText, t } from '#renderer/base/language';

interface Outage {
  readonly gatewayId: string;
  /** True if no other gateway takes the payments. */
  readonly isRefusing: boolean;
  /** True if the gateway answers, but refuses the account. */
  readonly isRefused: boolean;
  readonly message: string;
}

/** Returns the unavailable gateways of a merchant that would be used, each with the reason, and the gateways used instead. */
export function findOutages(gateways: readonly GatewayHealthReport[], timeZone: string, nowMs: number): Outage[] {
  const active = gateways.filter(({ status }) => status === 'active');
  return active
    .filter(({ health }) => health.state === 'open')
    .map(({ gatewayId, name, currency, health }) => {
      const { isRefused, lastReason, since } = health;
      const sameCurrency = active.filter((other) => other.currency === currency);
      const others = sameCurrency.filter((other) => other.health.state !== 'open').map((other) => other.name);
      const isRefusing = others.length === 0;
      const sentences = isRefused
        ? [
            lastReason
              ? t('{{gateway}} rejects the account: {{reason}}.', { gateway: name, reason: serviceText(lastReason).replace(/\.$/, '') })
              : t('{{gateway}} rejects the account.', { gateway: name }),
            isRefusing ? t('New payments are rejected until this is fixed.') : goToText(others),
            t('See Settings > Gateways.'),
          ]
        : [
            since === null
              ? t('{{gateway}} hasn’t responded.', { gateway: name })
              : t('{{gateway}} hasn’t responded since {{time}}.', { gateway: name, time: timeOf(since, timeZone, nowMs) }),
            isRefusing ? rejectedText(sameCurrency.length) : goToText(others),
          ];
      return { gatewayId, isRefusing, isRefused, message: sentences.join(' ') };
    });
}

const goToText = (gateways: readonly string[]) => t('New payments go to {{gateways}}.', { gateways: listText(gateways, 'disjunction') });

const rejectedText = (gateways: number) =>
  gateways === 1 ? t('New payments are rejected until it does.') : t('New payments are rejected until one of them does.');

interface Recovery {
  /** IDs of gateways that are unavailable or being tested. */
  readonly unavailable: ReadonlySet<string>;
  /** Gateways that were unavailable and answer again. */
  readonly names: readonly string[];
}

/** Returns the gateways of a merchant that recovered; a gateway that is no longer used does not count. */
export function findRecovered(before: ReadonlySet<string>, gateways: readonly GatewayHealthReport[]): Recovery {
  const active = gateways.filter(({ status }) => status === 'active');
  const unavailable = active.filter(
    ({ gatewayId, health: { state } }) => state === 'open' || (state === 'half-open' && before.has(gatewayId)),
  );
  const recovered = active.filter(({ gatewayId, health }) => health.state === 'closed' && before.has(gatewayId));
  return { unavailable: new Set(unavailable.map(({ gatewayId }) => gatewayId)), names: recovered.map(({ name }) => name) };
}

/** Returns the time of day, with the date if it is not today. */
function timeOf(at: string, timeZone: string, nowMs: number): string {
  const day = dateFormat({ timeZone, month: 'short', day: 'numeric' });
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(Date.parse(at));
  const isToday = day.format(Date.parse(at)) === day.format(nowMs);
  return isToday ? time : `${day.format(Date.parse(at))}, ${time}`;
}
