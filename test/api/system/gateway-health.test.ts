import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { addSimulatorGateway, type LiveServer, startLiveServer } from '../../support/live-server.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, expectData, expectError } from '../../support/server.ts';

interface Standing {
  gatewayId: string;
  merchantId: string;
  name: string;
  type: string;
  status: string;
  currency: string | null;
  health: { state: string; since: string | null; failures: number; lastReason: string | null; nextProbeAt: string | null };
}
interface Item {
  name: string;
  state: string;
  message: string;
  action: string | null;
  facts: { name: string; value: string | null }[];
}

/** Credentials that the simulator accepts. */
const MATCHING_CVV = '999';
const BUSY = [{ do: 'http-429', on: ['sale'] }] as const;

describe.each(ANY_DATABASE)('whether live gateways answer (%s)', (database) => {
  let live: LiveServer;
  let first: Peer;
  let second: Peer;
  let firstId = '';

  beforeAll(async () => {
    live = await startLiveServer(database);
    [first, second] = [await startSimulator('nmi'), await startSimulator('nmi')];
  });
  afterAll(async () => {
    await live.stop();
    await first.stop();
    await second.stop();
  });

  const standings = () => expectData(live.api.admin.get<Standing[]>('/gateways/health'));
  const stateOf = async (name: string) => (await standings()).find((each) => each.name === name)?.health.state;
  async function item(): Promise<Item> {
    const { items } = await expectData(live.api.admin.get<{ items: Item[] }>('/system/status'));
    return items.find(({ name }) => name === 'gateways') as Item;
  }
  let cents = 0;
  const sell = () => {
    cents += 1;
    return live.api.admin.post<TransactionRecord & { gateway: string }>('/transactions', {
      type: 'sale',
      amount: (1_000 + cents) / 100,
      card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: MATCHING_CVV },
    });
  };
  const soldBy = async () => {
    const { transactionId } = await expectData(sell());
    return (await expectData(live.api.admin.get<{ gateway: string }>(`/transactions/${transactionId}`))).gateway;
  };

  test('reports a missing gateway as a problem, and an answering one as healthy', async () => {
    expect(await item()).toMatchObject({ state: 'problem', action: 'open-gateways' });
    expect(await standings()).toEqual([]);
    ({ id: firstId } = await addSimulatorGateway(live, first, { name: 'First' }));
    await addSimulatorGateway(live, second, { name: 'Second' });
    expect(await soldBy()).toBe('First');
    expect(await standings()).toMatchObject([
      { gatewayId: firstId, merchantId: live.merchantId, name: 'First', type: 'nmi', status: 'active', currency: 'USD' },
      { name: 'Second', health: { state: 'closed', since: null, failures: 0, nextProbeAt: null } },
    ]);
    expect(await item()).toMatchObject({ state: 'ok' });
  });

  test('asks an unavailable gateway three times, then uses the next one immediately and reports it', async () => {
    first.faults(BUSY);
    const before = first.requestCounts().sale ?? 0;
    for (let n = 0; n < 5; n += 1) expect(await soldBy()).toBe('Second');
    expect((first.requestCounts().sale ?? 0) - before).toBe(3);
    const [shown] = await standings();
    expect(shown?.health).toMatchObject({ state: 'open', failures: 3, since: expect.any(String), nextProbeAt: expect.any(String) });
    expect(await item()).toMatchObject({
      state: 'problem',
      action: 'open-gateways',
      message: expect.stringMatching(/^First has not responded for .+: new payments go to Second\.$/),
    });
  });

  test('refuses a payment immediately without a charge if all gateways are unavailable', async () => {
    second.faults(BUSY);
    for (let n = 0; n < 3; n += 1) await expectError(sell(), 503, 'GATEWAY_UNAVAILABLE');
    const before = second.requestCounts().sale ?? 0;
    await expectError(sell(), 503, 'GATEWAY_UNAVAILABLE');
    expect(second.requestCounts().sale).toBe(before);
    expect(await item()).toMatchObject({ state: 'problem', message: expect.stringContaining('refused') });
  });

  test('tests a recovered gateway with one payment, whose answer closes its circuit', async () => {
    first.faults();
    await expectData(live.api.admin.post(`/merchants/${live.merchantId}/gateways/${firstId}/check`));
    expect(await stateOf('First')).toBe('half-open');
    expect(await soldBy()).toBe('First');
    expect(await stateOf('First')).toBe('closed');
    expect(await stateOf('Second')).toBe('open');
  });
});
