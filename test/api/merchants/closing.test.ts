import { expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard, subscribe } from '../../support/customers.ts';
import { later, refreshed } from '../../support/earlier-sign-in.ts';
import { createInvoice } from '../../support/invoices.ts';
import { cardBody } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sell, settle, settleOnRequest } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

interface Obstacles {
  readonly obstacles: readonly { readonly kind: string; readonly count: number }[];
}
const times = (n: number) => Array.from({ length: n }, (_, index) => index);

describeOnBothDatabases('Closing a merchant', (fixture, inFull) => {
  const close = (merchantId: string, headers?: Record<string, string>) =>
    headers === undefined
      ? fixture().api.admin.delete(`/merchants/${merchantId}`)
      : fixture().api.bare.delete(`/api/v1/merchants/${merchantId}`, headers);
  const reopen = (merchantId: string) => fixture().api.admin.post(`/merchants/${merchantId}/reopen`, {});
  const newMerchant = async (given: ApiFixture = fixture()) => {
    const merchantId = await createMerchant(given);
    await settleOnRequest(given, merchantId);
    return merchantId;
  };
  const obstaclesOf = async (merchantId: string) => {
    const { details } = await expectError(close(merchantId), 409, 'RESOURCE_CONFLICT');
    expect(details).toMatchObject({ reason: 'merchant_in_use' });
    return (details as unknown as Obstacles).obstacles.map(({ kind, count }) => [kind, count]);
  };

  test('needs an owner or admin of all merchants, and a confirmation', inFull, async () => {
    const merchantId = await newMerchant();
    const manager = await createUser(fixture(), 'manager', { allMerchants: true });
    const boundAdmin = await createUser(fixture(), 'admin', {}, merchantId);
    const admin = await createUser(fixture(), 'admin', { allMerchants: true });
    await expectError(close(merchantId, manager.headers), 403, 'PERMISSION_DENIED');
    await expectError(close(merchantId, boundAdmin.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await later(16, async () => {
      const refused = await expectError(close(merchantId, await refreshed(fixture(), admin)), 403, 'PERMISSION_DENIED');
      expect(refused.details).toMatchObject({ reason: 'confirmation_required' });
    });
    await expectData(close(merchantId, admin.headers));
  });

  test('is refused while money is unsettled, unpaid or disputed, and names what is in the way', inFull, async () => {
    const { api } = fixture();
    const merchantId = await newMerchant();
    const { transactionId } = await sell(fixture(), merchantId, 20);
    expect(await obstaclesOf(merchantId)).toEqual([['unsettled_payments', 1]]);
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, {}));
    expect((await close(merchantId)).status).toBe(200);
    await expectData(reopen(merchantId));

    await expectData(api.admin.post('/transactions', { ...cardBody(20), type: 'auth', merchantId }));
    expect(await obstaclesOf(merchantId)).toEqual([['open_authorizations', 1]]);

    const paid = await newMerchant();
    const earlier = await sell(fixture(), paid, 30);
    await settle(fixture(), paid);
    expect(await obstaclesOf(paid)).toEqual([['unpaid_settlements', 1]]);
    await expectData(api.admin.post('/settlement/payout', { merchantId: paid }));
    await expectData(close(paid));
    // Customers of a closed merchant still get their money back.
    await expectData(api.admin.post(`/transactions/${earlier.transactionId}/refund`, { amount: 30 }));
  });

  test('is refused while invoices, subscriptions or shifts are open', inFull, async () => {
    const { api } = fixture();
    const merchantId = await newMerchant();
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const { invoiceId } = await expectData(api.admin.post<{ invoiceId: string }>('/invoices', { customerId, amount: 40, merchantId }), 201);
    await expectData(api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'] }));
    expect(await obstaclesOf(merchantId)).toEqual([['open_invoices', 1]]);
    await expectData(api.admin.post(`/invoices/${invoiceId}/cancel`, {}));
    await expectData(api.admin.post('/shifts/open', { merchantId, drawer: 'Front', amount: 100 }), 201);
    expect(await obstaclesOf(merchantId)).toEqual([['open_shifts', 1]]);

    // The customer belongs to the first merchant of the account.
    const withCard = await createCustomerWithCard(fixture());
    await subscribe(fixture(), withCard.customerId, { startDate: '2099-01-01' });
    expect(Object.fromEntries(await obstaclesOf(fixture().credentials.merchantId))).toMatchObject({
      active_subscriptions: expect.any(Number),
    });
  });

  test('stops keys and pay pages, and reopening starts them again', inFull, async () => {
    const { api, baseUrl, credentials } = fixture();
    const merchantId = await newMerchant();
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', { name: 'shop', scope: 'merchant', merchantId }), 201);
    const asShop = { 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key };
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const { url } = await createInvoice(fixture(), customerId, { merchantId });
    const read = () => api.bare.get('/api/v1/public/getConfig', asShop);
    const page = async () => (await fetch(`${baseUrl}${new URL(url).pathname}`)).status;
    await expectData(read());
    expect(await page()).toBe(200);
    await expectData(close(merchantId));
    await expectError(read(), 401, 'UNAUTHORIZED');
    expect(await page()).toBe(410);
    await expectError(api.admin.post('/transactions', { ...cardBody(5), merchantId }), 404, 'MERCHANT_NOT_FOUND');
    const closed = await expectData(
      api.admin.get<{ merchantId: string; status: string; reopenUntil: string }[]>('/merchants?status=closed&limit=200'),
    );
    expect(closed.find((each) => each.merchantId === merchantId)).toMatchObject({ status: 'closed', reopenUntil: expect.any(String) });
    await expectData(reopen(merchantId));
    await expectData(read());
    expect(await page()).toBe(200);
    await sell(fixture(), merchantId, 5);
  });

  test('is undone within 30 days only', inFull, async () => {
    const { api } = fixture();
    const merchantId = await newMerchant();
    await expectData(close(merchantId));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 30 * 86_400 - 60 }));
    await expectData(reopen(merchantId));
    await expectError(reopen(merchantId), 409, 'RESOURCE_CONFLICT');
    await expectData(close(merchantId));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 30 * 86_400 + 60 }));
    const refused = await expectError(reopen(merchantId), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'closed_for_good' });
  });

  test('acts once of ten parallel requests, as does reopening', async () => {
    const { api } = fixture();
    const merchantId = await newMerchant();
    const count = (statuses: readonly { readonly status: number }[]) => statuses.filter(({ status }) => status === 200).length;
    expect(count(await Promise.all(times(10).map(() => close(merchantId))))).toBe(1);
    expect(count(await Promise.all(times(10).map(() => reopen(merchantId))))).toBe(1);
    const entries = await expectData(api.admin.get<{ action: string }[]>(`/audit-logs?resource=merchants/${merchantId}&limit=50`));
    expect(
      entries.filter(({ action }) => action === 'merchant.closed' || action === 'merchant.reopened').map(({ action }) => action),
    ).toEqual(['merchant.reopened', 'merchant.closed']);
  });

  test('never leaves an approved sale on a closed merchant, in twenty races', { timeout: 120_000 }, async () => {
    const { api } = fixture();
    for (const race of times(20)) {
      const merchantId = await newMerchant();
      const sales = times(3).map((n) => api.admin.post<{ status: string }>('/transactions', { ...cardBody(5 + n), merchantId }));
      const [closed, ...sold] = await Promise.all([close(merchantId), ...sales]);
      const approved = sold.filter(({ status, body }) => status === 200 && body.data?.status === 'approved').length;
      const { status } = await expectData(api.admin.get<{ status: string }>(`/merchants/${merchantId}`)).catch(() => ({
        status: 'closed',
      }));
      expect([race, closed.status, approved > 0 && status === 'closed']).toEqual([race, closed.status, false]);
      expect(closed.status === 200).toBe(status === 'closed');
    }
  });
});
