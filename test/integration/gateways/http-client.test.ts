// The HTTP client for processors: requests that were certainly not sent, lost requests, and complete responses.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTrust } from '../../../core/platform/outbound/index.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { FULL } from '../../support/tier.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/webhook-receiver.ts';

/** Time limit of the tests of time-outs, in which a busy computer still sends the request. */
const TIMEOUT_MS = 2_000;
/** Time limit that a busy computer does not exceed. */
const PATIENT_MS = 30_000;

const httpClient = createHttpClient();
let answer: RequestListener = (_, response) => void response.end('{}');
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  answer(request, response);
});
let origin = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await httpClient.close();
  server.closeAllConnections();
  server.close();
});

const post = (timeoutMs = PATIENT_MS, url = `${origin}/request?key=secret`) =>
  httpClient.post({ url, contentType: 'text/plain', body: 'secret', timeoutMs });

test('returns status, type and text of a complete response, and puts no request data into the address', async () => {
  answer = (request, response) => void response.writeHead(418, { 'content-type': 'text/x' }).end(`\ufeff${request.url}`);
  expect(await post()).toEqual({ kind: 'answered', status: 418, contentType: 'text/x', body: '\ufeff/request' });
});

test('reports unsent requests as certain: no address, refused, untrusted certificate', async () => {
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  expect(await post(PATIENT_MS, `http://127.0.0.1:${port}/`)).toMatchObject({
    kind: 'not-sent',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await post(PATIENT_MS, 'https://processor.invalid/')).toMatchObject({ kind: 'not-sent' });
  const receiver = await startReceiver();
  const trusting = createHttpClient({ trust: createTrust([readFileSync(RECEIVER_CA_FILE, 'utf8')]) });
  try {
    const url = receiver.url('/processor');
    expect(await post(PATIENT_MS, url)).toMatchObject({ kind: 'not-sent' });
    expect(receiver.received).toEqual([]);
    expect(await trusting.post({ url, contentType: 'text/plain', body: '{}', timeoutMs: PATIENT_MS })).toMatchObject({ kind: 'answered' });
  } finally {
    await trusting.close();
    await receiver.stop();
  }
});

/** Checks that a request which the server answers in this way is lost, was sent once, and is reported without its contents. */
async function expectLost(behaviour: RequestListener, timeoutMs: number): Promise<void> {
  answer = behaviour;
  const before = asked;
  const outcome = await post(timeoutMs);
  expect(outcome).toMatchObject({ kind: 'lost' });
  expect(JSON.stringify(outcome)).not.toContain('secret');
  expect(asked).toBe(before + 1);
}

test.each<[string, RequestListener]>([
  ['hangs up', (request) => void request.socket.destroy()],
  [
    'breaks off',
    (request, response) => void response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy()),
  ],
  ['says too much', (_, response) => void response.end(Buffer.alloc(17 * 1024 * 1024, 'x'))],
])('reports a request as lost that %s, sent once and without its contents', (_, behaviour) => expectLost(behaviour, PATIENT_MS));

test('reports a request as lost that says nothing, sent once and without its contents', () => expectLost(() => {}, TIMEOUT_MS));

test('reports a request as lost that never ends, sent once and without its contents', FULL, () =>
  expectLost((_, response) => void response.write('and'), TIMEOUT_MS),
);

const METADATA = { address: '169.254.169.254', family: 4 };
const HERE = { address: '127.0.0.1', family: 4 };

test.each([
  ['a private address', 'https://10.0.0.1/', []],
  ['a link-local address', 'https://169.254.169.254/', []],
  ['an address of this machine in other writing', 'https://[::ffff:127.0.0.1]/', []],
  ['no address at all', 'https://0.0.0.0/', []],
  ['a name of a private address', 'https://processor.example/', [{ address: '192.168.1.1', family: 4 }]],
  ['a name of a public and a link-local address', 'https://processor.example/', [{ address: '93.184.216.34', family: 4 }, METADATA]],
  ['a name of this machine', 'https://processor.example/', [HERE]],
  ['a local name that leads elsewhere', 'http://localhost/', [{ address: '10.0.0.1', family: 4 }]],
])('sends nothing to %s', async (_, url, found) => {
  const guarded = createHttpClient({ lookup: async () => found });
  const outcome = await guarded.post({ url, contentType: 'text/plain', body: 'secret', timeoutMs: PATIENT_MS });
  expect(outcome).toEqual({ kind: 'not-sent', reason: 'The host of the processor is not an allowed address for payments.' });
  await guarded.close();
});

test('reaches this computer by its own name and address, but not a port of Paydesk', async () => {
  answer = (_, response) => void response.end('{}');
  const before = asked;
  const { port } = server.address() as AddressInfo;
  const open = createHttpClient({ lookup: async () => [HERE] });
  const closed = createHttpClient({ lookup: async () => [HERE], forbidden: () => [{ host: '127.0.0.1', port }] });
  for (const host of ['127.0.0.1', 'localhost']) {
    const question = { url: `http://${host}:${port}/`, contentType: 'text/plain', body: '{}', timeoutMs: PATIENT_MS };
    expect(await open.post(question)).toMatchObject({ kind: 'answered' });
    expect(await closed.post(question)).toMatchObject({ kind: 'not-sent', reason: expect.stringContaining('not an allowed address') });
  }
  expect(asked).toBe(before + 2);
  await open.close();
  await closed.close();
});
