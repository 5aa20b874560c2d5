import { afterAll, describe, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, type DatabaseKind, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import type { MessageRecord } from '../notifications/outbox.ts';

const INVOICES = sized(40, 120);
const DAY_MS = 86_400_000;
const DOMAIN = '@killed.example';

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

const ofEach = <Record>(api: Api, ids: readonly string[], path = '') =>
  Promise.all(ids.map((id) => expectData(api.admin.get<Record>(`/invoices/${id}${path}`))));

interface LateFees {
  readonly charged: readonly { readonly period: number; readonly amount: number }[];
}
const feesOf = (api: Api, ids: readonly string[]) => ofEach<LateFees>(api, ids, '/late-fees');

interface Reminders {
  readonly sent: readonly { readonly messageId: string }[];
}
const remindersOf = (api: Api, ids: readonly string[]) => ofEach<Reminders>(api, ids, '/reminders');

/** A run that a merchant switches on, with its local time and the number of times that it did its work for each invoice. */
interface DailyRun {
  readonly settings: string;
  readonly body: object;
  readonly time: string;
  readonly countsOf: (api: Api, ids: readonly string[]) => Promise<number[]>;
  readonly check: (api: Api, ids: readonly string[]) => Promise<void>;
}

const LATE_FEES: DailyRun = {
  settings: 'late-fee-settings',
  body: { enabled: true, kind: 'percent', percent: 10, graceDays: 0, repeat: 'never', ceilingPercent: 50 },
  time: '06:00:30Z',
  countsOf: async (api, ids) => (await feesOf(api, ids)).map(({ charged }) => charged.length),
  async check(api, ids) {
    for (const { charged } of await feesOf(api, ids)) expect(charged).toMatchObject([{ period: 1, amount: 1 }]);
    const invoices = await ofEach<{ amount: number; items: object[] }>(api, ids);
    expect(invoices.map(({ amount, items }) => [amount, items.length])).toEqual(ids.map(() => [11, 2]));
  },
};

const REMINDERS: DailyRun = {
  settings: 'reminder-settings',
  body: { enabled: true, steps: [{ days: 1, channel: 'email', texts: {} }], weekdays: [0, 1, 2, 3, 4, 5, 6] },
  time: '09:00:30Z',
  countsOf: async (api, ids) => (await remindersOf(api, ids)).map(({ sent }) => sent.length),
  async check(api, ids) {
    const sent = (await remindersOf(api, ids)).flatMap((each) => each.sent.map(({ messageId }) => messageId));
    const outbox = await expectData(api.admin.get<MessageRecord[]>(`/notifications/messages?limit=200&q=${encodeURIComponent(DOMAIN)}`));
    const messages = outbox.filter(({ subject }) => subject?.includes('overdue')).map(({ messageId }) => messageId);
    expect(new Set(sent)).toEqual(new Set(messages));
    expect(messages).toHaveLength(INVOICES);
  },
};

async function surviveKill(database: DatabaseKind, { settings, body, time, countsOf, check }: DailyRun): Promise<void> {
  const made = await createSampleInstallation(database);
  cleanUp.push(made.remove);
  const killed = await startServerProcess(made.dataDir, made.url, ['--log-level', 'silent']);
  const before = apiOf(killed.baseUrl, killed.credentials);
  const { merchantId } = await expectData(
    before.admin.post<{ merchantId: string }>('/merchants', { name: 'Killed', timezone: 'UTC' }),
    201,
  );
  await expectData(before.admin.put(`/merchants/${merchantId}/${settings}`, body));
  const { now } = await expectData(before.admin.get<{ now: string }>('/sandbox/clock'));
  const dayAfter = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10);
  const ids = await Promise.all(
    Array.from({ length: INVOICES }, async (_, nth) => {
      // Other addresses keep within the limits of messages to one address.
      const customer = { merchantId, firstName: 'Kill', lastName: 'Nine', email: `customer${nth}${DOMAIN}` };
      const { customerId } = await expectData(before.admin.post<{ customerId: string }>('/customers', customer), 201);
      const invoice = { customerId, amount: 10, dueDate: dayAfter(1) };
      const { invoiceId } = await expectData(before.admin.post<{ invoiceId: string }>('/invoices', invoice), 201);
      await expectData(before.admin.post(`/invoices/${invoiceId}/send`, {}));
      return invoiceId;
    }),
  );
  const clock = { now: `${dayAfter(2)}T${time}` };
  const moving = before.admin.post('/sandbox/clock', clock).catch(() => undefined);
  await until('some invoices are done', async () => (await countsOf(before, ids)).filter((count) => count > 0).length > INVOICES / 8);
  await killed.kill();
  await moving;
  await expireLeasesOfKilledServers(made.url);
  const server = await startServer({ dataDir: made.dataDir, databaseUrl: made.url, port: 0, demo: true, logLevel: 'silent' });
  cleanUp.push(() => server.close());
  if (!server.credentials) throw new Error('A server with --demo has credentials.');
  const api = apiOf(server.baseUrl, server.credentials);
  await api.admin.post('/sandbox/clock', clock);
  await until('each invoice is done', async () => (await countsOf(api, ids)).every((count) => count === 1));
  await expectData(api.admin.post('/sandbox/clock', { now: `${dayAfter(6)}T12:00:00Z` }));
  await check(api, ids);
  expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
}

describe.each(ANY_DATABASE)('a kill -9 during a run of a merchant (%s)', { timeout: 240_000 }, (database) => {
  test('charges the late fee of each invoice exactly once', () => surviveKill(database, LATE_FEES));
  test('reminds each invoice exactly once', () => surviveKill(database, REMINDERS));
});
