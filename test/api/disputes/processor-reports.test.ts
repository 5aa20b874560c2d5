// Chargebacks of a live account, from the processor to the webhook.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { addSimulatorGateway, type LiveServer, saleAtSimulator, startLiveServer } from '../../support/live-server.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { expectData, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';

interface DisputeRecord {
  disputeId: string;
  status: string;
  origin: string;
  reason: string;
  withheldAmount: number;
  returnedAmount: number;
}

describe.each([
  ['sqlite', 'authorizenet'],
  ['postgres', 'nmi'],
] as const)('chargebacks of processors (%s, %s)', (database, type) => {
  let live: LiveServer;
  let simulator: Peer;
  beforeAll(async () => {
    live = await startLiveServer(database);
    simulator = await startSimulator(type);
    await addSimulatorGateway(live, simulator);
  });
  afterAll(async () => {
    await live.stop();
    await simulator.stop();
  });

  test('become disputes with events, and are won by the reversal of the processor', type === 'nmi' ? FULL : {}, async () => {
    const { admin } = live.api;
    const sale = await expectData(admin.post<TransactionRecord & { processorRef: string }>('/transactions', saleAtSimulator(64)));
    simulator.closeBatch();
    const reference = simulator.ledger.byOurReference(sale.processorRef)[0]?.reference ?? '';
    const control = (path: string, body: object) =>
      fetch(`${simulator.origin}/__peer/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const check = () => expectData(admin.post<{ gateways: number }>('/disputes/check'));
    const dispute = (status: string) =>
      until(`the dispute is ${status}`, async () => {
        const found = await expectData(admin.get<DisputeRecord[]>(`/disputes?transactionId=${sale.transactionId}`));
        return found.find((each) => each.status === status);
      });
    expect((await control('chargeback', { reference, code: '10.4', reason: 'Fraud', amountMinor: 6_400 })).status).toBe(200);
    expect(await check()).toEqual({ gateways: 1 });
    const opened = await dispute('open');
    expect(opened).toMatchObject({ origin: 'processor', withheldAmount: 64 });
    expect((await control('reverse-chargeback', { reference })).status).toBe(200);
    await check();
    expect(await dispute('won')).toMatchObject({ disputeId: opened.disputeId, withheldAmount: 0, returnedAmount: 64 });
    const events = await expectData(admin.get<{ type: string; data: { chargebackId?: string } }[]>('/webhooks/events?limit=50'));
    const own = events.filter(({ data }) => data.chargebackId === opened.disputeId).map((event) => event.type);
    expect(own.toSorted()).toEqual(['chargeback.received', 'chargeback.won']);
  });
});
