// The account of a live gateway: permission to change it, and when it cannot be changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { type Surface, surfaceOf } from '../../support/api-client.ts';
import { later } from '../../support/earlier-sign-in.ts';
import {
  addSimulatorGateway,
  CONFIRMED,
  type GatewayRecord,
  gatewayBody,
  type LiveServer,
  saleAtSimulator,
  startLiveServer,
} from '../../support/live-server.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, expectData, expectError } from '../../support/server.ts';
import type { Tokens } from '../../support/users.ts';

describe.each(ANY_DATABASE)('the account of a live gateway (%s)', (database) => {
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

  async function shop(simulator: Peer, more: Record<string, unknown> = {}) {
    shops += 1;
    const { admin } = live.api;
    const { merchantId } = await expectData(admin.post<{ merchantId: string }>('/merchants', { name: `Shop ${shops}` }), 201);
    const { id } = await addSimulatorGateway(live, simulator, more, merchantId);
    const at = `/merchants/${merchantId}/gateways/${id}`;
    return {
      merchantId,
      at,
      change: (body: Record<string, unknown>) => admin.put<GatewayRecord>(at, { ...CONFIRMED, ...body }),
      remove: () => admin.delete(at, {}, CONFIRMED),
      sell: (amount: number, body: Record<string, unknown> = {}) =>
        admin.post<TransactionRecord>('/transactions', saleAtSimulator(amount, { merchantId, ...body })),
    };
  }

  test('refuses to change the account after a payment, except its secret; another account needs another gateway', async () => {
    const { change, sell } = await shop(authorizeNet);
    const { transactionKey } = authorizeNet.credentials;
    await expectData(change({ timezone: 'UTC', credentials: authorizeNet.credentials }));
    await expectData(sell(41));
    const elsewhere = await startSimulator('authorizenet', { credentials: { loginId: 'another', transactionKey: 'the-key-of-it' } });
    const others: Record<string, unknown>[] = [
      { mode: 'live', origin: null },
      { origin: elsewhere.origin, credentials: elsewhere.credentials },
      { currency: 'EUR' },
      { credentials: { loginId: 'another' } },
    ];
    for (const body of others) {
      const refusal = await expectError(change(body), 409, 'RESOURCE_CONFLICT');
      expect(refusal, JSON.stringify(body)).toMatchObject({
        message: expect.stringContaining('Add another gateway'),
        details: { reason: 'has_payments' },
      });
    }
    expect(elsewhere.requestCounts()).toEqual({});
    await elsewhere.stop();
    await expectData(change({ credentials: { transactionKey } }));
    await expectData(change({ credentials: authorizeNet.credentials, origin: authorizeNet.origin, currency: 'USD', mode: 'test' }));
    await expectData(change({ cutoffTime: '21:00', name: 'main', status: 'disabled' }));
  });

  test('allows correcting the account while no payment has succeeded', async () => {
    const { change, sell } = await shop(nmi, { credentials: { ...nmi.credentials, processorId: 'ccprocessora' } });
    nmi.faults([
      { do: 'code', code: '202', on: ['sale'], nth: 1 },
      { do: 'http-429', on: ['sale'], nth: 2 },
    ]);
    expect((await sell(40)).body).toMatchObject({ data: { status: 'declined' } });
    await expectError(sell(41), 503, 'GATEWAY_UNAVAILABLE');
    nmi.faults();
    await expectData(change({ credentials: { processorId: '' } }));
  });

  test('refuses to change the account while a payment is open, and names the open work', async () => {
    const { change, remove, sell } = await shop(nmi);
    const { admin } = live.api;
    const { transactionId } = await expectData(sell(42, { type: 'auth' }));
    await expectData(admin.post(`/transactions/${transactionId}/capture`, {}));
    nmi.faults([{ do: 'drop-answer' }]);
    await sell(43);
    const details = { reason: 'payments_open', held: 1, unconfirmed: 1 };
    const words = 'This gateway has open payments: 1 capture or refund is waiting to be sent; 1 payment is unconfirmed.';
    for (const asked of [change({ currency: 'EUR' }), change({ credentials: { processorId: 'ccprocessora' } }), remove()])
      expect(await expectError(asked, 409, 'RESOURCE_CONFLICT')).toMatchObject({ message: expect.stringContaining(words), details });
    nmi.faults();
    await expectData(change({ credentials: nmi.credentials }));
  });

  test('refuses to change the account and to remove the gateway while its payment pages are watched', async () => {
    const { merchantId, change, remove } = await shop(nmi);
    const { admin } = live.api;
    const link = { merchantId, amount: 44, customerEmail: 'ann@customer.example' };
    const { invoiceId } = await expectData(admin.post<{ invoiceId: string }>('/payment-links', link), 201);
    await expectData(admin.post(`/invoices/${invoiceId}/hosted-pages`, {}));
    const details = { reason: 'hosted_pages_watched', pages: 1 };
    const refuseAll = async () => {
      for (const asked of [change({ currency: 'EUR' }), change({ credentials: { processorId: 'ccprocessora' } }), remove()])
        expect(await expectError(asked, 409, 'RESOURCE_CONFLICT')).toMatchObject({ details });
    };
    await refuseAll();
    // A closed page may have been paid just before.
    await expectData(admin.post(`/invoices/${invoiceId}/hosted-pages/close`, {}));
    await refuseAll();
    await expectData(change({ credentials: nmi.credentials, status: 'disabled' }));
  });

  describe.each(['manager', 'admin'])('to a user with the role %s', (role) => {
    let manager: Surface;

    beforeAll(async () => {
      const [email, password] = [`${role}@live.example`, `a long password of the ${role}`];
      await expectData(live.api.admin.post(`/merchants/${live.merchantId}/users`, { email, role, password, allMerchants: true }), 201);
      const tenant = { 'X-Tenant-ID': live.tenantId };
      const { token } = await expectData(live.api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
      manager = surfaceOf(live.baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
    });

    test('shows and checks a gateway, and refuses its changes', async () => {
      const { id } = await addSimulatorGateway(live, nmi, { name: `of ${role}` });
      const at = `/merchants/${live.merchantId}/gateways`;
      const elsewhere = await startSimulator('nmi');
      const asked = [
        manager.post(at, gatewayBody(elsewhere, { name: 'mine' })),
        manager.put(`${at}/${id}`, { origin: elsewhere.origin, credentials: elsewhere.credentials }),
        manager.put(`${at}/${id}`, { status: 'disabled' }),
        manager.delete(`${at}/${id}`),
      ];
      for (const one of asked) expect((await expectError(one, 403, 'PERMISSION_DENIED')).message).toContain('owner:gateways');
      expect(elsewhere.requestCounts()).toEqual({});
      await elsewhere.stop();
      expect((await expectData(manager.get<GatewayRecord[]>(at))).map(({ name }) => name)).not.toContain('mine');
      expect(await expectData(manager.post<GatewayRecord>(`${at}/${id}/check`))).toMatchObject({ check: { state: 'ok' } });
    });
  });

  test('rejects a change without a recent sign-in or the password of the owner, or with a wrong one', async () => {
    const { bare } = live.api;
    const { id } = await addSimulatorGateway(live, nmi, { name: 'guarded' });
    const at = `/api/v1/merchants/${live.merchantId}/gateways/${id}`;
    const tenant = { 'X-Tenant-ID': live.tenantId };
    const signedIn = await expectData(
      bare.post<Tokens>('/api/v1/auth/login', { email: live.owner.email, password: live.owner.password }, tenant),
    );
    await later(16, async () => {
      const { token } = await expectData(bare.post<Tokens>('/api/v1/auth/refresh', { refreshToken: signedIn.refreshToken }));
      const headers = { ...tenant, Authorization: `Bearer ${token}` };
      for (const unconfirmed of [bare.put(at, { status: 'disabled' }, headers), bare.delete(at, headers)])
        expect((await expectError(unconfirmed, 403, 'PERMISSION_DENIED')).details).toMatchObject({ reason: 'confirmation_required' });
      const wrong = { currentPassword: 'not my password' };
      await expectError(bare.put(at, { ...wrong, status: 'disabled' }, headers), 400, 'VALIDATION_ERROR', 'currentPassword');
      await expectData(bare.delete(at, headers, CONFIRMED));
    });
  });

  test('refuses a gateway address that leads to this server', async () => {
    const own = live.baseUrl.replace('localhost', '127.0.0.1');
    const { check } = await addSimulatorGateway(live, nmi, { name: 'own', origin: own });
    expect(check).toMatchObject({ state: 'unreachable', reason: expect.stringContaining('not an allowed address for payments') });
  });
});
