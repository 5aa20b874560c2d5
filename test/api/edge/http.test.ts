import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CARDS, cardBody } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

/** Sends bytes unchanged and returns the response. */
function raw({ baseUrl }: ApiFixture, text: string): Promise<string> {
  const { port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.setTimeout(30_000, () => socket.destroy());
  });
}

describeOnAnyDatabase('the HTTP server', (fixture) => {
  const host = () => new URL(fixture().baseUrl).host;

  test('names the version of the API, accepts it as a pin, and refuses another one before anything is done', async () => {
    const { api } = fixture();
    const pinned = await api.admin.post('/transactions', cardBody(12), { 'Paydesk-Version': '1' });
    expect([pinned.status, pinned.headers.get('paydesk-version')]).toEqual([200, '1']);
    const count = async () => (await api.admin.get('/transactions?limit=1')).body.pagination.total;
    const before = await count();
    const refused = await api.admin.post('/transactions', cardBody(13), { 'Paydesk-Version': '2' });
    await expectError(refused, 400, 'VALIDATION_ERROR', 'Paydesk-Version');
    expect([refused.headers.get('paydesk-version'), await count()]).toEqual(['1', before]);
  });

  test.for([
    ['a foreign host', () => 'GET /health HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n'],
    ['no host', () => 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', (own: string) => `GET /health HTTP/1.1\r\nHost: ${own}\r\nHost: evil.test\r\nConnection: close\r\n\r\n`],
    ['a foreign absolute target', (own: string) => `GET http://evil.test/health HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`],
    ['a foreign origin', (own: string) => `GET /health HTTP/1.1\r\nHost: ${own}\r\nOrigin: http://evil.test\r\nConnection: close\r\n\r\n`],
    ['a null origin', (own: string) => `GET /health HTTP/1.1\r\nHost: ${own}\r\nOrigin: null\r\nConnection: close\r\n\r\n`],
    [
      'length and chunks at once',
      (own: string) => `POST /api/v1/setup HTTP/1.1\r\nHost: ${own}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', (own: string) => `POST /api/v1/setup HTTP/1.1\r\nHost: ${own}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}`],
    ['no HTTP at all', () => 'hello\r\n\r\n'],
  ] as const)('answers %s with 400 in the error envelope', async ([, request]) => {
    const answer = await raw(fixture(), request(host()));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toContain('x-request-id: req_');
    expect(answer).toContain('"code":"VALIDATION_ERROR"');
  });

  test('reads bodies in UTF-8 only, so that no letter of a name is lost', async () => {
    const { credentials, baseUrl } = fixture();
    const headers = { 'x-api-key': credentials.apiKey, 'X-Tenant-ID': credentials.tenantId };
    const send = async (body: Buffer, more: Record<string, string> = {}) => {
      const sent = { ...headers, 'content-type': 'application/json', ...more };
      const response = await fetch(`${baseUrl}/api/v1/public/customer`, { method: 'POST', headers: sent, body: new Uint8Array(body) });
      return {
        status: response.status,
        body: (await response.json()) as { data: { lastName: string }; error: { field: string; message: string } },
      };
    };
    const name = (encoding: BufferEncoding) => Buffer.from('{"lastName": "Jérôme"}', encoding);
    const refused = { status: 400, body: { error: { field: 'Content-Type', message: 'Send the body in UTF-8.' } } };
    expect(await send(name('latin1'))).toMatchObject(refused);
    expect(await send(name('utf16le'), { 'content-type': 'application/json; charset=utf-16' })).toMatchObject(refused);
    const accepted = { status: 201, body: { data: { lastName: 'Jérôme' } } };
    expect(await send(name('utf8'))).toMatchObject(accepted);
    expect(await send(name('utf8'), { 'content-type': 'application/json; charset="UTF-8"' })).toMatchObject(accepted);
    // Programs on Windows send a byte order mark.
    expect(await send(Buffer.concat([Buffer.from('\ufeff'), name('utf8')]))).toMatchObject(accepted);
    expect(await send(gzipSync(name('utf8')), { 'content-encoding': 'gzip' })).toMatchObject({
      status: 400,
      body: { error: { field: 'Content-Encoding', message: 'Send the body without compression.' } },
    });
  });

  test('names what is wrong with a malformed path and with a slash after the path of a list', async () => {
    const { api } = fixture();
    const malformed = await expectError(api.bare.get('/api/v1/customers/%zz'), 400, 'VALIDATION_ERROR');
    expect(malformed.message).toBe('The path is malformed: two hexadecimal digits must follow each %.');
    const { apiKey, tenantId } = fixture().credentials;
    const head = `Host: ${host()}\r\nx-api-key: ${apiKey}\r\nX-Tenant-ID: ${tenantId}\r\nConnection: close\r\n\r\n`;
    const list = await raw(fixture(), `GET /api/v1/public/customer/ HTTP/1.1\r\n${head}`);
    expect(list).toMatch(/^HTTP\/1\.1 404 /);
    expect(list).toContain('"code":"NOT_FOUND","message":"There is no route GET /api/v1/public/customer/."');
  });

  test('refuses headers of twenty kilobytes in the error envelope', async () => {
    const answer = await raw(fixture(), `GET /health HTTP/1.1\r\nHost: ${host()}\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"VALIDATION_ERROR"');
  });

  test.for([
    ['broken JSON', '{"amount":'],
    ['an array', '[]'],
    ['a text', '"sale"'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"a":1},"amount":5}'],
    ['a constructor', '{"amount":5,"metadata":{"constructor":{"prototype":{}}}}'],
    ['a prototype in escapes', '{"amount":5,"metadata":{"\\u005f_proto__":{"a":1}}}'],
    ['lists within lists', `{"amount":5,"metadata":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`],
    ['objects within objects', `${'{"amount":'.repeat(40_000)}5${'}'.repeat(40_000)}`],
  ])('returns VALIDATION_ERROR for %s as body', async ([, body]) => {
    const answer = await fixture().api.admin.post('/transactions', body);
    await expectError(answer, 400, 'VALIDATION_ERROR');
  });

  test('returns a refused field name exactly as it was sent', async () => {
    const refused = fixture().api.admin.post('/transactions', '{"constructor":{},"amount":5}', { 'idempotency-key': 'named' });
    await expectError(refused, 400, 'VALIDATION_ERROR', 'constructor');
  });

  test('does not count brackets within strings as nesting', async () => {
    const body = cardBody(5, CARDS.visa, { description: `"${'[{'.repeat(200)}\\` });
    await expectData(fixture().api.admin.post('/transactions', body));
  });

  test('refuses another content type and a body above the limit', async () => {
    const { api } = fixture();
    await expectError(api.admin.post('/transactions', 'a=1', { 'content-type': 'text/plain' }), 400, 'VALIDATION_ERROR', 'Content-Type');
    await expectError(
      api.admin.post('/transactions', cardBody(5, CARDS.visa, { description: 'x'.repeat(1_100_000) })),
      413,
      'VALIDATION_ERROR',
    );
  });

  test('refuses NUL and unpaired surrogates in every field', async () => {
    const { api } = fixture();
    await expectError(
      api.admin.post('/transactions', cardBody(5, CARDS.visa, { orderId: 'a\u0000b' })),
      400,
      'VALIDATION_ERROR',
      'orderId',
    );
    await expectError(
      api.admin.post('/transactions', cardBody(5, CARDS.visa, { customer: { name: '\ud800' } })),
      400,
      'VALIDATION_ERROR',
      'customer.name',
    );
    await expectError(api.admin.post('/transactions', cardBody(5, CARDS.visa, { metadata: { 'a\u0000': 1 } })), 400, 'VALIDATION_ERROR');
    await expectError(api.admin.get('/transactions?q=%00'), 400, 'VALIDATION_ERROR', 'q');
    await expectError(api.admin.get('/transactions?q=a&q=b'), 400, 'VALIDATION_ERROR', 'q');
    await expectError(api.admin.get('/transactions/%00'), 400, 'VALIDATION_ERROR', 'id');
  });

  test('returns NOT_FOUND for an unknown path, and for a known path with another method', async () => {
    const { api } = fixture();
    await expectError(api.bare.get('/api/v1/nothing'), 404, 'NOT_FOUND');
    await expectError(api.bare.delete('/api/v1/transactions'), 404, 'NOT_FOUND');
    await expectError(api.bare.get('/%E0%A4%A'), 400, 'VALIDATION_ERROR');
  });

  test('adds the request ID and the security headers to every response', async () => {
    const { api } = fixture();
    for (const answer of await Promise.all([
      api.bare.get('/health'),
      api.bare.get('/nowhere'),
      api.bare.get('/%E0%A4%A'),
      api.bare.get(`/api/v1/transactions/${'x'.repeat(300)}`),
      api.bare.get('/health', { Origin: 'http://evil.test' }),
      api.admin.post('/transactions', '{broken'),
      api.admin.get('/transactions?limit=1'),
      api.admin.get('/transactions'),
    ])) {
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  test('returns the health without a credential', async () => {
    const { api, database } = fixture();
    const { status, text } = await api.bare.get('/health');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ status: 'ok', database: { kind: database, status: 'ok' } });
  });
});
