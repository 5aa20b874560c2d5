import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ERRORS } from '#core/kernel';
import { EVENT_TYPES } from '#shared/webhook-events';
import { allRoutes } from '../../../server/routes.ts';
import { ask } from '../../support/api-client.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { CARDS, cardBody, createSale } from '../../support/sales.ts';
import { type Answer, type ApiFixture, DATABASES, describeOnAnyDatabase, describeOnSmallData, sized } from '../../support/server.ts';

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

/** Returns a function that finds the validator of an answer. */
function validatorsOf(document: Document): (path: string, method: string, status: number) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema(document, 'document');
  return (path, method, status) => {
    const parts = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = ajv.getSchema(`document#/${pointer}`);
    if (!validate) throw new Error(`${method} ${path} does not document the status ${status}.`);
    return validate;
  };
}

const errorsOf = ({ errors }: ValidateFunction): string =>
  (errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join(', ');

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: object;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** The paths of fields that a value has and its schema does not declare. A record declares all of its fields. */
function undeclared(value: unknown, { properties, patternProperties, items, anyOf }: Shape, at = ''): string[] {
  if (typeof value !== 'object' || value === null || patternProperties) return [];
  if (anyOf) return anyOf.map((shape) => undeclared(value, shape, at)).sort((one, other) => one.length - other.length)[0] ?? [];
  if (Array.isArray(value)) return value.flatMap((each) => undeclared(each, items ?? {}, `${at}[]`));
  return Object.entries(value).flatMap(([name, inner]) => {
    const shape = properties?.[name];
    return shape ? undeclared(inner, shape, `${at}.${name}`) : [`${at}.${name}`];
  });
}

/**
 * Compares responses with the document: the status is listed, the code is among its examples, the body matches the schema. Returns the
 * difference, or null.
 */
function checkerOf(document: Document) {
  const validatorOf = validatorsOf(document);
  return ({ path, method, operation: { responses } }: DocumentedOperation, answer: Answer<unknown>): string | null => {
    const content = responses[answer.status]?.content['application/json'];
    if (content === undefined) return `${answer.status} is not documented`;
    const validate = validatorOf(path, method, answer.status);
    if (!validate(JSON.parse(answer.text))) return errorsOf(validate);
    const code = answer.status < 300 ? undefined : answer.body.error.code;
    return code === undefined || code in (content.examples ?? {}) ? null : `${code} is not documented for ${answer.status}`;
  };
}

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

  test('serves the API explorer without files of other servers', async () => {
    const { api } = fixture();
    const page = await api.bare.get('/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    const linked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(linked.length).toBeGreaterThan(2);
    for (const address of linked) {
      expect(address).toMatch(/^\/docs\//);
      expect((await api.bare.get(address)).status).toBe(200);
    }
  });
});

describeOnSmallData('operations of the OpenAPI document', DATABASES, (fixture) => {
  test('describes the responses that the server sends', async () => {
    const { api } = fixture();
    const document = await documentOf(fixture());
    const validatorOf = validatorsOf(document);
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
    const given: [string, string, Answer<unknown>][] = [
      ['/api/v1/refund-decline-queue', 'get', queue],
      ['/api/v1/refund-decline-queue/stats', 'get', await api.admin.get('/refund-decline-queue/stats')],
      ['/api/v1/refund-decline-queue/process-retries', 'post', await api.admin.post('/refund-decline-queue/process-retries')],
      ['/api/v1/refund-decline-queue/{entryId}', 'get', await api.admin.get(`/refund-decline-queue/${entryId}`)],
      ['/api/v1/refund-decline-queue/{entryId}/retry', 'post', await api.admin.post(`/refund-decline-queue/${entryId}/retry`)],
      ['/api/v1/webhooks', 'post', endpoint],
      ['/api/v1/webhooks/{id}/test', 'post', tested],
      ['/api/v1/webhooks/{id}', 'put', await api.admin.put(hook, { description: 'x' })],
      ['/api/v1/webhooks', 'get', await api.admin.get('/webhooks')],
      ['/api/v1/webhooks/{id}/deliveries', 'get', await api.admin.get(`${hook}/deliveries`)],
      ['/api/v1/webhooks/{id}/deliveries/{deliveryId}', 'get', await api.admin.get(`${hook}/deliveries/${tested.body.data.id}`)],
      ['/api/v1/transactions/{id}/deliveries', 'get', await api.admin.get(`/transactions/${transactionId}/deliveries`)],
      ['/api/v1/webhooks/{id}/rotate-secret', 'post', await api.admin.post(`${hook}/rotate-secret`)],
      ['/api/v1/webhooks/{id}', 'delete', await api.admin.delete(hook)],
      ['/api/v1/sandbox/clock', 'post', await api.admin.post('/sandbox/clock', { advanceSeconds: 1 })],
      ['/api/v1/sandbox/messages', 'get', await api.admin.get('/sandbox/messages')],
      ['/api/v1/sandbox/gateway', 'get', await api.admin.get('/sandbox/gateway')],
      ['/api/v1/sandbox/chargebacks', 'post', await api.admin.post('/sandbox/chargebacks', { transactionId })],
      ['/api/v1/transactions', 'post', await api.admin.post('/transactions', cardBody(20))],
      ['/api/v1/transactions', 'post', await api.admin.post('/transactions', cardBody(20, CARDS.declined))],
      ['/api/v1/transactions', 'get', await api.admin.get('/transactions?limit=200')],
      ['/api/v1/transactions/{id}', 'get', await api.admin.get(`/transactions/${transactionId}`)],
      ['/api/v1/transactions/{id}/capture', 'post', await api.admin.post(`/transactions/${auth.data.transactionId}/capture`)],
      ['/api/v1/refunds', 'get', await api.admin.get('/refunds')],
      ['/api/v1/refunds/{refundId}', 'get', await api.admin.get(`/refunds/${refunded.data.refundId}`)],
      ['/api/v1/auth/me', 'get', await api.admin.get('/auth/me')],
      ['/api/v1/public/testConnection', 'post', await api.public.post('/testConnection')],
      ['/api/v1/sdk/query/{transactionId}', 'get', await api.sdk.get(`/query/${transactionId}`)],
      ['/health', 'get', await api.bare.get('/health')],
    ];
    for (const [path, method, answer] of given) {
      const validate = validatorOf(path, method, answer.status);
      expect(validate(JSON.parse(answer.text)), `${method} ${path}: ${errorsOf(validate)}`).toBe(true);
    }
  });

  test('declares every field of the answers with merchants and of the SDK', async () => {
    const current = fixture();
    const { api, credentials } = current;
    const { merchantId } = credentials;
    const document = await documentOf(current);
    const validatorOf = validatorsOf(document);
    const { transactionId } = await createSale(current);
    const CardNumber = CARDS.visa;
    const made = await api.admin.post<{ merchantId: string }>('/merchants', { name: 'Declared' });
    const { tenantApiKey, tenantId } = credentials;
    const asTenant = { 'x-api-key': tenantApiKey, 'X-Tenant-ID': tenantId };
    const sections = ['settings', 'fraud-settings', 'vt-settings', 'branding', 'permissions', 'dunning-settings', 'gateway-routing'];
    const given: [string, string, Answer<unknown>][] = [
      ['/api/v1/merchants', 'post', made],
      ['/api/v1/merchants', 'get', await api.admin.get('/merchants')],
      ['/api/v1/merchants/{id}', 'get', await api.admin.get(`/merchants/${merchantId}`)],
      ['/api/v1/merchants/{id}', 'put', await api.admin.put(`/merchants/${made.body.data.merchantId}`, { name: 'Renamed' })],
      ['/api/v1/auth/me', 'get', await api.admin.get('/auth/me')],
      ['/api/v1/public/merchants', 'get', await api.public.get('/merchants')],
      ['/api/v1/public/merchant', 'get', await api.public.get(`/merchant?id=${merchantId}`)],
      ['/api/v1/public/merchants/provision', 'post', await api.public.post('/merchants/provision', { name: 'Provisioned' }, asTenant)],
      ['/api/v1/public/getConfig', 'get', await api.public.get('/getConfig')],
      ['/api/v1/public/getFee', 'get', await api.public.get('/getFee')],
      ['/api/v1/public/sdk-info', 'get', await api.public.get('/sdk-info')],
      ['/api/v1/sdk/transaction', 'post', await api.sdk.post('/transaction', { Amount: '5', CardNumber, ExpiryDate: '1231', Cvv: '123' })],
      ['/api/v1/sdk/tokenize', 'post', await api.sdk.post('/tokenize', { CardNumber, ExpiryDate: '1231' })],
      ['/api/v1/sdk/refund', 'post', await api.sdk.post('/refund', { TransactionId: transactionId, Amount: '1' })],
      ['/api/v1/sdk/query/{transactionId}', 'get', await api.sdk.get(`/query/${transactionId}`)],
    ];
    for (const name of sections)
      given.push([`/api/v1/merchants/{id}/${name}`, 'get', await api.admin.get(`/merchants/${merchantId}/${name}`)]);
    for (const [path, method, answer] of given) {
      const validate = validatorOf(path, method, answer.status);
      const value = JSON.parse(answer.text);
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
      expect(validate(value), `${method} ${path}: ${errorsOf(validate)}`).toBe(true);
      expect(undeclared(value, validate.schema as Shape), `${method} ${path}`).toEqual([]);
    }
  });

  test('documents the status of a body above the limit', async () => {
    const current = fixture();
    const document = await documentOf(current);
    for (const { method, operation, path } of operationsOf(document))
      expect('413' in operation.responses, `${method} ${path}`).toBe(method !== 'get');
  });

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
    const faultOf = checkerOf(document);
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
        const answer = await ask(api.bare, method, method === 'get' ? `${filled}?${search}` : filled, body, headers);
        expect(answer.status, `${method} ${filled} ${JSON.stringify(body)} ${answer.text}`).toBeLessThan(500);
        expect(typeof answer.body.success).toBe('boolean');
        const fault = faultOf(found, answer);
        expect(fault, `${at} ${JSON.stringify(body)} ${answer.text}`).toBeNull();
      }),
      { numRuns: RUNS },
    );
  });
});
