import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { surfaceOf } from '../../support/api-client.ts';
import {
  addSimulatorGateway,
  CONFIRMED,
  type GatewayRecord,
  gatewayBody,
  type LiveServer,
  saleAtSimulator,
  startLiveServer,
} from '../../support/live-server.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { startEmptyProcess } from '../../support/process.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, expectData, expectError, FULL } from '../../support/server.ts';
import { storedData } from '../../support/stored-data.ts';

const BANK = { accountNumber: '24413815', routingNumber: '490000018', accountType: 'checking', accountHolderName: 'Ann Other' };
const CHECK = /^(profile|authenticateTestRequest)$/;

/** Returns the number of account checks that a simulator received. */
const checksOf = (simulator: Peer) =>
  Object.entries(simulator.requestCounts())
    .filter(([operation]) => CHECK.test(operation))
    .reduce((sum, [, times]) => sum + times, 0);

describe.each(ANY_DATABASE)('gateways of a live account (%s)', (database) => {
  let live: LiveServer;
  let nmi: Peer;
  let authorizeNet: Peer;
  let shops = 0;

  beforeAll(async () => {
    live = await startLiveServer(database);
    nmi = await startSimulator('nmi');
    authorizeNet = await startSimulator('authorizenet');
  });
  afterAll(async () => {
    await live.stop();
    await nmi.stop();
    await authorizeNet.stop();
  });
  beforeEach(() => {
    for (const simulator of [nmi, authorizeNet]) {
      simulator.faults();
      simulator.quirks();
    }
  });

  /** Creates a merchant with the requests for its gateways. */
  async function shop(more: Record<string, unknown> = {}) {
    shops += 1;
    const { admin } = live.api;
    const { merchantId } = await expectData(admin.post<{ merchantId: string }>('/merchants', { name: `Shop ${shops}`, ...more }), 201);
    const at = `/merchants/${merchantId}/gateways`;
    return {
      merchantId,
      at,
      list: () => expectData(admin.get<GatewayRecord[]>(at)),
      add: (body: Record<string, unknown>) => admin.post<GatewayRecord>(at, { ...CONFIRMED, ...body }),
      added: (simulator: Peer, body: Record<string, unknown> = {}) => addSimulatorGateway(live, simulator, body, merchantId),
      change: (id: string, body: Record<string, unknown>) => admin.put<GatewayRecord>(`${at}/${id}`, { ...CONFIRMED, ...body }),
      check: (id: string) => admin.post<GatewayRecord>(`${at}/${id}/check`),
      remove: (id: string) => admin.delete(`${at}/${id}`, {}, CONFIRMED),
      sell: (amount: number, body: Record<string, unknown> = {}) =>
        admin.post<TransactionRecord & { gateway: string }>('/transactions', saleAtSimulator(amount, { merchantId, ...body })),
      rules: (rules: unknown[]) => expectData(admin.put(`/merchants/${merchantId}/gateway-routing`, { rules })),
    };
  }

  test('marks receipts and refunds of a gateway in test mode as moving no money', async () => {
    const { added, sell } = await shop();
    await added(nmi);
    const { transactionId } = await expectData(sell(21));
    const { refundId } = await expectData(live.api.admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund`, {}));
    for (const original of [{ transactionId }, { transactionId, refundId }]) {
      const asked = { ...original, width: '58mm', format: 'text', preview: true };
      const { content } = await expectData(live.api.admin.post<{ content: string }>('/notifications/receipt/print', asked));
      expect(content).toContain('*** TEST, NO MONEY MOVED ***');
    }
  });

  test('lists the processors with their credential fields', async () => {
    const types = await expectData(live.api.admin.get<Record<string, unknown>[]>('/gateway-types'));
    expect(types).toMatchObject([
      {
        type: 'authorizenet',
        label: 'Authorize.Net',
        hasOwnHosts: false,
        credentials: [{ name: 'loginId' }, { name: 'transactionKey' }],
        hints: { cutoffTime: expect.stringContaining('Cut-Off Time') },
      },
      {
        type: 'nmi',
        hasOwnHosts: true,
        credentials: [{ name: 'securityKey', isSecret: true, isRequired: true }, { isRequired: false }],
        hints: { cutoffTime: null },
      },
      { type: 'nexo', hasOwnHosts: false, pairsReadersBy: 'address' },
    ]);
  });

  test('reads the merchant from the processor with correct credentials, and sends payments there', async () => {
    const { added, list, sell } = await shop({ timezone: 'Europe/Berlin' });
    const first = await added(nmi);
    expect(first).toMatchObject({
      type: 'nmi',
      status: 'active',
      priority: 1,
      hasCredentials: true,
      settings: {
        mode: 'test',
        origin: nmi.origin,
        currency: 'USD',
        timezone: 'America/Chicago',
        cutoffTime: '23:00',
        captureHoldMinutes: 30,
      },
      check: { state: 'ok', merchantName: 'Corner Shop & Sons', currencies: ['USD'], takesBankAccounts: true, reason: null },
      health: { state: 'closed' },
    });
    const second = await added(authorizeNet, { timezone: 'UTC', cutoffTime: '17:30', captureHoldMinutes: 0, status: 'disabled' });
    expect(second).toMatchObject({
      status: 'disabled',
      priority: 2,
      settings: { timezone: 'UTC', cutoffTime: '17:30', captureHoldMinutes: 0 },
      check: { state: 'ok', merchantName: 'Peer Books', timezone: 'America/New_York' },
    });
    expect((await list()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await expectData(sell(21))).toMatchObject({ status: 'approved', gateway: 'nmi' });
  });

  test("returns the processor's refusal and stores nothing", async () => {
    const { add, list } = await shop();
    const wrong = gatewayBody(nmi, { credentials: { securityKey: 'not-the-key' } });
    expect((await expectError(add(wrong), 400, 'VALIDATION_ERROR', 'credentials.securityKey')).message).toMatch(/Authentication Failed/i);
    const other = gatewayBody(authorizeNet, { credentials: { ...authorizeNet.credentials, transactionKey: 'wrong' } });
    await expectError(add(other), 400, 'VALIDATION_ERROR', 'credentials.transactionKey');
    await expectError(add(gatewayBody(nmi, { currency: 'EUR' })), 400, 'VALIDATION_ERROR', 'currency');
    await expectError(
      add(gatewayBody(nmi, { credentials: { ...nmi.credentials, processorId: 'nowhere' } })),
      400,
      'VALIDATION_ERROR',
      'credentials.processorId',
    );
    expect(await list()).toEqual([]);
  });

  test('refuses invalid settings before it calls the processor', async () => {
    const { add, added, list } = await shop();
    await added(nmi);
    const before = [checksOf(nmi), checksOf(authorizeNet)];
    const { securityKey = '' } = nmi.credentials;
    const bodies: readonly (readonly [Record<string, unknown>, string, string])[] = [
      [gatewayBody(nmi, { name: 'a', credentials: undefined }), 'REQUIRED_FIELD_MISSING', 'credentials.securityKey'],
      [gatewayBody(nmi, { name: 'a', credentials: { securityKey: '  ' } }), 'REQUIRED_FIELD_MISSING', 'credentials.securityKey'],
      [gatewayBody(nmi, { name: 'a', credentials: { securityKey: 'x'.repeat(65) } }), 'VALIDATION_ERROR', 'credentials.securityKey'],
      [gatewayBody(nmi, { name: 'a', credentials: { securityKey, loginId: 'x' } }), 'VALIDATION_ERROR', 'credentials.loginId'],
      [gatewayBody(nmi, { name: 'a', mode: 'moon' }), 'VALIDATION_ERROR', 'mode'],
      [gatewayBody(nmi, { name: 'a', cutoffTime: '24:00' }), 'VALIDATION_ERROR', 'cutoffTime'],
      [gatewayBody(nmi, { name: 'a', captureHoldMinutes: 721 }), 'VALIDATION_ERROR', 'captureHoldMinutes'],
      [gatewayBody(nmi, { name: 'a', timezone: 'Mars/Olympus' }), 'VALIDATION_ERROR', 'timezone'],
      [gatewayBody(nmi, { name: 'a', currency: 'XXQ' }), 'INVALID_CURRENCY', 'currency'],
      [gatewayBody(nmi, { name: 'a', type: 'sandbox' }), 'VALIDATION_ERROR', 'type'],
      [gatewayBody(nmi, { name: 'a', type: 'stripe' }), 'VALIDATION_ERROR', 'type'],
      [gatewayBody(nmi), 'RESOURCE_CONFLICT', 'name'],
      // A live account is reached at the processor or at a reseller's host, always with encryption.
      [gatewayBody(nmi, { name: 'a', mode: 'live' }), 'VALIDATION_ERROR', 'origin'],
      [gatewayBody(nmi, { name: 'a', mode: 'live', origin: 'https://127.0.0.1' }), 'VALIDATION_ERROR', 'origin'],
      [gatewayBody(nmi, { name: 'a', mode: 'live', origin: 'https://localhost' }), 'VALIDATION_ERROR', 'origin'],
      [gatewayBody(authorizeNet, { name: 'a', mode: 'live', origin: 'https://pay.example.com' }), 'VALIDATION_ERROR', 'origin'],
      [gatewayBody(authorizeNet, { name: 'a', origin: 'https://pay.example.com' }), 'VALIDATION_ERROR', 'origin'],
      [gatewayBody(nmi, { name: 'a', origin: 'http://pay.example.com' }), 'VALIDATION_ERROR', 'origin'],
      [gatewayBody(nmi, { name: 'a', origin: 'http://127.0.0.1.example.com' }), 'VALIDATION_ERROR', 'origin'],
      ...['/path', '/?a=1', '/#a'].map(
        (end) => [gatewayBody(nmi, { name: 'a', origin: nmi.origin + end }), 'VALIDATION_ERROR', 'origin'] as const,
      ),
      ...['ftp://127.0.0.1', 'http://me:secret@127.0.0.1', 'secure.nmi.com'].map(
        (origin) => [gatewayBody(nmi, { name: 'a', origin }), 'VALIDATION_ERROR', 'origin'] as const,
      ),
    ];
    for (const [body, code, field] of bodies) await expectError(add(body), code === 'RESOURCE_CONFLICT' ? 409 : 400, code, field);
    expect([checksOf(nmi), checksOf(authorizeNet)]).toEqual(before);
    expect(await list()).toHaveLength(1);
  });

  test('leaves the account of an unreachable processor unchecked until the next check', async () => {
    const { added, check, list, change } = await shop();
    nmi.faults([{ do: 'drop-answer' }]);
    const { id, check: unchecked, settings } = await added(nmi);
    expect(unchecked).toMatchObject({ state: 'unreachable', merchantName: null, takesBankAccounts: null });
    expect(unchecked?.reason).not.toBe('');
    expect(settings?.timezone).toBe('America/New_York');
    expect((await expectData(change(id, { captureHoldMinutes: 20 }))).settings).toEqual({ ...settings, captureHoldMinutes: 20 });
    nmi.faults();
    const heard = await expectData(check(id));
    expect(heard.check).toMatchObject({ state: 'ok', merchantName: 'Corner Shop & Sons', reason: null });
    // No time zone was chosen, so only the first one that the processor reports is used.
    expect(heard.settings).toEqual({ ...settings, captureHoldMinutes: 20, timezone: 'America/Chicago' });
    await expectData(change(id, { timezone: 'UTC' }));
    expect((await expectData(check(id))).settings?.timezone).toBe('UTC');
    nmi.faults([{ do: 'http-500' }]);
    const { check: gone } = await expectData(check(id));
    expect(gone).toMatchObject({ state: 'unreachable', merchantName: 'Corner Shop & Sons' });
    expect((await list())[0]?.check).toEqual(gone);
    expect((await expectData(change(id, { credentials: nmi.credentials }))).check).toMatchObject({
      state: 'unreachable',
      merchantName: null,
    });
  });

  test('keeps a chosen time zone when the processor reports another one', async () => {
    const { added, change, check } = await shop();
    nmi.faults([{ do: 'http-500' }]);
    const { id } = await added(nmi, { timezone: 'UTC' });
    const { id: other } = await added(authorizeNet, { origin: 'http://127.0.0.1:9' });
    await expectData(change(other, { timezone: 'Europe/Berlin', origin: authorizeNet.origin, credentials: authorizeNet.credentials }));
    nmi.faults();
    expect((await expectData(check(id))).settings?.timezone).toBe('UTC');
    expect((await expectData(check(other))).settings?.timezone).toBe('Europe/Berlin');
  });

  test('detects a revoked key with another check', async () => {
    const { added, check } = await shop();
    const before = await startSimulator('nmi', { credentials: { securityKey: 'the-key-of-before' } });
    const { id } = await added(before);
    await before.stop();
    const after = await startSimulator('nmi', {
      port: Number(new URL(before.origin).port),
      credentials: { securityKey: 'the-key-of-now' },
    });
    expect((await expectData(check(id))).check).toMatchObject({
      state: 'refused',
      reason: expect.stringMatching(/Authentication Failed/i),
    });
    await after.stop();
  });

  test('keeps missing fields unchanged, including each credential', async () => {
    const { added, change, sell } = await shop();
    const { id } = await added(nmi);
    const before = checksOf(nmi);
    const cut = await expectData(change(id, { name: 'main', cutoffTime: '21:15', captureHoldMinutes: 45 }));
    expect(cut).toMatchObject({
      name: 'main',
      settings: { cutoffTime: '21:15', captureHoldMinutes: 45, origin: nmi.origin, mode: 'test' },
    });
    expect(checksOf(nmi)).toBe(before);
    await expectData(change(id, { credentials: { processorId: ' ccprocessora ' } }));
    expect(checksOf(nmi)).toBe(before + 1);
    await expectError(change(id, { credentials: { processorId: 'nowhere' } }), 400, 'VALIDATION_ERROR', 'credentials.processorId');
    await expectError(change(id, { credentials: { securityKey: 'wrong' } }), 400, 'VALIDATION_ERROR', 'credentials.securityKey');
    await expectError(change(id, { currency: 'EUR' }), 400, 'VALIDATION_ERROR', 'currency');
    await expectError(change(id, { type: 'authorizenet' }), 400, 'VALIDATION_ERROR', 'type');
    await expectData(change(id, { credentials: { processorId: '' } }));
    await expectData(change(id, { credentials: { processorId: 'ccprocessora' } }));
    expect(await expectData(sell(22))).toMatchObject({ status: 'approved', gateway: 'main' });
    expect(new URLSearchParams(nmi.lastRequest()?.body).get('processor_id')).toBe('ccprocessora');
  });

  test('requires stored credentials to be entered again for another host', async () => {
    const { added, change } = await shop();
    const { id } = await added(nmi);
    const elsewhere = await startSimulator('nmi');
    await expectError(change(id, { origin: elsewhere.origin }), 400, 'REQUIRED_FIELD_MISSING', 'credentials.securityKey');
    expect(elsewhere.requestCounts()).toEqual({});
    const moved = await expectData(change(id, { origin: `${elsewhere.origin}/`, credentials: elsewhere.credentials }));
    expect(moved.settings?.origin).toBe(elsewhere.origin);
    expect(checksOf(elsewhere)).toBe(1);
    await elsewhere.stop();
  });

  test('removes a gateway without rules and open payments, and still refunds its payments', FULL, async () => {
    const { merchantId, added, remove, rules, sell, list, change, check, at } = await shop();
    const { admin } = live.api;
    const { id } = await added(nmi, { name: 'main' });
    const { transactionId } = await expectData(sell(24));
    await rules([{ default: 'main' }]);
    expect((await expectError(remove(id), 409, 'RESOURCE_CONFLICT')).details).toMatchObject({ reason: 'in_use' });
    await rules([]);
    nmi.faults([{ do: 'drop-answer' }]);
    await sell(25);
    expect((await expectError(remove(id), 409, 'RESOURCE_CONFLICT')).details).toEqual({ reason: 'payments_open', held: 0, unconfirmed: 1 });
    nmi.faults();
    await expect.poll(() => remove(id).then(({ status }) => status), { timeout: 60_000, interval: 250 }).toBe(200);
    expect(await list()).toEqual([]);
    for (const gone of [change(id, { status: 'active' }), check(id), remove(id)]) await expectError(gone, 404, 'NOT_FOUND');
    await expectError(admin.put(`/merchants/${merchantId}/gateway-routing`, { rules: [{ default: id }] }), 400, 'VALIDATION_ERROR');
    await expectError(sell(26), 503, 'GATEWAY_UNAVAILABLE');
    await expectData(admin.post(`/transactions/${transactionId}/refund`, { amount: 24 }));
    expect(nmi.ledger.totals().paidOut + nmi.ledger.all().filter(({ state }) => state === 'voided').length).toBeGreaterThan(0);
    expect(await expectData(admin.post<GatewayRecord>(at, gatewayBody(nmi, { name: 'main' })), 201)).toMatchObject({ priority: 1 });
  });

  test('skips gateways that cannot take a payment, with the reason', async () => {
    const { merchantId, added, change, rules, sell } = await shop();
    nmi.quirks(['no-bank']);
    const first = await added(nmi, { name: 'cards' });
    const second = await added(authorizeNet, { name: 'all' });
    await rules([{ condition: 'amount > 1', gateway: 'cards' }]);
    const bank = { paymentMethod: 'ach', card: undefined, bankAccount: BANK };
    expect(await expectData(sell(27, bank))).toMatchObject({ status: 'approved', gateway: 'all' });
    const tried = (sale: Record<string, unknown>) =>
      expectData(live.api.admin.post<Record<string, unknown>[]>(`/merchants/${merchantId}/gateway-routing/dry-run`, { sale }));
    const noBank = 'This gateway does not accept bank payments.';
    expect(await tried({ amount: 5, paymentMethod: 'ach' })).toMatchObject([
      { gateway: 'all', rule: null, trace: [{ matched: true, skipped: noBank }], passedOver: [{ name: 'cards', skipped: noBank }] },
    ]);
    expect(await tried({ amount: 5, currency: 'EUR' })).toMatchObject([
      { gateway: null, passedOver: [{ skipped: 'This gateway accepts USD only.' }, { skipped: 'This gateway accepts USD only.' }] },
    ]);
    expect((await expectError(sell(28, { currency: 'EUR' }), 400, 'INVALID_CURRENCY', 'currency')).message).toMatch(/Nothing was charged/);
    await expectData(change(second.id, { status: 'disabled' }));
    await expectError(sell(29, bank), 400, 'VALIDATION_ERROR', 'paymentMethod');
    await expectData(change(first.id, { status: 'disabled' }));
    await expectError(sell(30), 503, 'GATEWAY_UNAVAILABLE');
  });

  test('skips a gateway that does not answer; if it is the only one, the error says that nothing was charged', async () => {
    const { added, sell } = await shop();
    await added(nmi);
    // Also requests that check whether the gateway answers again.
    nmi.faults([{ do: 'http-429' }]);
    for (const amount of [31, 32, 33]) await expectError(sell(amount), 503, 'GATEWAY_UNAVAILABLE');
    const asked = nmi.requestCounts().sale;
    const refused = await expectError(sell(34), 503, 'GATEWAY_UNAVAILABLE');
    expect(refused).toMatchObject({ message: expect.stringContaining('Nothing was charged'), details: { reason: 'gateways_away' } });
    await added(authorizeNet);
    expect(await expectData(sell(35))).toMatchObject({ status: 'approved', gateway: 'authorizenet' });
    expect(nmi.requestCounts().sale).toBe(asked);
  });

  test('asks for credentials again that can no longer be decrypted', async () => {
    const { added, change, check, list, sell, merchantId } = await shop();
    const { id } = await added(nmi);
    await live.store.unitOfWork.transaction(live.tenantId, (work) =>
      work.run('UPDATE gateways SET credentials = :torn WHERE tenant_id = :tenantId AND id = :id', { id, torn: 'torn' }),
    );
    const words = 'The credentials of this gateway cannot be decrypted. Enter them again.';
    expect((await expectData(change(id, { status: 'disabled' }))).check).toMatchObject({ state: 'refused', reason: words });
    await expectData(change(id, { status: 'active' }));
    expect((await list())[0]?.check).toMatchObject({ state: 'refused', reason: words, merchantName: 'Corner Shop & Sons' });
    expect((await expectError(sell(36), 503, 'GATEWAY_UNAVAILABLE')).details).toMatchObject({ reason: 'credentials_lost' });
    const sale = { amount: 5 };
    const tried = live.api.admin.post<Record<string, unknown>[]>(`/merchants/${merchantId}/gateway-routing/dry-run`, { sale });
    expect(await expectData(tried)).toMatchObject([{ gateway: null, passedOver: [{ skipped: words }] }]);
    expect((await expectError(check(id), 409, 'RESOURCE_CONFLICT')).details).toEqual({ reason: 'credentials_lost' });
    await expectError(change(id, { origin: null, mode: 'live' }), 400, 'REQUIRED_FIELD_MISSING', 'credentials.securityKey');
    expect(await expectData(change(id, { credentials: nmi.credentials }))).toMatchObject({ check: { state: 'ok' } });
    expect((await expectData(check(id))).check).toMatchObject({ state: 'ok' });
  });

  test('loses neither of two parallel account changes silently', FULL, async () => {
    const { added, change } = await shop();
    const { id } = await added(nmi);
    const before = checksOf(nmi);
    nmi.faults([{ do: 'delay', ms: 5_000, nth: 1 }]);
    const slow = change(id, { credentials: nmi.credentials });
    await expect.poll(() => checksOf(nmi)).toBe(before + 1);
    await expectData(change(id, { cutoffTime: '20:00' }));
    expect((await expectError(slow, 409, 'RESOURCE_CONFLICT')).details).toEqual({ reason: 'changed_meanwhile' });
  });

  test('removes a gateway once with parallel requests, and lets no rule name it in the meantime', async () => {
    const { merchantId, added, remove } = await shop();
    const { admin } = live.api;
    const { id } = await added(nmi, { name: 'main' });
    const name = admin.put(`/merchants/${merchantId}/gateway-routing`, { rules: [{ default: 'main' }] });
    const [named, ...removed] = await Promise.all([name, remove(id), remove(id), remove(id)]);
    const gone = removed.filter(({ status }) => status === 200);
    expect([named.status, gone.length]).toEqual(named.status === 200 ? [200, 0] : [400, 1]);
    const { id: other } = await added(nmi, { name: 'other' });
    expect((await Promise.all([remove(other), remove(other)])).map(({ status }) => status).sort()).toEqual([200, 404]);
    const entries = await expectData(admin.get<{ resource: string }[]>('/audit-logs?action=gateway.removed'));
    expect(entries.filter(({ resource }) => resource.includes(merchantId))).toHaveLength(gone.length + 1);
  });
});

test.each(ANY_DATABASE)('never returns or logs credentials, and stores them encrypted only (%s)', FULL, async (database) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-gateways-'));
  const fresh = database === 'postgres' ? await freshDatabase() : undefined;
  const simulator = await startSimulator('nmi', { credentials: { securityKey: 'canary-Key-0123456789abcdef' } });
  const server = await startEmptyProcess(dataDir, fresh?.url);
  const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
  const { token, tenantId, merchantId } = await expectData(
    bare.post<{ token: string; tenantId: string; merchantId: string }>('/setup', {
      businessName: 'Live Shop',
      currency: 'USD',
      timezone: 'UTC',
      email: 'owner@live.example',
      password: 'a long enough password',
      environment: 'live',
    }),
  );
  const admin = surfaceOf(server.baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` }));
  const at = `/merchants/${merchantId}/gateways`;
  const wrong = { securityKey: 'canary-Key-that-was-mistyped' };
  const answers = [(await admin.post(at, gatewayBody(simulator, { credentials: wrong }))).text];
  simulator.faults([{ do: 'echo', on: ['profile'] }]);
  answers.push((await admin.post(at, gatewayBody(simulator, { name: 'echo' }))).text);
  simulator.faults();
  const made = await admin.post<{ id: string }>(at, gatewayBody(simulator));
  answers.push(made.text);
  const { id } = await expectData(made, 201);
  answers.push((await admin.put(`${at}/${id}`, { ...CONFIRMED, credentials: simulator.credentials, name: 'main' })).text);
  answers.push(
    (await admin.put(`${at}/${id}`, { ...CONFIRMED, credentials: { ...simulator.credentials, other: wrong.securityKey } })).text,
  );
  answers.push((await admin.post(`${at}/${id}/check`)).text, (await admin.get(at)).text);
  answers.push((await admin.post('/transactions', saleAtSimulator(12))).text);
  answers.push((await admin.get('/audit-logs?limit=100')).text, (await admin.get('/gateway-types')).text);
  const running = await storedData(dataDir, fresh?.url);
  await server.stop();
  const everything = [running, await storedData(dataDir, fresh?.url), server.log(), ...answers].join('\n');
  expect(answers.join('\n')).toContain('gateway.updated');
  expect(everything).toContain('Corner Shop');
  expect(everything.includes('canary')).toBe(false);
  await simulator.stop();
  await rm(dataDir, { recursive: true, force: true });
  await fresh?.drop();
});
