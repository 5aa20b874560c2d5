import { expect, test } from 'vitest';
import { ask as askWith } from '../../support/api-client.ts';
import { CARDS, cardBody, sale, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { register } from '../../support/webhooks.ts';

const UNKNOWN = '00000000000000000000000000';

interface Operation {
  'x-permission'?: string;
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
}
type Document = { paths: Record<string, Record<string, Operation>> };
type Sent = Record<string, string>;

/** What one tenant owns, as the routes name it. */
interface Owned {
  transactionId: string;
  refundId: string;
  token: string;
  merchantId: string;
  endpointId: string;
  deliveryId: string;
  entryId: string;
}

/** Every route that takes an identifier, and how it is asked with the ids of an owner; made from the document, so that a new route cannot be forgotten. */
async function routesWithIds({ api }: ApiFixture) {
  const document = JSON.parse((await api.bare.get('/openapi.json')).text) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const names = Object.keys(operation.requestBody?.content['application/json']?.schema.properties ?? {});
      const named = names.filter((name) => /^(transactionId|token|refundId)$/i.test(name));
      const takesId = path.includes('{') || (named.length > 0 && operation['x-permission'] !== undefined);
      return takesId ? [{ path, method, names, named }] : [];
    }),
  );
}

async function strangers({ api, credentials }: ApiFixture): Promise<{ admin: Sent; public: Sent; sdk: Sent }> {
  const { standardTenantId: tenantId, standardAdminEmail: email, standardAdminPassword: password, standardApiKey: key } = credentials;
  const login = api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId });
  const { token } = await expectData(login);
  return {
    admin: { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` },
    public: { 'X-Tenant-ID': tenantId, 'x-api-key': key },
    sdk: { Authorization: `Bearer ${key}` },
  };
}

async function owned(fixture: ApiFixture): Promise<Owned> {
  const { admin } = fixture.api;
  const { id: endpointId } = await register(fixture, 'https://nowhere.invalid/');
  const { transactionId, token } = await sale(fixture, 40);
  const refund = await expectData(admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund`, { amount: 5 }));
  const owing = await expectData(admin.post<TransactionRecord>('/transactions', cardBody(41, CARDS.refundDeclined)));
  await admin.post(`/transactions/${owing.transactionId}/refund`);
  const [entry] = await expectData(admin.get<{ id: string }[]>('/refund-decline-queue'));
  const [delivery] = await expectData(admin.get<{ id: string }[]>(`/webhooks/${endpointId}/deliveries`));
  return {
    transactionId,
    token,
    refundId: refund.refundId,
    merchantId: fixture.credentials.merchantId,
    endpointId,
    deliveryId: delivery?.id ?? '',
    entryId: entry?.id ?? '',
  };
}

const nothing: Owned = {
  transactionId: `txn_${UNKNOWN}`,
  refundId: `ref_${UNKNOWN}`,
  token: `tok_${UNKNOWN}`,
  merchantId: `mer_${UNKNOWN}`,
  endpointId: `whe_${UNKNOWN}`,
  deliveryId: `dlv_${UNKNOWN}`,
  entryId: `rdq_${UNKNOWN}`,
};

function idOf(of: Owned, path: string, name: string): string {
  if (/^token$/i.test(name)) return of.token;
  if (path.includes('/webhooks') && name === 'id') return of.endpointId;
  if (name === 'deliveryId' || name === 'entryId') return of[name];
  return /^refundId$/i.test(name) ? of.refundId : of.transactionId;
}

/** What some routes want besides an id before they look for it. */
const WANTED: Readonly<Record<string, unknown>> = { eventType: 'transaction.approved', since: '2026-01-01' };

/** An answer with the ids of one owner written as those of another. */
const translated = (text: string, from: Owned, to: Owned) =>
  Object.entries(from).reduce((result, [name, id]) => result.replaceAll(id, to[name as keyof Owned]), text);

describeOnBothDatabases('tenants do not meet', (fixture) => {
  test('on every route an id of another tenant is answered exactly like an unknown one, and nothing happens to it', async () => {
    const { api } = fixture();
    const theirs = await owned(fixture());
    const before = await expectData(api.admin.get<TransactionRecord>(`/transactions/${theirs.transactionId}`));
    const headers = await strangers(fixture());
    const routes = await routesWithIds(fixture());
    expect(routes.length).toBeGreaterThan(15);
    for (const { path, method, names, named } of routes) {
      const surface = path.includes('/public/') ? 'public' : path.includes('/sdk/') ? 'sdk' : 'admin';
      const ask = (of: Owned) => {
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(of, path, name));
        const amounts = names.filter((name) => /^amount$/i.test(name)).map((name) => [name, 5]);
        const byToken = names.includes('paymentMethod') ? [['paymentMethod', 'token']] : [];
        const wanted = Object.entries(WANTED).filter(([name]) => names.includes(name));
        const body = Object.fromEntries([
          ...amounts,
          ...byToken,
          ...wanted,
          ...named.map((name) => [name, idOf(of, path, name)]),
        ]) as Record<string, unknown>;
        return askWith(api.bare, method, filled, body, headers[surface]);
      };
      const [foreign, unknown] = [await ask(theirs), await ask(nothing)];
      expect(foreign.status, `${method} ${path}: ${foreign.text}`).toBe(404);
      expect(unknown.status, `${method} ${path}: ${unknown.text}`).toBe(404);
      expect(translated(foreign.text, theirs, nothing), `${method} ${path}`).toBe(unknown.text);
    }
    expect(await expectData(api.admin.get(`/transactions/${theirs.transactionId}`))).toEqual(before);
  });

  test("a merchant of another tenant is an unknown one, and no list or export holds another tenant's records", async () => {
    const { api } = fixture();
    const theirs = await owned(fixture());
    const { admin } = await strangers(fixture());
    const sell = (merchantId: string) => api.bare.post('/api/v1/transactions', cardBody(5, CARDS.visa, { merchantId }), admin);
    const [foreign, unknown] = [await sell(theirs.merchantId), await sell(nothing.merchantId)];
    await expectError(foreign, 404, 'MERCHANT_NOT_FOUND');
    expect(translated(foreign.text, theirs, nothing)).toBe(unknown.text);
    for (const path of ['/transactions', '/refunds']) {
      const [named, none] = [theirs, nothing].map(({ merchantId }) => api.bare.get(`/api/v1${path}?merchantId=${merchantId}`, admin));
      expect(translated((await named)?.text ?? '', theirs, nothing)).toBe((await none)?.text);
    }
    const { transactionId } = theirs;
    const searches = [`/transactions?q=${transactionId}`, `/refunds?transactionId=${transactionId}`, '/transactions?limit=200', '/refunds'];
    for (const path of searches) expect((await api.bare.get(`/api/v1${path}`, admin)).text).not.toContain(transactionId);
    const csv = await api.bare.get('/api/v1/transactions/export?format=csv', admin);
    expect(csv.status).toBe(200);
    expect(csv.text).not.toContain(transactionId);
  });

  test('an Idempotency-Key of one tenant means nothing to another', async () => {
    const { api } = fixture();
    const body = { Amount: 12, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    const key = { 'Idempotency-Key': 'the same in both tenants' };
    const first = await api.public.post<TransactionRecord>('/transaction', body, key);
    const second = await api.standard.post<TransactionRecord>('/transaction', body, key);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect((await expectData(second)).transactionId).not.toBe((await expectData(first)).transactionId);
  });
});
