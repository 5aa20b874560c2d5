import { expect, test } from 'vitest';
import { ask } from '../../support/api-client.ts';
import { createCustomerWithCard, subscribe } from '../../support/customers.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { CARDS, cardBody, createDeclinedSale, createSale } from '../../support/sales.ts';
import { type Api, describeOnAnyDatabase, expectData, expectError, FULL, type Surface } from '../../support/server.ts';
import { registerEndpoint } from '../../support/webhooks.ts';

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  minItems?: number;
  anyOf?: Schema[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  'x-error-code'?: string;
};
interface Operation {
  readonly operationId: string;
  readonly security: Record<string, unknown>[];
  readonly parameters: { name: string; in: string; required?: boolean; example?: unknown }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly 'x-permission'?: string;
  readonly responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}
type Paths = Record<string, Record<string, Operation>>;

const BAD: Readonly<Record<string, unknown>> = { INVALID_AMOUNT: '05', INVALID_DATE: '2026-02-30', INVALID_CURRENCY: 'CLF' };
const GOOD: Readonly<Record<string, unknown>> = {
  INVALID_AMOUNT: 20,
  INVALID_DATE: '2026-11-02',
  INVALID_CURRENCY: 'USD',
  INVALID_EMAIL: 'a@example.com',
};
/** Lists without filters by creation time, each with its reason. */
const UNDATED: Readonly<Record<string, string>> = {
  '/api/v1/roles': 'a role has no date',
  '/api/v1/customers/imports/{id}/lines': 'a line has no date of its own',
  '/api/v1/customers/expiring-cards': 'asked for by days until the expiry',
  '/api/v1/settlement/funding-report': 'requires both days of its period',
  '/api/v1/settlement/unsettled': 'a line has no date of its own',
  '/api/v1/settlement/settlements/{id}/lines': 'a line has no date of its own',
  '/api/v1/settlement/reconciliation/{runId}/items': 'an item has no date of its own',
  '/api/v1/sandbox/messages': 'the newest messages for a developer; /notifications/messages has the filters',
  '/api/v1/items': 'a catalogue is in the order of its buttons',
  '/api/v1/public/items': 'a catalogue is in the order of its buttons',
  '/api/v1/request-log': 'the last requests, kept in memory',
  '/api/v1/webhooks/events': 'filtered by `from` and `to`',
  '/api/v1/public/webhooks/events': 'filtered by `from` and `to`',
  '/api/v1/terminals': 'the card readers of the counters, not records of a day',
  '/api/v1/public/terminals': 'the card readers of the counters, not records of a day',
  '/api/v1/customers/{id}/page-links': 'the few links of one customer',
};
/** Lists of records with a status but without a filter by it, each with its reason. */
const WITHOUT_STATUS: Readonly<Record<string, string>> = {
  '/api/v1/public/merchants': 'only open ones, because the keys of closed merchants are refused',
  '/api/v1/settlement/reconciliation/{runId}/items': 'filtered by `kind`, which the status follows from',
  '/api/v1/request-log': 'the status is that of HTTP; `failed` filters by it',
  '/api/v1/customers/{id}/page-links': 'the few links of one customer',
};
function example(schema: Schema): unknown {
  const good = GOOD[codeOf(schema) ?? ''];
  if (good !== undefined) return good;
  if (schema.anyOf) return example(schema.anyOf[0] as Schema);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'object') return exampleBody(schema);
  if (schema.type === 'array') return schema.minItems && schema.items ? [example(schema.items)] : [];
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1;
  return schema.type === 'boolean' ? true : 'a';
}

const exampleBody = (schema: Schema) =>
  Object.fromEntries((schema.required ?? []).map((name) => [name, example(schema.properties?.[name] ?? {})]));

const codeOf = (schema: Schema) => schema['x-error-code'] ?? schema.anyOf?.find((choice) => choice['x-error-code'])?.['x-error-code'];

