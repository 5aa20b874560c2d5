import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreBackup } from '#server';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CONFIRMED, startLiveServer } from '../../support/live-server.ts';
import {
  type Api,
  type ApiFixture,
  apiOf,
  describeOnAnyDatabase,
  expectData,
  expectError,
  FULL,
  onAnyDatabase,
  startTestServer,
} from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { type MailServer, startMailServer } from '../notifications/fake-mail-server.ts';
import { type MessageRecord, setMailServer, settingsFor } from '../notifications/outbox.ts';

interface Reminders {
  readonly sent: readonly {
    readonly days: number;
    readonly messageId: string;
    readonly status: string;
    readonly error: string | null;
    readonly sentAt: string | null;
    readonly answer: string | null;
  }[];
}

const DAY_MS = 86_400_000;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const step = (days: number) => ({ days, channel: 'email', texts: {} });

let mail: MailServer;
const undo: (() => unknown)[] = [];
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(async () => {
  for (const each of undo.reverse()) await each();
  await mail.stop();
});

const today = async ({ admin }: Api) => (await expectData(admin.get<{ now: string }>('/sandbox/clock'))).now.slice(0, 10);
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const moveTo = ({ admin }: Api, day: string, time: string) => expectData(admin.post('/sandbox/clock', { now: `${day}T${time}Z` }));
const remindersOf = ({ admin }: Api, id: string) => expectData(admin.get<Reminders>(`/invoices/${id}/reminders`));

/** Creates a merchant in UTC that reminds at nine, on days after the due date. */
async function createMerchant({ admin }: Api, ...days: number[]): Promise<string> {
  const body = { name: 'Reminding', timezone: 'UTC' };
  const { merchantId } = await expectData(admin.post<{ merchantId: string }>('/merchants', body), 201);
  const settings = { enabled: true, steps: days.map(step), weekdays: EVERY_DAY };
  await expectData(admin.put(`/merchants/${merchantId}/reminder-settings`, settings));
  return merchantId;
}

async function sendInvoice(service: ApiFixture, merchantId: string, dueDate: string): Promise<string> {
  const { customerId } = await createCustomer(service, { merchantId });
  const { invoiceId } = await createInvoice(service, customerId, { dueDate });
  await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
  return invoiceId;
}

describeOnAnyDatabase('reminders that wait for delivery', (fixture) => {
  test('are not sent for an invoice that was paid, stopped, promised or canceled meanwhile, nor after their hours', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(api, 1);
    const dueDate = addDays(await today(api), 1);
    const names = ['paid', 'stopped', 'promised', 'canceled', 'open'] as const;
    const ids = await Promise.all(names.map(() => sendInvoice(service, merchantId, dueDate)));
    const [paid = '', stopped = '', promised = '', canceled = '', open = ''] = ids;
    const day = addDays(dueDate, 1);
    await moveTo(api, day, '09:01:00');
    // Without a channel the messages wait.
    for (const id of ids) expect((await remindersOf(api, id)).sent).toMatchObject([{ status: 'waiting' }]);
    await expectData(payInvoice(service, paid));
    await expectData(api.admin.post(`/invoices/${stopped}/reminders/stop`, {}));
    await expectData(api.admin.put(`/invoices/${promised}/promise`, { date: addDays(day, 3), by: 'Ann' }));
    await expectData(api.admin.post(`/invoices/${canceled}/cancel`, {}));
    await setMailServer(api, mail);
    const resend = async (id: string) => {
      const { sent } = await remindersOf(api, id);
      return api.admin.post<MessageRecord>(`/notifications/messages/${sent[0]?.messageId}/resend`, {});
    };
    for (const id of ids) await expectData(resend(id));
    const states = () => Promise.all(ids.map(async (id) => (await remindersOf(api, id)).sent[0]));
    await until('every reminder was tried', async () => (await states()).every((each) => each?.status !== 'queued'));
    const reason = 'The invoice needs no reminder any more.';
    const needless = { status: 'expired', error: reason };
    expect(await states()).toMatchObject([needless, needless, needless, needless, { status: 'sent', error: null }]);
    await moveTo(api, day, '12:00:00');
    await expectError(resend(open), 409, 'RESOURCE_CONFLICT');
  });

  test('are wholly in the language of the customer, and show the answer of the mail server', async () => {
    const service = fixture();
    const { api } = service;
    await setMailServer(api, mail);
    const merchantId = await createMerchant(api, 1);
    const dueDate = addDays(await today(api), 1);
    const id = await sendInvoice(service, merchantId, dueDate);
    const { number, customerId } = await getInvoice(service, id);
    await expectData(api.admin.put(`/customers/${customerId}/reminders`, { language: 'es' }));
    await moveTo(api, addDays(dueDate, 1), '09:01:00');
    const sent = await until('the reminder is sent', async () => {
      const [reminder] = (await remindersOf(api, id)).sent;
      return reminder?.status === 'sent' && reminder;
    });
    expect(sent).toMatchObject({ error: null, sentAt: expect.any(String), answer: expect.stringMatching(/^250 /) });
    const found = mail.mails.find(({ subject }) => subject === `La factura ${number} está vencida`);
    expect(found?.headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: 'es' }));
    expect(found?.html).toContain('<html lang="es">');
    expect(Buffer.from(found?.attachments[0]?.content as ArrayBuffer).toString('latin1')).toContain('/Lang (es');
  });
});

