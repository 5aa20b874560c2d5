import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CARDS, cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase } from '../../support/server.ts';

const LARGE = 3_000_000;
const PIECE = 'x'.repeat(64_000);

interface Refused {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The beginning of the body; many meaningless bytes follow. */
  readonly start?: string;
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Returns the complete responses in received bytes. All responses here state their length. */
function repliesIn(received: string): Reply[] {
  const replies: Reply[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(rest.slice(0, Math.max(end, 0)))?.[1]);
    if (end < 0 || rest.length < end + 4 + length) return replies;
    replies.push({ status: Number(rest.slice(9, 12)), body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}

/** Sends a request whose large body is refused, and then a health request on the same connection. Returns both responses. */
function sendRefused(baseUrl: string, { path, headers = {}, start = '' }: Refused, isChunked: boolean): Promise<Reply[]> {
  const { port, host } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1');
    const fields = { Host: host, ...headers, ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(LARGE) }) };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const chunk = (text: string) => (isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
    if (start !== '') socket.write(chunk(start));
    let left = LARGE - start.length;
    const send = () => {
      while (left > 0) {
        const piece = PIECE.slice(0, left);
        left -= piece.length;
        if (!socket.write(chunk(piece))) return void socket.once('drain', send);
      }
      socket.write(`${isChunked ? '0\r\n\r\n' : ''}GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    };
    send();
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      if (repliesIn(received).length === 2) socket.end();
    });
    socket.on('close', () => resolve(repliesIn(received)));
    socket.on('error', reject);
    socket.setTimeout(30_000, () => socket.destroy());
  });
}

const BOUNDARY = 'line';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (name: string, more = '') => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;

describeOnAnyDatabase('a request that is answered before the end of its body', (fixture) => {
  const asAdmin = async (): Promise<Record<string, string>> => {
    const { credentials, api } = fixture();
    const { adminEmail: email, adminPassword: password, tenantId } = credentials;
    const { text } = await api.bare.post('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId });
    return { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${JSON.parse(text).data.token}` };
  };
  const json = { 'Content-Type': 'application/json' };

  const cases: [string, number, () => Promise<Refused> | Refused][] = [
    ['without a credential', 401, () => ({ path: '/api/v1/sdk/transaction', headers: { ...json, Authorization: 'Bearer pk_wrong' } })],
    ['to an unknown path', 413, () => ({ path: '/api/v1/nothing', headers: json })],
    ['to a path that cannot be decoded', 400, () => ({ path: '/%E0%A4%A', headers: json })],
    ['to a foreign host', 400, () => ({ path: '/api/v1/transactions', headers: { ...json, Origin: 'http://evil.test' } })],
    ['of JSON above the limit', 413, async () => ({ path: '/api/v1/transactions', headers: { ...(await asAdmin()), ...json } })],
    [
      'of an unknown content type',
      400,
      async () => ({ path: '/api/v1/transactions', headers: { ...(await asAdmin()), 'Content-Type': 'a/b' } }),
    ],
    [
      'of a form that breaks off',
      400,
      async () => ({
        path: '/api/v1/settlement/imports',
        headers: { ...(await asAdmin()), 'Content-Type': FORM },
        start: part('mapping'),
      }),
    ],
    [
      'of a form with a field sent as a file above its limit',
      413,
      async () => ({
        path: '/api/v1/settlement/imports',
        headers: { ...(await asAdmin()), 'Content-Type': FORM },
        start: part('mapping', '; filename="mapping.json"'),
      }),
    ],
    [
      'of a form with the same field twice',
      400,
      async () => ({
        path: '/api/v1/settlement/imports',
        headers: { ...(await asAdmin()), 'Content-Type': FORM },
        start: `${part('mapping')}a\r\n${part('mapping')}b\r\n${part('file', '; filename="a.csv"')}`,
      }),
    ],
  ];
  for (const [what, status, requestOf] of cases) {
    test.for([
      ['announced', false],
      ['in chunks', true],
    ] as const)(`keeps the connection usable: a body ${what}, %s`, async ([, isChunked]) => {
      const [refused, next] = await sendRefused(fixture().baseUrl, await requestOf(), isChunked);
      expect(refused?.status).toBe(status);
      expect(refused?.body).toContain('"success":false');
      expect(next?.status).toBe(200);
    });
  }

  test('keeps the connection usable: a body above the rate limit', async () => {
    const { api, baseUrl, credentials } = fixture();
    const { standardTenantId, standardApiKey } = credentials;
    // The clock stands still, because a minute that ends before the last request would start a new window.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const headers = { 'X-Tenant-ID': standardTenantId, 'x-api-key': standardApiKey, ...json };
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 250) statuses.push((await api.standard.post('/transaction', {})).status);
    const [refused, next] = await sendRefused(baseUrl, { path: '/api/v1/public/transaction', headers }, true);
    expect(refused?.status).toBe(429);
    expect(next?.status).toBe(200);
  });

  test('answers a payment on the connection of a refused one', async () => {
    const answer = await fixture().api.admin.post('/transactions', cardBody(5, CARDS.visa, { description: 'x'.repeat(LARGE) }));
    expect(answer.status).toBe(413);
    expect(answer.headers.get('connection')).not.toBe('close');
  });
});
