import { afterAll, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import type { MessageRecord } from '../notifications/outbox.ts';

const INVOICES = sized(40, 120);
const DAY_MS = 86_400_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

interface Reminders {
  readonly sent: readonly { readonly messageId: string }[];
}

const remindersOf = (api: Api, ids: readonly string[]) =>
  Promise.all(ids.map((id) => expectData(api.admin.get<Reminders>(`/invoices/${id}/reminders`))));

/** Returns the number of reminders in the outbox. */
async function messagesOf(api: Api, to: string): Promise<MessageRecord[]> {
  const found = await expectData(api.admin.get<MessageRecord[]>(`/notifications/messages?limit=200&q=${encodeURIComponent(to)}`));
  return found.filter(({ subject }) => subject?.includes('overdue'));
}

test.each(ANY_DATABASE)(
  'reminds each invoice exactly once after a kill -9 while reminders are sent (%s)',
  { timeout: 240_000 },
  async (database) => {
    const made = await createSampleInstallation(database);
    cleanUp.push(made.remove);
    const killed = await startServerProcess(made.dataDir, made.url, ['--log-level', 'silent']);
    const before = apiOf(killed.baseUrl, killed.credentials);
    const { merchantId } = await expectData(
      before.admin.post<{ merchantId: string }>('/merchants', { name: 'Killed', timezone: 'UTC' }),
      201,
    );
    await expectData(
      before.admin.put(`/merchants/${merchantId}/reminder-settings`, {
        enabled: true,
        steps: [{ days: 1, channel: 'email', texts: {} }],
        weekdays: [0, 1, 2, 3, 4, 5, 6],
      }),
    );
    const { now } = await expectData(before.admin.get<{ now: string }>('/sandbox/clock'));
    const dayAfter = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10);
    const domain = '@killed.example';
    const ids = await Promise.all(
      Array.from({ length: INVOICES }, async (_, nth) => {
        // Other addresses keep within the limits of messages to one address.
        const customer = { merchantId, firstName: 'Kill', lastName: 'Nine', email: `customer${nth}${domain}` };
        const { customerId } = await expectData(before.admin.post<{ customerId: string }>('/customers', customer), 201);
        const body = { customerId, amount: 10, dueDate: dayAfter(1) };
        const { invoiceId } = await expectData(before.admin.post<{ invoiceId: string }>('/invoices', body), 201);
        await expectData(before.admin.post(`/invoices/${invoiceId}/send`, {}));
        return invoiceId;
      }),
    );
    const clock = { now: `${dayAfter(2)}T09:00:30Z` };
    const moving = before.admin.post('/sandbox/clock', clock).catch(() => undefined);
    await until('some reminders are sent', async () => (await messagesOf(before, domain)).length > INVOICES / 8);
    await killed.kill();
    await moving;
    await expireLeasesOfKilledServers(made.url);
    const server = await startServer({ dataDir: made.dataDir, databaseUrl: made.url, port: 0, demo: true, logLevel: 'silent' });
    cleanUp.push(() => server.close());
    if (!server.credentials) throw new Error('A server with --demo has credentials.');
    const api = apiOf(server.baseUrl, server.credentials);
    await api.admin.post('/sandbox/clock', clock);
    await until('each invoice is reminded', async () => (await remindersOf(api, ids)).every(({ sent }) => sent.length === 1));
    await expectData(api.admin.post('/sandbox/clock', { now: `${dayAfter(6)}T12:00:00Z` }));
    const reminders = await remindersOf(api, ids);
    const sent = reminders.flatMap((each) => each.sent.map(({ messageId }) => messageId));
    const messages = (await messagesOf(api, domain)).map(({ messageId }) => messageId);
    expect(new Set(sent)).toEqual(new Set(messages));
    expect(messages).toHaveLength(INVOICES);
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
