import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { surfaceOf } from '../../support/api-client.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startEmptyProcess } from '../../support/process.ts';
import { type PaymentOnReader, saleOn, type TerminalRecord } from '../../support/readers.ts';
import { ANY_DATABASE, type DatabaseKind, expectData, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const PASSWORD = 'a long enough password';
const EMAIL = 'owner@live.example';

/** Starts a server process of a live account with a paired reader in the local network. */
async function openShop(kind: DatabaseKind) {
  const reader = await startSimulator('nexo');
  const { place, close } = await openTestDatabase(kind);
  const dataDir = kind === 'sqlite' ? dirname(place) : await mkdtemp(join(tmpdir(), 'paydesk-local-reader-'));
  const databaseUrl = kind === 'postgres' ? place : undefined;
  cleanUp.push(async () => {
    await reader.stop();
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const process = await startEmptyProcess(dataDir, databaseUrl);
  cleanUp.push(process.kill);
  const setup = {
    businessName: 'Shop',
    currency: 'USD',
    timezone: 'America/New_York',
    email: EMAIL,
    password: PASSWORD,
    environment: 'live',
  };
  const ids = await expectData(
    surfaceOf(process.baseUrl, '/api/v1', () => ({})).post<{ tenantId: string; merchantId: string }>('/setup', setup),
  );
  const admin = await signIn(process.baseUrl, ids.tenantId);
  await expectData(
    admin.post(`/merchants/${ids.merchantId}/gateways`, {
      type: 'nexo',
      name: 'readers',
      mode: 'test',
      credentials: reader.credentials,
      currentPassword: PASSWORD,
    }),
    201,
  );
  const { id: code = '', address } = reader.device ?? {};
  const { terminalId } = await expectData(admin.post<TerminalRecord>('/terminals', { code, address, name: 'Counter 1' }), 201);
  /** Starts a server on the data of the killed one. */
  async function restart() {
    await expireLeasesOfKilledServers(databaseUrl);
    const next = await startEmptyProcess(dataDir, databaseUrl);
    cleanUp.push(next.kill);
    return signIn(next.baseUrl, ids.tenantId);
  }
  return { reader, process, admin, terminalId, restart };
}

async function signIn(baseUrl: string, tenantId: string) {
  const tenant = { 'X-Tenant-ID': tenantId };
  const login = surfaceOf(baseUrl, '', () => ({})).post<{ token: string }>(
    '/api/v1/auth/login',
    { email: EMAIL, password: PASSWORD },
    tenant,
  );
  const { token } = await expectData(login);
  return surfaceOf(baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
}
type Admin = Awaited<ReturnType<typeof signIn>>;

const untilState = (admin: Admin, id: string, state: string) =>
  until(`the payment is ${state} on its reader`, async () => {
    const payment = await expectData(admin.get<PaymentOnReader>(`/transactions/${id}`));
    return payment.terminal.state === state && payment;
  });
const presented = (reader: Peer, action: 'chip' | 'unplug_after_approval') =>
  until('the reader waits for a card', async () => reader.present({ action }));

describe.each(ANY_DATABASE)('payments on readers in the local network when the server is killed (%s)', (kind) => {
  test('a payment that waits on its reader continues after the restart, and is sent once', FULL, async () => {
    const { reader, process, admin, terminalId, restart } = await openShop(kind);
    const { transactionId } = await expectData(admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 43.2)), 202);
    await process.kill();
    const after = await restart();
    await untilState(after, transactionId, 'waiting_for_card');
    await presented(reader, 'chip');
    expect(await untilState(after, transactionId, 'approved')).toMatchObject({ status: 'approved', channel: 'chip' });
    expect(reader.ledger.totals()).toMatchObject({ charged: 4_320, entries: 1 });
    expect(reader.requestCounts().Payment).toBe(1);
  });

  test('an approval of which the killed server had no answer is found at the reader', async () => {
    const { reader, process, admin, terminalId, restart } = await openShop(kind);
    reader.faults([{ do: 'delay', ms: 60_000, on: ['Payment'] }]);
    const { transactionId } = await expectData(admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 43.3)), 202);
    await presented(reader, 'chip');
    await process.kill();
    const after = await restart();
    expect(await untilState(after, transactionId, 'approved')).toMatchObject({ status: 'approved', amount: 43.3 });
    expect(reader.requestCounts().Payment).toBe(1);
  });

  test('a reader that lost its power as well proves nothing: a person decides, and nothing is sent again', FULL, async () => {
    const { reader, process, admin, terminalId, restart } = await openShop(kind);
    const { transactionId } = await expectData(admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 43.4)), 202);
    await presented(reader, 'unplug_after_approval');
    await process.kill();
    reader.present({ action: 'connect' });
    const after = await restart();
    const [open] = await until('a person is needed', async () => {
      const payments = await expectData(after.get<{ transactionId: string; alert: string | null }[]>('/unconfirmed-payments'));
      return payments.some(({ alert }) => alert !== null) && payments;
    });
    expect(open).toMatchObject({ transactionId, alert: 'processor-at-a-loss' });
    expect(await expectData(after.get<PaymentOnReader>(`/transactions/${transactionId}`))).toMatchObject({ status: 'pending' });
    expect(reader.requestCounts().Payment).toBe(1);
  });
});
