// @module-tag full
import { afterAll, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/webhook-receiver.ts';
import type { EndpointRecord } from '../../support/webhooks.ts';

/** Number of earlier events; more than may be open at once. */
const HISTORY = sized(600, 6_000);
const KILLS = 2;
const SALES_PER_ROUND = sized(5, 60);
const PAGE = 200;
/** Maximum number of open deliveries of a catch-up, and so of repeated requests after a kill. */
const OPEN_MAX = 256;

interface EventRecord {
  readonly id: string;
  readonly resourceId: string;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Returns the newest events in the order of the history, at least `count` if there are as many. */
async function newestEvents({ admin }: Api, count: number): Promise<EventRecord[]> {
  let events: EventRecord[] = [];
  for (let isMore = true; isMore && events.length < count; ) {
    const before = events[0] ? `&before=${events[0].id}` : '';
    const page = await expectData(admin.get<EventRecord[]>(`/webhooks/events?limit=${PAGE}${before}`));
    events = [...page, ...events];
    isMore = page.length === PAGE;
  }
  return events;
}

/** Returns the events after another one in the order of the history. */
async function eventsAfter({ admin }: Api, id: string): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (let after: string | null = id; after !== null; ) {
    const page = await admin.get<EventRecord[]>(`/webhooks/events?limit=${PAGE}&after=${after}`);
    events.push(...(await expectData(page)));
    after = page.body.pagination.nextCursor as string | null;
  }
  return events;
}

test.each(ANY_DATABASE)(
  'sends each earlier event and each new one in order after two kill -9 during a catch-up (%s)',
  { timeout: 240_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const receiver = await startReceiver();
    cleanUp.push(() => receiver.stop());
    const start = async () => {
      const server = await startServerProcess(dataDir, url, ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE]);
      cleanUp.push(() => server.kill());
      return { server, api: apiOf(server.baseUrl, server.credentials) };
    };
    const sell = async ({ admin }: Api) => {
      for (let sales = 0; sales < SALES_PER_ROUND; sales += 1) {
        const { transactionId } = await expectData(admin.post<{ transactionId: string }>('/transactions', cardBody(7)));
        await expectData(admin.post(`/transactions/${transactionId}/refund`, { amount: 1 }));
      }
    };
    const ids = () => new Set(receiver.received.map(({ event }) => event.id));

    let { server, api }: { server: ServerProcess; api: Api } = await start();
    const [first, ...old] = await newestEvents(api, HISTORY);
    if (!first) throw new Error('The sample data has no events.');
    const endpoint = await expectData(
      api.admin.post<EndpointRecord>('/webhooks', { url: receiver.url(), events: ['*'], catchUp: { fromEventId: first.id } }),
      201,
    );
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const selling = sell(api).catch(() => {});
      await until('the catch-up has progressed', () => ids().size > (old.length * kill) / (KILLS + 2));
      await server.kill();
      await selling;
      await expireLeasesOfKilledServers(url);
      ({ server, api } = await start());
    }
    await sell(api);
    const progress = await until('the catch-up is done', async () => {
      const now = await expectData(api.admin.get<{ state: string; sent: number; total: number }>(`/webhooks/${endpoint.id}/catch-up`));
      return now.state === 'done' && now;
    });
    expect(progress).toMatchObject({ sent: old.length, total: old.length });
    await sell(api);

    const all = await eventsAfter(api, first.id);
    await until('every event is received', () => ids().size >= all.length);
    const received = [...ids()];
    expect(received.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    const place = new Map(received.map((id, index) => [id, index]));
    const oldIds = new Set(old.map(({ id }) => id));
    const lastOld = Math.max(...received.flatMap((id, index) => (oldIds.has(id) ? [index] : [])));
    expect(received.findIndex((id) => !oldIds.has(id))).toBeGreaterThan(lastOld);
    for (const events of Map.groupBy(all, ({ resourceId }) => resourceId).values()) {
      const places = events.map(({ id }) => place.get(id) ?? -1);
      expect(places).toEqual(places.toSorted((left, right) => left - right));
    }
    // Only a request whose result was not recorded before the kill is repeated, with the same ID.
    expect(receiver.received.length - received.length).toBeLessThanOrEqual(KILLS * OPEN_MAX);
    const deliveries = await api.admin.get(`/webhooks/${endpoint.id}/deliveries?limit=1`);
    expect(deliveries.body.pagination.total).toBe(all.length);
    console.info(`${all.length} events, ${receiver.received.length - received.length} requests repeated after ${KILLS} kills`);
  },
);
