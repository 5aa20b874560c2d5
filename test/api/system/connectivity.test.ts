import { expect } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';

interface ReachRecord {
  state: string;
  since: string | null;
  merchantId: string | null;
  gateways: { gatewayId: string; state: string; cause: string | null }[];
  works: Record<string, boolean>;
  waitingMessages: number;
}

/** Time after which a returned gateway counts as online. */
const HOLD_SECONDS = 10;

const connectivityOf = ({ api }: ApiFixture, merchantId: string) =>
  expectData(api.admin.get<ReachRecord>(`/system/connectivity?merchantId=${merchantId}`));

async function changesOf({ api }: ApiFixture, merchantId: string) {
  const events = await expectData(
    api.admin.get<{ merchantId: string; data: Record<string, unknown> }[]>('/webhooks/events?types=system.connectivity_changed&limit=200'),
  );
  return events.filter((event) => event.merchantId === merchantId).map(({ data }) => [data.previousState, data.state]);
}

onAnyDatabase('says since when no gateway takes payments and what still works, and publishes each change once', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const online = await connectivityOf(fixture, merchantId);
  expect(online).toMatchObject({ state: 'online', since: null, works: { cards: true, payPages: true } });
  const [gateway] = online.gateways;
  const mode = (to: string) => expectData(api.admin.post('/sandbox/gateway', { mode: to, gatewayId: gateway?.gatewayId }));

  await mode('down');
  const down = await connectivityOf(fixture, merchantId);
  expect(down).toMatchObject({ state: 'gateway-down', gateways: [{ state: 'down', cause: 'silent' }] });
  expect(down.works).toEqual({
    cards: false,
    bankAccounts: false,
    refunds: false,
    chargeLater: false,
    cash: true,
    checks: true,
    invoices: true,
    payPages: false,
    messages: true,
  });
  await expectError(api.admin.post('/transactions', { ...cardBody(20), merchantId }), 503, 'GATEWAY_UNAVAILABLE');
  await expectData(api.admin.post('/tenders', { kind: 'cash', amount: 20, merchantId }), 201);

  // A flapping gateway changes nothing until it has answered for a while.
  await mode('normal');
  await mode('down');
  await mode('normal');
  expect(await connectivityOf(fixture, merchantId)).toMatchObject({
    state: 'gateway-down',
    since: down.since,
    gateways: [{ state: 'up' }],
  });
  await advanceClock(fixture, HOLD_SECONDS);
  expect(await connectivityOf(fixture, merchantId)).toMatchObject({ state: 'online', works: { cards: true } });
  expect(await changesOf(fixture, merchantId)).toEqual([
    ['online', 'gateway-down'],
    ['gateway-down', 'online'],
  ]);
});
