import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface Merchant {
  merchantId: string;
  name: string;
  currency: string;
  timezone: string;
}

let made = 0;
async function shop({ api }: ApiFixture, more: object = {}): Promise<Merchant> {
  made += 1;
  return expectData(api.admin.post<Merchant>('/merchants', { name: `Shop ${made}`, ...more }), 201);
}

describeOnAnyDatabase('merchants', (fixture) => {
  test('creates, lists, changes and closes merchants', async () => {
    const { api } = fixture();
    const merchant = await shop(fixture(), { currency: 'EUR', timezone: 'Europe/Lisbon', country: 'PT' });
    expect(merchant).toMatchObject({ currency: 'EUR', timezone: 'Europe/Lisbon' });
    const at = `/merchants/${merchant.merchantId}`;
    expect(await expectData(api.admin.put(at, { name: 'Renamed', phone: '+351210000000' }))).toMatchObject({ name: 'Renamed' });
    const sale = await expectData(
      api.admin.post<TransactionRecord>('/transactions', cardBody(9, CARDS.visa, { merchantId: merchant.merchantId, currency: undefined })),
    );
    expect(sale.currency).toBe('EUR');
    await expectData(api.admin.post(`/transactions/${sale.transactionId}/void`, {}));
    expect(await expectData(api.admin.delete(at))).toEqual({ id: merchant.merchantId, deleted: true });
    await expectError(api.admin.get(at), 404, 'MERCHANT_NOT_FOUND');
    const body = cardBody(9, CARDS.visa, { merchantId: merchant.merchantId });
    await expectError(api.admin.post('/transactions', body), 404, 'MERCHANT_NOT_FOUND');
    expect((await api.admin.get('/merchants?limit=200')).text).not.toContain(merchant.merchantId);
  });

  test('refuses the keys of a closed merchant and leaves its users without a merchant', async () => {
    const { api, credentials } = fixture();
    const { merchantId } = await shop(fixture());
    const { key } = await expectData(
      api.admin.post<{ key: string }>('/api-keys', {
        name: 'k',
        scope: 'merchant',
        merchantId,
        currentPassword: credentials.adminPassword,
      }),
      201,
    );
    const user = await createUser(fixture(), 'manager', {}, merchantId);
    await expectData(api.admin.delete(`/merchants/${merchantId}`));
    const sent = { 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key };
    await expectError(api.bare.get('/api/v1/public/transaction-list', sent), 401, 'UNAUTHORIZED');
    await expectError(api.bare.get('/api/v1/transactions', user.headers), 403, 'PERMISSION_DENIED');
  });

  test('lets a key of the tenant create merchants, but not a key of one merchant', async () => {
    const { api, credentials } = fixture();
    const provision = (key: string) => api.public.post<Merchant>('/merchants/provision', { name: 'Provisioned' }, { 'x-api-key': key });
    const merchant = await expectData(provision(credentials.tenantApiKey), 201);
    await expectError(provision(credentials.apiKey), 403, 'MERCHANT_NOT_AUTHORIZED');
    const own = await expectData(api.public.get<Merchant[]>('/merchants'));
    expect(own.map(({ merchantId }) => merchantId)).toEqual([credentials.merchantId]);
    await expectData(api.public.get(`/merchant?id=${credentials.merchantId}`));
    await expectError(api.public.get(`/merchant?id=${merchant.merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.public.get('/merchant'), 400, 'REQUIRED_FIELD_MISSING', 'id');
  });

  test('names invalid fields', async () => {
    const { api } = fixture();
    const make = (body: object) => api.admin.post('/merchants', body);
    await expectError(make({}), 400, 'REQUIRED_FIELD_MISSING', 'name');
    await expectError(make({ name: 'x', currency: 'DOLLARS' }), 400, 'INVALID_CURRENCY');
    await expectError(make({ name: 'x', timezone: 'Mars/Olympus' }), 400, 'VALIDATION_ERROR', 'timezone');
    await expectError(make({ name: 'x', email: 'no' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(make({ name: 'x', phone: '12' }), 400, 'INVALID_PHONE', 'phone');
  });
});

describeOnAnyDatabase('settings objects', (fixture) => {
  const CHANGES = [
    ['settings', { allowPrivateWebhookTargets: true }],
    ['fraud-settings', { maxAmount: 500, maxAmountCurrency: 'USD' }],
    ['vt-settings', { requireZip: false, receiptFooter: 'Thank you' }],
    ['dunning-settings', { retryIntervalsDays: [2, 4], finalAction: 'pause' }],
    ['permissions', { permissions: ['transactions', 'refunds:read'] }],
  ] as const;

  test.each(CHANGES)('%s: keeps the fields that a change omits, and ignores unknown fields', async (name, change) => {
    const { api } = fixture();
    const { merchantId } = await shop(fixture());
    const at = `/merchants/${merchantId}/${name}`;
    const before = await expectData(api.admin.get(at));
    const after = await expectData(api.admin.put(at, change));
    expect(after).toEqual({ ...before, ...change });
    expect(await expectData(api.admin.get(at))).toEqual(after);
    expect(await expectData(api.admin.put(at, { ...before, ...change, ship: 'red' }))).toEqual(after);
  });

  test('returns branding without an envelope, and accepts valid colors only', async () => {
    const { api } = fixture();
    const { merchantId, name } = await shop(fixture());
    const at = `/merchants/${merchantId}/branding`;
    expect(JSON.parse((await api.admin.get(at)).text)).toMatchObject({ companyName: name, logoUrl: null });
    const changed = await api.admin.put(at, { primaryColor: '#ABCDEF' });
    expect(JSON.parse(changed.text)).toMatchObject({ primaryColor: '#ABCDEF', companyName: name });
    await expectError(api.admin.put(at, { primaryColor: 'red' }), 400, 'VALIDATION_ERROR', 'primaryColor');
    await expectError(api.admin.put(at, { logoUrl: 'javascript:alert(1)' }), 400, 'VALIDATION_ERROR', 'logoUrl');
  });

  test('limits the users and keys of a merchant immediately', async () => {
    const { api } = fixture();
    const { merchantId } = await shop(fixture());
    const user = await createUser(fixture(), 'manager', {}, merchantId);
    const list = () => api.bare.get('/api/v1/webhooks', user.headers);
    await expectData(list());
    await expectData(api.admin.put(`/merchants/${merchantId}/permissions`, { permissions: ['transactions', 'merchants'] }));
    await expectError(list(), 403, 'PERMISSION_DENIED');
    await expectData(api.bare.get('/api/v1/transactions', user.headers));
    const widen = api.bare.put(`/api/v1/merchants/${merchantId}/permissions`, { permissions: null }, user.headers);
    await expectError(widen, 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectData(api.admin.put(`/merchants/${merchantId}/permissions`, { permissions: null }));
    await expectData(list());
  });

  test('keeps two parallel changes of different fields', async () => {
    const { api } = fixture();
    const { merchantId } = await shop(fixture());
    const at = `/merchants/${merchantId}/vt-settings`;
    await Promise.all([
      expectData(api.admin.put(at, { requireCvv: false })),
      expectData(api.admin.put(at, { requireZip: false })),
      expectData(api.admin.put(at, { receiptHeader: 'Hello' })),
    ]);
    expect(await expectData(api.admin.get(at))).toMatchObject({ requireCvv: false, requireZip: false, receiptHeader: 'Hello' });
  });

  test('returns configuration and fees according to the settings', async () => {
    const { api, credentials } = fixture();
    const fees = await expectData(api.public.get('/getFee'));
    expect(fees).toEqual({
      card: { percent: 2.9, fixed: 0.3, cap: null, currency: 'USD' },
      ach: { percent: 0.8, fixed: 0, cap: 5, currency: 'USD' },
    });
    const cardFee = { percent: 2.5, fixed: 0.1, cap: null };
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}/settings`, { cardFee }));
    expect(await expectData(api.public.get('/getFee'))).toMatchObject({ card: cardFee });
    expect(await expectData(api.public.get('/getConfig'))).toMatchObject({
      merchantId: credentials.merchantId,
      environment: 'sandbox',
      paymentMethods: ['card', 'ach', 'token'],
      gateways: ['sandbox'],
    });
  });
});
