import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { startWorkstations, type Workstations } from '../../support/workstations.ts';

const QUEUE = '/refund-decline-queue';
const REFUNDS = sized(6, 12);

let stations: Workstations;
const cleanUp: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  stations = await startWorkstations(2);
  cleanUp.push(stations.stop);
});
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Counts the declined refunds in the processor's ledger. */
async function declinedAtGateway(): Promise<number> {
  const ledger = await openSandboxLedger({ url: stations.url });
  const [row] = await ledger
    .readAcrossTenants()
    .all<{ n: number }>("SELECT count(*) AS n FROM sandbox_ledger WHERE operation = 'refund' AND approved = 0");
  await ledger.close();
  return Number(row?.n);
}

test('sends each attempt and each delivery once and in order when two workstations retry declined refunds in parallel', async () => {
  const { apis } = stations;
  const [one] = apis as readonly [Api, Api];
  const declinedBefore = await declinedAtGateway();
  const receiver = await startReceiver();
  cleanUp.push(() => receiver.stop());
  await expectData(one.admin.post('/webhooks', { url: receiver.url(), events: ['*'] }), 201);

  const turns = Array.from({ length: REFUNDS }, (_, index) => apis[index % 2] as Api);
  const owed = await Promise.all(
    turns.map(async (api, index) => {
      const { transactionId } = await expectData(
        api.admin.post<TransactionRecord>('/transactions', cardBody(100 + index, CARDS.refundDeclined)),
      );
      await (apis[(index + 1) % 2] as Api).admin.post(`/transactions/${transactionId}/refund`);
      return transactionId;
    }),
  );
  const queued = await expectData(one.admin.get<{ id: string; transactionId: string }[]>(`${QUEUE}?limit=200`));
  const entries = queued.filter(({ transactionId }) => owed.includes(transactionId));
  expect(entries).toHaveLength(REFUNDS);
  // Both workstations run the queue while people press retry on both.
  const retries = entries.flatMap(({ id }) => apis.map((api) => api.admin.post(`${QUEUE}/${id}/retry`)));
  const runs = await Promise.all([...apis, ...apis].map((api) => api.admin.post(`${QUEUE}/process-retries`)));
  expect(runs.every(({ status }) => status === 200)).toBe(true);
  await Promise.all(retries);
  await until('no refund is being retried', async () =>
    (await expectData(one.admin.get<{ status: string }[]>(`${QUEUE}?limit=200`))).every(({ status }) => status !== 'processing'),
  );

  let attempts = 0;
  for (const { id } of entries) {
    const entry = await expectData(one.admin.get<{ attempts: { result: string }[] }>(`${QUEUE}/${id}`));
    expect(entry.attempts.every(({ result }) => result === 'declined')).toBe(true);
    attempts += entry.attempts.length;
  }
  expect((await declinedAtGateway()) - declinedBefore).toBe(REFUNDS + attempts);

  await receiver.waitFor('/', REFUNDS * 3);
  await expect
    .poll(async () => {
      const [endpoint] = await expectData(one.admin.get<{ last24Hours: { pending: number } }[]>('/webhooks'));
      return endpoint?.last24Hours.pending;
    })
    .toBe(0);
  const ids = receiver.received.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const transactionId of owed) {
    const types = receiver.received.filter(({ event }) => event.data.transactionId === transactionId).map(({ event }) => event.type);
    expect(types.slice(0, 3)).toEqual(['transaction.approved', 'refund.declined', 'refund_decline_queue.created']);
  }
});