describeOnAnyDatabase('Rules of queries and bodies', (fixture) => {
  const operations = async () => {
    const paths = withoutReferences((await fixture().api.bare.get('/openapi.json')).body as unknown as { paths: Paths });
    return Object.entries(paths.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  };
  const surfaceOf = (api: Api, path: string): [Surface, string] => {
    if (path.startsWith('/api/v1/public')) return [api.public, path.slice('/api/v1/public'.length)];
    if (path.startsWith('/api/v1/sdk')) return [api.sdk, path.slice('/api/v1/sdk'.length)];
    return path.startsWith('/api/v1') ? [api.admin, path.slice('/api/v1'.length)] : [api.bare, path];
  };

  test('refuses unknown query parameters on every read', async () => {
    const reads = (await operations()).filter(({ method, operation }) => method === 'get' && operation.security.length > 0);
    expect(reads.length).toBeGreaterThan(60);
    const accepted: string[] = [];
    for (const { path, operation } of reads) {
      const [surface, own] = surfaceOf(fixture().api, path);
      const { status, body } = await surface.get(`${own.replace(/\{\w+\}/g, 'x')}?colour=red`);
      if (status !== 400 || body.error.code !== 'VALIDATION_ERROR' || body.error.field !== 'colour') accepted.push(operation.operationId);
    }
    expect(accepted).toEqual([]);
  });

  test('accepts every read with its required parameters only, and names a missing one', FULL, async () => {
    const reads = (await operations()).filter(
      ({ method, path, operation }) => method === 'get' && operation.security.length > 0 && path !== '/api/v1/changes',
    );
    const faults: unknown[] = [];
    let required = 0;
    for (const { path, operation } of reads) {
      const [surface, own] = surfaceOf(fixture().api, path);
      const { merchantId } = fixture().credentials;
      const valueIn = ({ name, example: value }: { name: string; example?: unknown }) =>
        encodeURIComponent(path.includes('/merchants/') && name === 'id' ? merchantId : String(value));
      const address = operation.parameters
        .filter(({ in: place }) => place === 'path')
        .reduce((url, parameter) => url.replace(`{${parameter.name}}`, valueIn(parameter)), own);
      const needed = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
      const queryOf = (parameters: typeof needed) => parameters.map((parameter) => `${parameter.name}=${valueIn(parameter)}`).join('&');
      const accepted = await surface.get(`${address}?${queryOf(needed)}`);
      if (accepted.status === 400) faults.push([operation.operationId, accepted.body.error]);
      for (const parameter of needed) {
        const answer = await surface.get(`${address}?${queryOf(needed.filter((each) => each !== parameter))}`);
        const { code, field } = answer.body.error;
        if (code !== 'REQUIRED_FIELD_MISSING' || field !== parameter.name)
          faults.push([operation.operationId, parameter.name, answer.body]);
        required += 1;
      }
    }
    expect(required).toBeGreaterThanOrEqual(5);
    expect(faults).toEqual([]);
  });

  /** Lists with pages, and an existing record for the parameters of their paths. */
  async function lists() {
    const { api, credentials } = fixture();
    const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', { firstName: 'Dated' }), 201);
    const { id: endpointId } = await registerEndpoint(fixture(), 'https://shop.example/hooks', ['*'], fixture().credentials.merchantId);
    const { subscriptionId } = await subscribe(fixture(), (await createCustomerWithCard(fixture())).customerId);
    const recordOf = (path: string) => {
      if (path.includes('/webhooks/')) return endpointId;
      if (path.includes('/recurring/')) return subscriptionId;
      return path.includes('/customer') ? customerId : credentials.merchantId;
    };
    const found = (await operations()).flatMap(({ path, method, operation }) => {
      const answer = operation.responses['200']?.content['application/json']?.schema.properties;
      if (method !== 'get' || answer?.pagination === undefined || operation['x-permission'] === undefined) return [];
      const fields = Object.keys(answer.data?.items?.properties ?? {});
      const filters = operation.parameters.map(({ name }) => name);
      return [{ path, fields, filters, url: path.replace(/\{\w+\}/g, recordOf(path)) }];
    });
    expect(found.length).toBeGreaterThan(30);
    return found;
  }

  test('filters every list by creation time and refuses wrong dates, or is listed as an exception', FULL, async () => {
    const { api } = fixture();
    const dated = (await lists()).filter(({ path }) => !(path in UNDATED));
    expect(dated.filter(({ filters }) => !filters.includes('startDate') || !filters.includes('endDate')).map(({ path }) => path)).toEqual(
      [],
    );
    for (const { path, url } of dated) {
      const [surface, own] = surfaceOf(api, url);
      const totalOf = async (query: string) => {
        const { status, body } = await surface.get(`${own}?limit=1&${query}`);
        expect([path, query, status]).toEqual([path, query, 200]);
        return body.pagination.total;
      };
      expect([path, await totalOf('startDate=2990-01-01')]).toEqual([path, 0]);
      expect([path, await totalOf('endDate=2001-01-01')]).toEqual([path, 0]);
      expect([path, await totalOf('startDate=2001-01-01&endDate=2990-01-01')]).toEqual([path, await totalOf('')]);
      await expectError(surface.get(`${own}?startDate=2026-02-30`), 400, 'INVALID_DATE');
      await expectError(surface.get(`${own}?startDate=2026-03-02&endDate=2026-03-01`), 400, 'VALIDATION_ERROR');
    }
    expect((await api.admin.get('/customers?startDate=2001-01-01')).body.pagination.total).toBeGreaterThan(0);
  });

  test('filters every list of records with a status, or is listed as an exception', FULL, async () => {
    const { api } = fixture();
    const withStatus = (await lists()).filter(({ path, fields }) => fields.includes('status') && !(path in WITHOUT_STATUS));
    expect(withStatus.filter(({ filters }) => !filters.includes('status')).map(({ path }) => path)).toEqual([]);
    let records = 0;
    for (const { path, url } of withStatus) {
      const [surface, own] = surfaceOf(api, url);
      await expectError(surface.get(`${own}?status=no_such_status`), 400, 'VALIDATION_ERROR', 'status');
      const statusesIn = async (query = '') => {
        const { data } = (await surface.get<{ status: string }[]>(`${own}?limit=200${query}`)).body;
        records += query === '' ? 0 : data.length;
        return [...new Set(data.map(({ status }) => status))];
      };
      for (const status of await statusesIn()) {
        const found = await statusesIn(`&status=${status}`);
        // The last record with this status may have just got another one, as a delivery that is sent.
        if (found.length === 0 && !(await statusesIn()).includes(status)) continue;
        // A settled payment is approved, and is found by either status.
        expect([path, found]).toEqual([path, [status]]);
      }
    }
    expect(records).toBeGreaterThan(50);
  });

  test('filters API keys and batch payouts by status', async () => {
    const { api } = fixture();
    const made = await expectData(
      api.admin.post<{ id: string }>('/api-keys', { name: 'old', scope: 'tenant', currentPassword: fixture().credentials.adminPassword }),
      201,
    );
    await expectData(api.admin.delete(`/api-keys/${made.id}`));
    const idsOf = async (status: string) =>
      (await expectData(api.admin.get<{ id: string; status: string }[]>(`/api-keys?status=${status}`))).map((key) => [key.id, key.status]);
    expect(await idsOf('revoked')).toContainEqual([made.id, 'revoked']);
    expect((await idsOf('active')).map(([, status]) => status)).not.toContain('revoked');
    expect(await idsOf('expired')).not.toContainEqual([made.id, 'revoked']);
    await expectData(api.admin.get('/settlement/batch-payouts?status=paid'));
    await expectError(api.admin.get('/settlement/batch-payouts?status=settled'), 400, 'VALIDATION_ERROR');
  });

  test('refuses a wrong amount, date or currency before an unknown ID', async () => {
    const found: string[] = [];
    for (const { path, method, operation } of await operations()) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      // A key of one merchant may not create merchants: the permission is checked before the body.
      if (!schema || operation.security.length === 0 || operation.operationId === 'public.provisionMerchant') continue;
      const names = Object.entries(schema.properties ?? {}).filter(([, inner]) => (codeOf(inner) ?? '') in BAD);
      for (const [name, inner] of names) {
        const code = codeOf(inner) ?? '';
        const [surface, own] = surfaceOf(fixture().api, path);
        const body = { ...exampleBody(schema), [name]: BAD[code] };
        const answer = await ask(surface, method, own.replace(/\{\w+\}/g, 'x'), body);
        expect([operation.operationId, name, answer.status, answer.body.error?.code, answer.body.error?.field]).toEqual([
          operation.operationId,
          name,
          400,
          code,
          name,
        ]);
        found.push(operation.operationId);
      }
    }
    expect(found.filter((id) => id.startsWith('sdk.')).length).toBeGreaterThan(2);
    expect(found).toEqual(expect.arrayContaining(['admin.refundTransaction', 'admin.payInvoice', 'admin.updateSubscription']));
  });

  test('refuses an amount with too many decimals before the state of the transaction', async () => {
    const { api } = fixture();
    const voided = await createSale(fixture(), 20);
    await expectData(api.admin.post(`/transactions/${voided.transactionId}/void`, {}));
    const declined = await createDeclinedSale(fixture(), CARDS.visa);
    for (const { transactionId } of [voided, declined])
      for (const operation of ['refund', 'refund/partial', 'capture', 'credit'])
        await expectError(api.admin.post(`/transactions/${transactionId}/${operation}`, { amount: 1.001 }), 400, 'INVALID_AMOUNT');
  });

  test('refuses null as a body, with and without an Idempotency-Key', async () => {
    const { api } = fixture();
    for (const headers of [undefined, { 'Idempotency-Key': 'null-body' }]) {
      const error = await expectError(api.admin.post('/transactions', 'null', headers), 400, 'VALIDATION_ERROR');
      expect(error.message).toContain('object');
    }
    expect((await api.admin.post('/transactions', cardBody(20))).status).toBe(200);
  });
});
