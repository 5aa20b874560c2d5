import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ERRORS } from '#core/kernel';
import { EVENT_TYPES } from '#shared/webhook-events';
import { allRoutes } from '../../../server/routes/index.ts';
import { ask } from '../../support/api-client.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { CARDS, cardBody, createSale } from '../../support/sales.ts';
import { ANY_DATABASE, type Answer, type ApiFixture, describeOnAnyDatabase, describeOnSmallData, sized } from '../../support/server.ts';

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  responses: Record<string, { content: Record<string, { schema: object; examples?: Record<string, unknown> }> }>;
}
type DocumentedOperation = { readonly path: string; readonly method: string; readonly operation: Operation };
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

const documentOf = async ({ api }: ApiFixture) => withoutReferences(JSON.parse((await api.bare.get('/openapi.json')).text) as Document);
const operationsOf = (document: Document): DocumentedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The authentication headers of each surface. */
function headersFor({ credentials }: ApiFixture, token: string, { security }: Operation): Record<string, string> {
  const [first = {}] = security;
  if ('apiKey' in first) return { 'x-api-key': credentials.apiKey, 'X-Tenant-ID': credentials.tenantId };
  if ('sdkKey' in first) return { Authorization: `Bearer ${credentials.apiKey}` };
  return { Authorization: `Bearer ${token}`, 'X-Tenant-ID': credentials.tenantId };
}

async function tokenOf({ api, credentials }: ApiFixture): Promise<string> {
  const body = { email: credentials.adminEmail, password: credentials.adminPassword };
  return (await api.bare.post<{ token: string }>('/api/v1/auth/login', body, { 'X-Tenant-ID': credentials.tenantId })).body.data.token;
}

/**
 * Excluded: sign-in is limited, exports are not JSON, a stream does not end, and the sandbox tools change the state for all later requests.
 */
const UNWALKED = /\/auth\/|oken|export|\/changes$|\/sandbox\//;

/** Requests of any kind per database, in the order given by the seed of the run. */
const RUNS = sized(100, 400);

const oddText = fc.oneof(
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    "' OR 1=1 --",
    '__proto__',
    '9'.repeat(400),
    '1e400',
    '-0',
    '\u202e',
    '../../etc/passwd',
    '2026-02-30',
    CARDS.visa,
  ),
);
const oddValue = fc.oneof(oddText, fc.double(), fc.constantFrom<unknown>(null, true, [], {}, -1, 0, 2 ** 53 + 1, [[]], { a: { b: {} } }));

