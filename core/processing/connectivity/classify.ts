import { isNetworkFault } from '#core/processing/gateways';
import type { Gateway } from '#core/processing/merchants';
import type { GatewayConnectivity, Works } from './records.ts';
import type { ConnectivityState } from './steady-state.ts';

/** Facts about this server that decide how it reaches a gateway. */
export interface Surroundings {
  /** True if the sandbox simulates an outage of the gateway. */
  readonly isSimulatedDown: boolean;
  /** True if the computer has an address in a network. */
  readonly hasNetwork: boolean;
}

const SIMULATED = 'The sandbox simulates an outage of this gateway.';
const NO_NETWORK = 'This computer has no network connection.';

/** Returns how this server reaches a gateway. A gateway whose circuit is half-open takes payments again, one at a time. */
export function connectivityOf(
  { id, name, type, settings, health }: Gateway,
  { isSimulatedDown, hasNetwork }: Surroundings,
): GatewayConnectivity {
  const gateway = { gatewayId: id, name, type, currency: settings?.currency ?? null };
  if (isSimulatedDown) return { ...gateway, state: 'down', cause: 'silent', since: null, reason: SIMULATED };
  // A sandbox gateway and a simulator on this computer need no network.
  const needsNetwork = settings !== null && settings.origin === null;
  if (needsNetwork && !hasNetwork)
    return { ...gateway, state: 'down', cause: 'network', since: health.state === 'open' ? health.since : null, reason: NO_NETWORK };
  if (health.state !== 'open') return { ...gateway, state: 'up', cause: null, since: null, reason: null };
  const cause = health.isRefused ? 'refused' : isNetworkFault(health.lastReason ?? '') ? 'network' : 'silent';
  return { ...gateway, state: 'down', cause, since: health.since, reason: health.lastReason };
}

/** Returns the gateways that decide about a merchant: those of its currency, or all if none has its currency. */
function decisive(gateways: readonly GatewayConnectivity[], currency: string): readonly GatewayConnectivity[] {
  const own = gateways.filter((gateway) => gateway.currency === null || gateway.currency === currency);
  return own.length === 0 ? gateways : own;
}

/**
 * Returns the observed state of a merchant. One gateway that answers is enough to be online, because payments go to it. A merchant without
 * gateways is online: the missing setup is not an outage.
 */
export function observedState(gateways: readonly GatewayConnectivity[], currency: string): ConnectivityState {
  const deciding = decisive(gateways, currency);
  if (deciding.length === 0 || deciding.some(({ state }) => state === 'up')) return 'online';
  return deciding.every(({ cause }) => cause === 'network') ? 'offline' : 'gateway-down';
}

export const NOTHING_WORKS: Works = {
  cards: false,
  bankAccounts: false,
  refunds: false,
  chargeLater: false,
  cash: false,
  checks: false,
  invoices: false,
  payPages: false,
  messages: false,
};

/** Returns which operations work in a state. */
export function worksIn(state: ConnectivityState, hasGateway: boolean, allowsChargeLater: boolean): Works {
  const charges = state === 'online' && hasGateway;
  return {
    cards: charges,
    bankAccounts: charges,
    refunds: charges,
    chargeLater: allowsChargeLater,
    cash: true,
    checks: true,
    invoices: true,
    payPages: charges,
    messages: state !== 'offline',
  };
}
