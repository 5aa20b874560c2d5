import { expect, test } from 'vitest';
import type { GatewayHealthReport } from '../../../renderer/base/client/shapes.ts';
import { findOutages, findRecovered } from '../../../renderer/shell/gateway-outages.ts';

type State = GatewayHealthReport['health']['state'];

const SINCE = '2026-03-05T15:42:00.000Z';
const NOW_MS = Date.parse('2026-03-05T15:50:00.000Z');

function gateway(name: string, state: State, more: Partial<GatewayHealthReport> = {}, health = {}): GatewayHealthReport {
  return {
    gatewayId: name,
    merchantId: 'mer_1',
    name,
    type: 'nmi',
    status: 'active',
    currency: 'USD',
    health: {
      state,
      since: SINCE,
      failures: 0,
      lastAnswerAt: null,
      lastFailureAt: null,
      lastReason: null,
      nextProbeAt: null,
      isRefused: false,
      ...health,
    },
    ...more,
  } as GatewayHealthReport;
}

const messages = (...gateways: GatewayHealthReport[]) => findOutages(gateways, 'America/New_York', NOW_MS).map((outage) => outage.message);

test('reports the reason of a refused account, with or without a full stop', () => {
  const refused = { isRefused: true, lastReason: 'The key is not known' };
  const message = 'NMI rejects the account: The key is not known. New payments are rejected until this is fixed. See Settings > Gateways.';
  expect(messages(gateway('NMI', 'open', {}, refused))).toEqual([message]);
  expect(messages(gateway('NMI', 'open', {}, { ...refused, lastReason: 'The key is not known.' }))).toEqual([message]);
  expect(messages(gateway('NMI', 'open', {}, { ...refused, lastReason: null }), gateway('Other', 'closed'))).toEqual([
    'NMI rejects the account. New payments go to Other. See Settings > Gateways.',
  ]);
});

test('reports the time of a gateway without answers', () => {
  expect(messages(gateway('NMI', 'open', {}, { lastReason: 'ETIMEDOUT' }))).toEqual([
    'NMI hasn’t responded since 10:42 AM. New payments are rejected until it does.',
  ]);
});

test('reports the recovery of a gateway when its circuit is closed', () => {
  const unavailable = findRecovered(new Set(), [gateway('NMI', 'open'), gateway('Other', 'closed')]);
  expect(unavailable).toEqual({ unavailable: new Set(['NMI']), names: [] });
  const tried = findRecovered(unavailable.unavailable, [gateway('NMI', 'half-open'), gateway('Other', 'closed')]);
  expect(tried).toEqual({ unavailable: new Set(['NMI']), names: [] });
  expect(findRecovered(tried.unavailable, [gateway('NMI', 'closed'), gateway('Other', 'closed')])).toEqual({
    unavailable: new Set(),
    names: ['NMI'],
  });
});

test('reports no recovery of a gateway that was disabled or removed', () => {
  const before = new Set(['NMI', 'Other']);
  const left = findRecovered(before, [gateway('NMI', 'closed', { status: 'disabled' })]);
  expect(left).toEqual({ unavailable: new Set(), names: [] });
});
