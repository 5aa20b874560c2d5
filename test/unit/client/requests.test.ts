import { describe, expect, test } from 'vitest';
import {
  ConnectionError,
  DeclinedError,
  Paydesk,
  type PaydeskOptions,
  RateLimitExceededError,
  ResourceConflictError,
  type ResponseInfo,
  ServiceUnavailableError,
} from '../../../clients/node/src/index.ts';

type Reply = Response | Error;

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'req_1', ...headers } });
const success = (data: unknown) => json(200, { success: true, data });
const failure = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { success: false, error: { code, message: 'Refused.' } }, headers);

/** Returns a client whose server gives these replies in order, with the requests that it gets. */
function clientOf(replies: readonly Reply[], options: PaydeskOptions = {}) {
  const left = [...replies];
  const requests: { url: string; method: string; headers: Headers; body: string | undefined }[] = [];
  const fetch = async (url: URL | RequestInfo, init: RequestInit = {}) => {
    requests.push({
      url: String(url),
      method: init.method ?? '',
      headers: new Headers(init.headers),
      body: init.body as string | undefined,
    });
    const reply = left.shift();
    if (reply === undefined) throw new Error('The test has no further reply.');
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const paydesk = new Paydesk({
    baseUrl: 'http://paydesk.test/',
    tenantId: 'ten_1',
    apiKey: 'pk_1',
    accessToken: 'jwt',
    fetch,
    ...options,
  });
  return { paydesk, requests };
}

const keysOf = (requests: readonly { headers: Headers }[]) => new Set(requests.map(({ headers }) => headers.get('idempotency-key')));

describe('retries of the client', () => {
  test.each([
    ['429', failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' })],
    ['503', failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })],
    ['409 of a request that is still running', failure(409, 'RESOURCE_CONFLICT', { 'retry-after': '0' })],
  ])('repeats a sale after %s with the same idempotency key', async (_, reply) => {
    const { paydesk, requests } = clientOf([reply, success({ transactionId: 'txn_1' })]);
    expect(await paydesk.post('/public/transaction', { Amount: 5 })).toEqual({ transactionId: 'txn_1' });
    expect(requests).toHaveLength(2);
    expect([...keysOf(requests)]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test('repeats a sale after a failed connection with the same idempotency key', async () => {
    const { paydesk, requests } = clientOf([new TypeError('fetch failed'), success({})], { retryWaitMsMax: 1 });
    await paydesk.post('/public/refund', { transactionId: 'txn_1' }, { idempotencyKey: 'order-7' });
    expect([...keysOf(requests)]).toEqual(['order-7']);
    expect(requests).toHaveLength(2);
  });

  test('encodes the reason for an approver, and repeats it', async () => {
    const { paydesk, requests } = clientOf([failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), success({})]);
    await paydesk.post('/public/refund', { transactionId: 'txn_1' }, { approvalReason: 'Café, 50 %' });
    expect(requests.map(({ headers }) => headers.get('paydesk-approval-reason'))).toEqual(Array(2).fill('Caf%C3%A9%2C%2050%20%25'));
  });

  test('stops after the configured number of retries', async () => {
    const reply = () => failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
    const { paydesk, requests } = clientOf([reply(), reply(), reply()], { retries: 2 });
    await expect(paydesk.get('/public/sdk-info')).rejects.toThrow(ServiceUnavailableError);
    expect(requests).toHaveLength(3);
  });

  test('throws at once if Retry-After is longer than the limit', async () => {
    const { paydesk, requests } = clientOf([failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3600' })]);
    await expect(paydesk.get('/public/sdk-info')).rejects.toThrow(RateLimitExceededError);
    expect(requests).toHaveLength(1);
  });

  test('does not repeat a conflict that is final', async () => {
    const { paydesk, requests } = clientOf([failure(409, 'RESOURCE_CONFLICT')]);
    await expect(paydesk.post('/public/void', { transactionId: 'txn_1' })).rejects.toThrow(ResourceConflictError);
    expect(requests).toHaveLength(1);
  });

  test('does not repeat an operation without idempotency after a failed connection', async () => {
    const { paydesk, requests } = clientOf([new TypeError('fetch failed')], { retryWaitMsMax: 1 });
    await expect(paydesk.post('/system/backup')).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(1);
  });

  test('ends the wait when the caller aborts', async () => {
    const stop = new AbortController();
    const { paydesk, requests } = clientOf([failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '20' })]);
    const call = paydesk.get('/public/sdk-info', { signal: stop.signal });
    await expect.poll(() => requests).toHaveLength(1);
    stop.abort(new Error('The shop closed.'));
    await expect(call).rejects.toThrow('The shop closed.');
  });
});

describe('errors of the client', () => {
  test('have the class of their code, the request ID and the field', async () => {
    const body = { success: false, error: { code: 'RESOURCE_CONFLICT', message: 'In use.', field: 'name', details: { reason: 'used' } } };
    const { paydesk } = clientOf([json(409, body)]);
    const error = await paydesk.get('/public/sdk-info').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResourceConflictError);
    expect(error).toMatchObject({ code: 'RESOURCE_CONFLICT', status: 409, requestId: 'req_1', field: 'name', details: { reason: 'used' } });
  });

  test('include declines, with the declined payment', async () => {
    const data = { transactionId: 'txn_1', status: 'declined', errorCode: 'INSUFFICIENT_FUNDS', declineCode: 'insufficient_funds' };
    const { paydesk } = clientOf([json(200, { success: false, data })]);
    const error = await paydesk.post('/public/transaction', { Amount: 5 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DeclinedError);
    expect(error).toMatchObject({ code: 'INSUFFICIENT_FUNDS', declineCode: 'insufficient_funds', data });
  });

  test('report a response that is not JSON', async () => {
    const { paydesk } = clientOf([new Response('<html>', { status: 502 })]);
    await expect(paydesk.get('/public/sdk-info')).rejects.toThrow('The response is not JSON.');
  });
});

describe('options of one request', () => {
  test('replace the retries and the time limit of the client', async () => {
    const busy = () => failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
    const { paydesk, requests } = clientOf([busy(), busy(), success({})]);
    await expect(paydesk.withOptions({ retries: 0 }).get('/public/sdk-info')).rejects.toThrow(ServiceUnavailableError);
    expect(requests).toHaveLength(1);
    await paydesk.get('/public/sdk-info');
    expect(requests).toHaveLength(3);
    const silent = new Paydesk({
      fetch: (_, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    });
    await expect(silent.withOptions({ timeoutMs: 5, retries: 0 }).get('/public/sdk-info')).rejects.toThrow(ConnectionError);
  });

  test('report each response, also of attempts that are repeated', async () => {
    const { paydesk } = clientOf([
      failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
      json(200, { success: true, data: {} }, { 'x-request-id': 'req_2', 'idempotent-replayed': 'true' }),
    ]);
    const responses: ResponseInfo[] = [];
    await paydesk.withOptions({ onResponse: (response) => responses.push(response) }).post('/public/refund', { transactionId: 'txn_1' });
    expect(responses).toEqual([
      { method: 'post', path: '/public/refund', status: 503, requestId: 'req_1', isReplayed: false, ignoredFields: [] },
      { method: 'post', path: '/public/refund', status: 200, requestId: 'req_2', isReplayed: true, ignoredFields: [] },
    ]);
  });
});

describe('requests of the client', () => {
  test('name the version of the API', async () => {
    const { paydesk, requests } = clientOf([success({})]);
    await paydesk.get('/public/sdk-info');
    expect(requests[0]?.headers.get('paydesk-version')).toBe('1');
  });

  test('stop if a list returns a cursor again', async () => {
    const page = () => json(200, { success: true, data: [1], pagination: { limit: 1, total: 9, nextCursor: 'c1' } });
    const { paydesk, requests } = clientOf([page(), page(), page()]);
    const read = async () => {
      for await (const _ of paydesk.list('/public/webhooks/events', { query: { after: 'evt_1' } }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'CURSOR_REPEATED' });
    expect(requests).toHaveLength(2);
  });

  test.each([undefined, '', '.', '..'])('are not sent with the path parameter %o', async (id) => {
    const { paydesk, requests } = clientOf([success({})]);
    await expect(paydesk.post('/transactions/{id}/void', {}, { params: { id: id as string } })).rejects.toThrow('The parameter `id`');
    expect(requests).toEqual([]);
  });

  test('carry the credential of their surface', async () => {
    const { paydesk, requests } = clientOf([success({}), success({}), success({})]);
    await paydesk.get('/public/sdk-info');
    await paydesk.get('/sdk/query/{transactionId}', { params: { transactionId: 'a/b' } });
    await paydesk.get('/transactions/{id}', { params: { id: 'txn_1' } });
    expect(requests.map(({ url }) => url)).toEqual([
      'http://paydesk.test/api/v1/public/sdk-info',
      'http://paydesk.test/api/v1/sdk/query/a%2Fb',
      'http://paydesk.test/api/v1/transactions/txn_1',
    ]);
    expect(requests.map(({ headers }) => [headers.get('x-api-key'), headers.get('authorization'), headers.get('x-tenant-id')])).toEqual([
      ['pk_1', null, 'ten_1'],
      [null, 'Bearer pk_1', null],
      [null, 'Bearer jwt', 'ten_1'],
    ]);
  });

  test('that delete a record carry the body of their options', async () => {
    const { paydesk, requests } = clientOf([success({})]);
    await paydesk.delete('/notifications/channels/{channel}', { params: { channel: 'sms' }, body: { currentPassword: 'secret' } });
    expect(requests).toMatchObject([{ method: 'DELETE', body: '{"currentPassword":"secret"}' }]);
  });

  test('renew an access token before it expires, once for parallel requests', async () => {
    const session = { token: 'first', refreshToken: 'r1', expiresIn: 10 };
    const renewed = { token: 'second', refreshToken: 'r2', expiresIn: 900 };
    const { requests, fetch } = recorded([success(session), success(renewed), success({}), success({})]);
    const paydesk = await Paydesk.signIn({ email: 'a@b.test', password: 'secret', fetch });
    await Promise.all([paydesk.get('/auth/me'), paydesk.get('/auth/me')]);
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/v1/public/accesstoken',
      '/api/v1/public/refreshToken',
      '/api/v1/auth/me',
      '/api/v1/auth/me',
    ]);
  });

  test('follow the cursor of a list to its end', async () => {
    const page = (items: number[], nextCursor: string | null) =>
      json(200, { success: true, data: items, pagination: { page: 1, limit: 2, total: 3, pages: 2, nextCursor } });
    const { paydesk, requests } = clientOf([page([1, 2], 'c1'), page([3], null)]);
    const items: unknown[] = [];
    for await (const item of paydesk.list('/public/transaction-list', { query: { limit: 2 } })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&cursor=c1']);
  });
});

function recorded(replies: readonly Response[]) {
  const left = [...replies];
  const requests: { url: string }[] = [];
  const fetch = async (url: URL | RequestInfo) => {
    requests.push({ url: String(url) });
    return left.shift() ?? success({});
  };
  return { requests, fetch };
}