onAnyDatabase('reminders cannot be switched on in a live account without a channel', async ({ database }) => {
  const live = await startLiveServer(database, { privateHosts: 'localhost' });
  try {
    const { admin } = live.api;
    const [merchant] = await expectData(admin.get<{ merchantId: string }[]>('/merchants'));
    const change = (body: object) => admin.put(`/merchants/${merchant?.merchantId}/reminder-settings`, body);
    const { details } = await expectError(change({ enabled: true }), 409, 'RESOURCE_CONFLICT', 'enabled');
    expect(details).toEqual({ reason: 'no_delivery' });
    await expectData(change({ enabled: false, steps: [step(2)] }));
    await expectData(admin.put('/notifications/channels/email', { ...CONFIRMED, ...settingsFor(mail) }));
    await expectData(change({ enabled: true }));
  } finally {
    await live.stop();
  }
});

onAnyDatabase('reminders are left for a later day at the limit of the account', async ({ database }) => {
  const { server, stop } = await startTestServer(database, { messageLimits: { spacingMs: 0, perDestination: 1_000, perTenant: 5 } });
  undo.push(stop);
  const { baseUrl, credentials } = server;
  if (!credentials) throw new Error('the sample data has credentials');
  const api = apiOf(baseUrl, credentials);
  const service: ApiFixture = { database, baseUrl, credentials, api };
  const merchantId = await createMerchant(api, 1);
  const dueDate = addDays(await today(api), 1);
  // Sending them takes three of the five messages.
  const ids = [];
  for (let nth = 0; nth < 3; nth += 1) ids.push(await sendInvoice(service, merchantId, dueDate));
  await moveTo(api, addDays(dueDate, 1), '10:00:00');
  const sent = await Promise.all(ids.map(async (id) => (await remindersOf(api, id)).sent.length));
  expect(sent.toSorted()).toEqual([0, 1, 1]);
});

test('reminders wait after a restore of a backup until charges are resumed, and those missed are skipped', FULL, async () => {
  const { dataDir, server, stop } = await startTestServer('sqlite');
  undo.push(stop);
  const { baseUrl, credentials } = server;
  if (!credentials) throw new Error('the sample data has credentials');
  const api = apiOf(baseUrl, credentials);
  const merchantId = await createMerchant(api, 1, 5);
  const dueDate = addDays(await today(api), 1);
  const id = await sendInvoice({ database: 'sqlite', baseUrl, credentials, api }, merchantId, dueDate);
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-reminders-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  await expectData(api.admin.put('/system/backup', { folder, keep: 2 }));
  await expectData(api.admin.post('/system/backup'));
  const name = await until('a backup is made', async () => {
    const [newest] = await expectData(api.admin.get<{ name: string | null; check: { status: string } }[]>('/system/backups?limit=1'));
    return newest?.check.status === 'good' && newest.name;
  });
  const place = { dataDir: join(folder, 'restored'), databaseUrl: undefined };
  const masterKey = join(dataDir, 'master.key');
  await restoreBackup(place, join(folder, name), { file: masterKey });
  const back = await startServer({ ...place, masterKey, port: 0, logLevel: 'silent' });
  undo.push(() => back.close());
  const restored = apiOf(back.baseUrl, credentials);
  const days = async () => (await remindersOf(restored, id)).sent.map((each) => each.days);
  await moveTo(restored, addDays(dueDate, 3), '15:00:00');
  expect(await days()).toEqual([]);
  await expectData(restored.admin.post('/system/backup/resume'));
  await moveTo(restored, addDays(dueDate, 4), '15:00:00');
  expect(await days()).toEqual([]);
  await moveTo(restored, addDays(dueDate, 5), '15:00:00');
  expect(await days()).toEqual([5]);
});
