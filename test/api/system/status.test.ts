import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startPublicHost } from '../../support/public-host.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, type ApiFixture, describeOnSmallData, expectData, expectError } from '../../support/server.ts';
import { createUnconfirmedPayment } from '../../support/unconfirmed-payments.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';
import { type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

interface Item {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
  action: string | null;
  subject: string | null;
  facts: { name: string; value: string | null; at: string | null }[];
}
interface Status {
  state: string;
  items: Item[];
  jobs: { name: string; nextAt: string | null; isOverdue: boolean; isHeld: boolean; lastAt: string | null }[];
}

const OF_THE_ACCOUNT = ['gateways', 'payments', 'requests', 'refunds', 'webhooks', 'messages', 'scheduler'];
const OF_THE_INSTALLATION = ['server', 'database', 'backup', 'keys', 'disk', 'clock', 'public-address'];
const DAY_S = 86_400;
/** Jobs that have a name on the screen. */
const TEXTS = readFileSync(join(import.meta.dirname, '../../../renderer/session/system-status/texts.ts'), 'utf8');
const NAMED = new Set([...TEXTS.matchAll(/^ {2}'?([a-z.-]+)'?: t\(/gm)].map(([, name]) => name));

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));

const status = ({ api }: ApiFixture, headers: Record<string, string> = {}) => expectData(api.admin.get<Status>('/system/status', headers));

async function itemOf(fixture: ApiFixture, name: string, headers: Record<string, string> = {}): Promise<Item> {
  const found = (await status(fixture, headers)).items.find((item) => item.name === name);
  if (!found) throw new Error(`the status tells of ${name}`);
  return found;
}

/** Waits until an item has a state, and returns it. */
const once = (fixture: ApiFixture, name: string, state: Item['state']): Promise<Item> =>
  until(`${name} is ${state}`, async () => {
    const item = await itemOf(fixture, name);
    return item.state === state ? item : undefined;
  });

const gatewayMode = ({ api }: ApiFixture, mode: string, gatewayId?: string) =>
  expectData(api.admin.post('/sandbox/gateway', { mode, gatewayId }));

