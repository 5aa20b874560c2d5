import { expect, test } from 'vitest';
import type { GatewayStanding } from '../../../renderer/client/shapes.ts';
import { outagesOf, returnedOf } from '../../../renderer/shell/gateway-outages.ts';

type State = GatewayStanding['health']['state'];

const SINCE = '2026-03-05T15:42:00.000Z';
const NOW_MS = Date.parse('2026-03-05T15:50:00.000Z');

function gateway(name: string, state: State, more: Partial<GatewayStanding> = {}, health = {}): GatewayStanding {
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
  } as GatewayStanding;
}

const words = (...gateways: GatewayStanding[]) => outagesOf(gateways, 'America/New_York', NOW_MS).map((outage) => outage.words);

test('reports the reason of a refused account, with or without a full stop', () => {
  const refused = { isRefused: true, lastReason: 'The key is not known' };
  const told = 'NMI refuses the account: The key is not known. New payments are refused until that is mended. See Settings, Gateways.';
  expect(words(gateway('NMI', 'open', {}, refused))).toEqual([told]);
  expect(words(gateway('NMI', 'open', {}, { ...refused, lastReason: 'The key is not known.' }))).toEqual([told]);
  expect(words(gateway('NMI', 'open', {}, { ...refused, lastReason: null }), gateway('Other', 'closed'))).toEqual([
    'NMI refuses the account. New payments go to Other. See Settings, Gateways.',
  ]);
});

test('reports the time of a gateway without answers', () => {
  expect(words(gateway('NMI', 'open', {}, { lastReason: 'ETIMEDOUT' }))).toEqual([
    'NMI has not answered since 10:42 AM. New payments are refused until it does.',
  ]);
});

test('reports the recovery of a gateway when its circuit is closed', () => {
  const away = returnedOf(new Set(), [gateway('NMI', 'open'), gateway('Other', 'closed')]);
  expect(away).toEqual({ away: new Set(['NMI']), names: [] });
  const tried = returnedOf(away.away, [gateway('NMI', 'half-open'), gateway('Other', 'closed')]);
  expect(tried).toEqual({ away: new Set(['NMI']), names: [] });
  expect(returnedOf(tried.away, [gateway('NMI', 'closed'), gateway('Other', 'closed')])).toEqual({ away: new Set(), names: ['NMI'] });
});

test('reports no recovery of a gateway that was disabled or removed', () => {
  const away = new Set(['NMI', 'Other']);
  const left = returnedOf(away, [gateway('NMI', 'closed', { status: 'disabled' })]);
  expect(left).toEqual({ away: new Set(), names: [] });
});