describeOnAnyDatabase('the OpenAPI document', (fixture) => {
  test('describes every operation once as OpenAPI 3.1, and its errors with examples', async () => {
    const document = await documentOf(fixture());
    expect(document.openapi).toBe('3.1.0');
    const operations = operationsOf(document);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([
        'admin.createTransaction',
        'public.createTransaction',
        'sdk.createTransaction',
        'admin.listRefunds',
        'health',
      ]),
    );
    for (const { operation } of operations) expect(Object.keys(operation.responses)).toContain('500');
    const text = JSON.stringify(document);
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`"${code}"`);
  });

  test('refers to records by name, in place of repeating their schemas', async () => {
    const text = (await fixture().api.bare.get('/openapi.json')).text;
    const { components, paths, webhooks } = JSON.parse(text) as {
      components: { schemas: Record<string, object> };
      paths: object;
      webhooks: Record<string, object>;
    };
    expect(Object.keys(webhooks).toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'Customer',
        'Error',
        'Invoice',
        'Refund',
        'SdkTransaction',
        'Subscription',
        'Transaction',
        'WebhookEndpoint',
      ]),
    );
    const used = new Set(
      [...JSON.stringify([components, paths, webhooks]).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
    );
    expect(Object.keys(components.schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test('lists every route that the server has', async () => {
    const unasked = () => {
      throw new Error('listing the routes asks for nothing');
    };
    const routes = allRoutes(
      { dataDir: '', isSetUp: unasked, restore: unasked, examineDatabase: unasked, join: unasked, setUp: unasked },
      unasked,
    );
    const document = await documentOf(fixture());
    const listed = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(listed.toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  });
});

describeOnSmallData('operations of the OpenAPI document', ANY_DATABASE, (fixture) => {
  test('describes the responses that the server sends: the client compares each one with the document', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture());
    const { body: refunded } = await api.admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund`, { amount: 5 });
    const { body: auth } = await api.admin.post<{ transactionId: string }>('/transactions', cardBody(20, CARDS.visa, { type: 'auth' }));
    const owing = await api.admin.post<{ transactionId: string }>('/transactions', cardBody(21, CARDS.refundDeclined));
    await api.admin.post(`/transactions/${owing.body.data.transactionId}/refund`);
    const queue = await api.admin.get<{ id: string }[]>('/refund-decline-queue');
    const entryId = queue.body.data[0]?.id;
    const endpoint = await api.admin.post<{ id: string }>('/webhooks', { url: 'https://nowhere.invalid/', events: ['*'] });
    const hook = `/webhooks/${endpoint.body.data.id}`;
    const tested = await api.admin.post<{ id: string }>(`${hook}/test`, { eventType: 'refund.processed' });
    const answers: Answer<unknown>[] = [
      queue,
      await api.admin.get('/refund-decline-queue/stats'),
      await api.admin.post('/refund-decline-queue/process-retries'),
      await api.admin.get(`/refund-decline-queue/${entryId}`),
      await api.admin.post(`/refund-decline-queue/${entryId}/retry`),
      endpoint,
      tested,
      await api.admin.put(hook, { description: 'x' }),
      await api.admin.get('/webhooks'),
      await api.admin.get(`${hook}/deliveries`),
      await api.admin.get(`${hook}/deliveries/${tested.body.data.id}`),
      await api.admin.get(`/transactions/${transactionId}/deliveries`),
      await api.admin.post(`${hook}/rotate-secret`),
      await api.admin.delete(hook),
      await api.admin.post('/sandbox/clock', { advanceSeconds: 1 }),
      await api.admin.get('/sandbox/messages'),
      await api.admin.get('/sandbox/gateway'),
      await api.admin.post('/sandbox/chargebacks', { transactionId }),
      await api.admin.post('/transactions', cardBody(20)),
      await api.admin.post('/transactions', cardBody(20, CARDS.declined)),
      await api.admin.get('/transactions?limit=200'),
      await api.admin.get(`/transactions/${transactionId}`),
      await api.admin.post(`/transactions/${auth.data.transactionId}/capture`),
      await api.admin.get('/refunds'),
      await api.admin.get(`/refunds/${refunded.data.refundId}`),
      await api.admin.get('/auth/me'),
      await api.public.post('/testConnection'),
      await api.sdk.get(`/query/${transactionId}`),
      await api.bare.get('/health'),
    ];
    for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(300);
  });

  test('declares every field of the answers with merchants and of the SDK', async () => {
    const current = fixture();
    const { api, credentials } = current;
    const { merchantId } = credentials;
    const { transactionId } = await createSale(current);
    const CardNumber = CARDS.visa;
    const made = await api.admin.post<{ merchantId: string }>('/merchants', { name: 'Declared' });
    const { tenantApiKey, tenantId } = credentials;
    const asTenant = { 'x-api-key': tenantApiKey, 'X-Tenant-ID': tenantId };
    const sections = ['settings', 'fraud-settings', 'vt-settings', 'branding', 'permissions', 'dunning-settings', 'gateway-routing'];
    const answers: Answer<unknown>[] = [
      made,
      await api.admin.get('/merchants'),
      await api.admin.get(`/merchants/${merchantId}`),
      await api.admin.put(`/merchants/${made.body.data.merchantId}`, { name: 'Renamed' }),
      await api.admin.get('/auth/me'),
      await api.public.get('/merchants'),
      await api.public.get(`/merchant?id=${merchantId}`),
      await api.public.post('/merchants/provision', { name: 'Provisioned' }, asTenant),
      await api.public.get('/getConfig'),
      await api.public.get('/getFee'),
      await api.public.get('/sdk-info'),
      await api.sdk.post('/transaction', { Amount: '5', CardNumber, ExpiryDate: '1231', Cvv: '123' }),
      await api.sdk.post('/tokenize', { CardNumber, ExpiryDate: '1231' }),
      await api.sdk.post('/refund', { TransactionId: transactionId, Amount: '1' }),
      await api.sdk.get(`/query/${transactionId}`),
    ];
    for (const name of sections) answers.push(await api.admin.get(`/merchants/${merchantId}/${name}`));
    for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(300);
  });

  test('documents the status of a body above the limit', async () => {
    const current = fixture();
    const document = await documentOf(current);
    for (const { method, operation, path } of operationsOf(document))
      expect('413' in operation.responses, `${method} ${path}`).toBe(method !== 'get');
  });
});

// PostgreSQL refuses some texts that SQLite stores.
describeOnSmallData('operations of the OpenAPI document with inputs of any kind', ANY_DATABASE, (fixture) => {
  test('answers inputs of any kind as the document says, and never with 5xx', { timeout: 120_000 }, async () => {
    const current = fixture();
    const { api } = current;
    const document = await documentOf(current);
    const token = await tokenOf(current);
    const operations = operationsOf(document).filter(({ path }) => path.startsWith('/api/v1') && !UNWALKED.test(path));
    const request = fc.record({
      at: fc.constantFrom(...operations.map(({ operation }) => operation.operationId)),
      odd: fc.dictionary(fc.nat({ max: 12 }).map(String), oddValue, { maxKeys: 6 }),
      id: oddText,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ at, odd, id }) => {
        const found = operations.find(({ operation }) => operation.operationId === at);
        if (!found) throw new Error(`${at} is in the document`);
        const { path, method, operation } = found;
        const names = Object.keys(operation.requestBody?.content['application/json']?.schema.properties ?? {});
        const queries = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
        const pick = (from: string[], index: string) => from[Number(index) % Math.max(1, from.length)] ?? index;
        const body = Object.fromEntries(Object.entries(odd).map(([index, value]) => [pick(names, index), value]));
        const search = Object.entries(odd)
          .filter(([, value]) => typeof value === 'string' && value.isWellFormed())
          .map(([index, value]) => `${encodeURIComponent(pick(queries, index))}=${encodeURIComponent(String(value))}`)
          .join('&');
        const filled = path.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed()) || 'x');
        const headers = headersFor(current, token, operation);
        // The client compares the answer with the document.
        const answer = await ask(api.bare, method, method === 'get' ? `${filled}?${search}` : filled, body, headers);
        expect(answer.status, `${method} ${filled} ${JSON.stringify(body)} ${answer.text}`).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  });
});