describeOnSmallData('the status of the system', ANY_DATABASE, (fixture) => {
  test('describes every item in a sentence, and items of the installation only to users of its first account', async () => {
    const { api, credentials, database, baseUrl } = fixture();
    const whole = await status(fixture());
    const ofThisDatabase = database === 'sqlite' ? [] : ['replication'];
    expect(whole.items.map(({ name }) => name).toSorted()).toEqual(
      [...OF_THE_ACCOUNT, ...OF_THE_INSTALLATION, ...ofThisDatabase].toSorted(),
    );
    expect(whole.items.filter(({ message }) => !/^.+\.$/.test(message))).toEqual([]);
    const factOf = (name: string, fact: string) =>
      whole.items.find((item) => item.name === name)?.facts.find((each) => each.name === fact)?.value;
    expect(factOf('server', 'Address')).toBe(baseUrl);
    expect(factOf('database', 'Kind')).toBe(database === 'sqlite' ? 'SQLite' : 'PostgreSQL');
    expect(factOf('database', 'Workstations')).toBe(database === 'sqlite' ? undefined : '1 workstation');
    expect(whole.items.find(({ name }) => name === 'keys')).toMatchObject({ state: 'warning', action: 'save-recovery-file' });

    const ofMerchant = (await createUser(fixture(), 'admin', { scope: 'merchant' })).headers;
    const { standardTenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const tenant = { 'X-Tenant-ID': standardTenantId };
    const stranger = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
    for (const headers of [ofMerchant, { ...tenant, Authorization: `Bearer ${stranger.token}` }])
      expect((await status(fixture(), headers)).items.map(({ name }) => name)).toEqual(OF_THE_ACCOUNT);
    const viewer = (await createUser(fixture(), 'viewer')).headers;
    await expectError(api.admin.get('/system/status', viewer), 403, 'PERMISSION_DENIED');
  });

  test('refuses a failover rehearsal without a standby, and to all but owners of the first account', async () => {
    const { api, credentials, database } = fixture();
    const path = '/system/failover-rehearsal';
    const reason = database === 'sqlite' ? 'sqlite' : 'no-standby';
    expect((await expectError(api.admin.post(path, {}), 409, 'RESOURCE_CONFLICT')).details).toEqual({ reason });
    const overview = await expectData(api.admin.get<Record<string, unknown>>(path));
    expect(overview).toMatchObject({ refusal: { reason }, patroniHosts: null, running: null, certificates: [] });
    const { standardTenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const tenant = { 'X-Tenant-ID': standardTenantId };
    const stranger = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
    const admin = (await createUser(fixture(), 'admin', { allMerchants: true })).headers;
    for (const headers of [admin, { ...tenant, Authorization: `Bearer ${stranger.token}` }]) {
      await expectError(api.admin.get(path, headers), 403, 'PERMISSION_DENIED');
      await expectError(api.admin.post(path, {}, headers), 403, 'PERMISSION_DENIED');
    }
  });

  test('reports a gateway outage immediately, and its end', async () => {
    await gatewayMode(fixture(), 'down');
    expect(await itemOf(fixture(), 'gateways')).toMatchObject({
      state: 'problem',
      action: 'open-gateways',
      message: expect.stringContaining('does not respond'),
    });
    expect((await status(fixture())).state).toBe('problem');
    await gatewayMode(fixture(), 'normal');
    expect((await itemOf(fixture(), 'gateways')).state).not.toBe('problem');
  });

  test('reports a gateway as a problem after three unanswered requests, and as healthy after an answer', async () => {
    const { api } = fixture();
    for (let n = 1; n <= 3; n += 1) {
      await expectError(api.admin.post('/transactions', cardBody(20 + n, CARDS.gatewayError)), 502, 'GATEWAY_ERROR');
      if (n === 1) expect((await itemOf(fixture(), 'gateways')).state).toBe('warning');
    }
    expect(await itemOf(fixture(), 'gateways')).toMatchObject({ state: 'problem' });
    await expectData(api.admin.post('/transactions', cardBody(31)));
    expect(await itemOf(fixture(), 'gateways')).toMatchObject({ state: 'ok' });
  });

  test('warns about an unconfirmed payment, and reports a problem after an hour', async () => {
    await createUnconfirmedPayment(fixture());
    expect(await itemOf(fixture(), 'payments')).toMatchObject({ action: 'open-transactions' });
    await advanceClock(fixture(), 2 * 3_600);
    expect(await itemOf(fixture(), 'payments')).toMatchObject({ state: 'problem' });
    await gatewayMode(fixture(), 'normal');
    await advanceClock(fixture(), 60);
    expect(await once(fixture(), 'payments', 'ok')).toMatchObject({ action: null });
  });

  test('reports a declined refund without remaining attempts as a problem', async () => {
    const { api } = fixture();
    expect((await itemOf(fixture(), 'refunds')).state).toBe('ok');
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(52, CARDS.refundDeclined)));
    await api.public.post('/refund', { transactionId, amount: 5 });
    expect((await itemOf(fixture(), 'refunds')).facts).toContainEqual({ name: 'Being retried', value: '1 refund', at: null });
    await advanceClock(fixture(), DAY_S);
    expect(await itemOf(fixture(), 'refunds')).toMatchObject({ state: 'problem', action: 'open-refund-queue' });
  });

  test('names a failing receiver, and reports failed deliveries until they are delivered or a week old', async () => {
    const { api } = fixture();
    const receiver = await startReceiver();
    receivers.push(receiver);
    const endpoint = await registerEndpoint(fixture(), receiver.url('/status'));
    receiver.answer = refuse(500);
    await expectData(api.admin.post('/transactions', cardBody(61)));
    const failing = await once(fixture(), 'webhooks', 'problem');
    expect(failing).toMatchObject({ action: 'open-webhooks', subject: endpoint.id });
    expect(failing.facts).toContainEqual({ name: new URL(receiver.url()).host, value: 'HTTP 500', at: null });
    await advanceClock(fixture(), 8 * DAY_S);
    await expectData(api.admin.put(`/webhooks/${endpoint.id}`, { status: 'disabled' }));
    expect(await itemOf(fixture(), 'webhooks')).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('failed for good'),
      subject: null,
    });
    await advanceClock(fixture(), 8 * DAY_S);
    expect(await itemOf(fixture(), 'webhooks')).toMatchObject({ state: 'ok' });
  });

  test('reports messages that wait for a channel, and a failing channel as a problem', async () => {
    const { api } = fixture();
    const body = cardBody(70, CARDS.visa, { customer: { email: 'waits@shop.example' } });
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', body));
    await expectData(api.public.post('/refund', { transactionId, amount: 5 }));
    expect(await itemOf(fixture(), 'messages')).toMatchObject({ state: 'warning', action: 'set-up-messages' });
    const currentPassword = api.adminPassword;
    const settings = { host: 'localhost', port: 1, security: 'none', fromAddress: 'till@shop.example', currentPassword };
    await expectData(api.admin.put('/notifications/channels/email', settings));
    await expectData(api.admin.post('/notifications/channels/email/test', { to: 'owner@shop.example' }));
    expect(await itemOf(fixture(), 'messages')).toMatchObject({ state: 'problem', action: 'set-up-messages', subject: 'email' });
  });

  test('warns without a backup, and reports a public address without HTTPS as a problem', async () => {
    const { api, credentials } = fixture();
    expect(await itemOf(fixture(), 'backup')).toMatchObject({ state: 'warning', action: 'open-backup' });
    await expectData(api.admin.post('/system/backup'));
    await expect.poll(async () => (await itemOf(fixture(), 'backup')).message).toMatch(/and verified: \d+ transactions/);
    expect((await itemOf(fixture(), 'backup')).state).toBe('ok');
    const settings = `/merchants/${credentials.merchantId}/settings`;
    const publicHost = await startPublicHost(fixture().baseUrl);
    await expectData(api.admin.put(settings, { publicUrl: publicHost.url }));
    expect(await itemOf(fixture(), 'public-address')).toMatchObject({ state: 'problem', action: 'open-settings' });
    await expectData(api.admin.put(settings, { publicUrl: null }));
    publicHost.close();
    expect((await itemOf(fixture(), 'public-address')).state).toBe('ok');
  });

  test('has a name for people for every job', async () => {
    const { jobs } = await status(fixture());
    expect(jobs.map(({ name }) => name).filter((name) => !NAMED.has(name))).toEqual([]);
  });

  test('lists jobs with their next run, and their last run on this server', async () => {
    const { jobs } = await status(fixture());
    const jobNamed = (name: string) => jobs.find((job) => job.name === name);
    expect(jobNamed('clean-up')?.nextAt).toMatch(/Z$/);
    expect(jobNamed('webhooks.deliver')?.lastAt).toMatch(/Z$/);
    expect(jobs.filter(({ isOverdue }) => isOverdue)).toEqual([]);
  });
});
