import { describe, expect, test } from 'vitest';
import type { GatewayHealth } from '#core/processing/gateways';
import type { Gateway } from '#core/processing/merchants';
import { connectivityOf, observedState, worksIn } from '../../../core/processing/connectivity/classify.ts';
import type { GatewayConnectivity } from '../../../core/processing/connectivity/records.ts';

const CONNECTED = { isSimulatedDown: false, hasNetwork: true };

function gateway(health: Partial<GatewayHealth>, origin: string | null = null): Gateway {
  return {
    id: 'gtw_1',
    name: 'NMI',
    type: 'nmi',
    settings: { currency: 'USD', origin },
    health: { state: 'closed', ...health },
  } as Gateway;
}
const reached = (state: 'up' | 'down', cause: GatewayConnectivity['cause'] = null, currency: string | null = 'USD') =>
  ({ state, cause, currency }) as GatewayConnectivity;

describe('the connection to one gateway', () => {
  test.each<[text: string, lastReason: string, isRefused: boolean, cause: GatewayConnectivity['cause']]>([
    ['no response', 'The processor did not respond in time.', false, 'silent'],
    ['a name that cannot be resolved', 'The connection to the processor failed (EAI_AGAIN).', false, 'network'],
    ['an unreachable network', 'The connection to the processor failed (ENETUNREACH).', false, 'network'],
    ['a refused connection', 'The connection to the processor failed (ECONNREFUSED).', false, 'silent'],
    ['a refused account', 'The key is not known.', true, 'refused'],
  ])('names the cause of an outage: %s', (_, lastReason, isRefused, cause) => {
    const since = '2026-11-24T10:42:00.000Z';
    expect(connectivityOf(gateway({ state: 'open', since, lastReason, isRefused }), CONNECTED)).toMatchObject({
      state: 'down',
      cause,
      since,
    });
  });

  test('is up while the circuit is half-open, so that a payment can close it', () => {
    expect(connectivityOf(gateway({ state: 'half-open' }), CONNECTED)).toMatchObject({ state: 'up', cause: null });
  });

  test('is down without a network, except for a simulator on this computer', () => {
    const unplugged = { isSimulatedDown: false, hasNetwork: false };
    expect(connectivityOf(gateway({}), unplugged)).toMatchObject({ state: 'down', cause: 'network' });
    expect(connectivityOf(gateway({}, 'http://127.0.0.1:9000'), unplugged)).toMatchObject({ state: 'up' });
  });
});

describe('the state of a merchant', () => {
  test.each<[text: string, gateways: readonly GatewayConnectivity[], state: string]>([
    ['no gateway', [], 'online'],
    ['one of two gateways answers', [reached('down', 'silent'), reached('up')], 'online'],
    ['no gateway answers', [reached('down', 'silent'), reached('down', 'refused')], 'gateway-down'],
    ['no gateway has a network', [reached('down', 'network'), reached('down', 'network')], 'offline'],
    ['one gateway has no network and another one is silent', [reached('down', 'network'), reached('down', 'silent')], 'gateway-down'],
    ['only a gateway of another currency answers', [reached('down', 'silent'), reached('up', null, 'EUR')], 'gateway-down'],
    ['every gateway has another currency', [reached('up', null, 'EUR')], 'online'],
  ])('%s', (_, gateways, state) => expect(observedState(gateways, 'USD')).toBe(state));

  test('lets cash, checks and invoices go on in every outage, and messages only with a network', () => {
    for (const state of ['gateway-down', 'offline'] as const)
      expect(worksIn(state, true, false)).toEqual({
        cards: false,
        bankAccounts: false,
        refunds: false,
        chargeLater: false,
        cash: true,
        checks: true,
        invoices: true,
        payPages: false,
        messages: state === 'gateway-down',
      });
    expect(worksIn('online', true, true)).toMatchObject({ cards: true, chargeLater: true, payPages: true, messages: true });
    expect(worksIn('online', false, false)).toMatchObject({ cards: false, cash: true });
  });
});
