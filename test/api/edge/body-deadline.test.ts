import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BODY_TIMEOUTS, keepBodyDeadlines } from '../../../server/http/body-deadline.ts';
import { until } from '../../support/until.ts';

const PIECE = '0123456789';
const SECOND_MS = 1_000;

let app: FastifyInstance;
let port: number;
let uploads = 0;
const accepted = new Map<number, Socket>();

beforeAll(async () => {
  app = Fastify();
  keepBodyDeadlines(app, (socket) => socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, text, done) => done(null, text));
  app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null));
  app.post('/plain', async () => 'taken');
  app.post('/refused', { onRequest: async (_, reply) => reply.code(401).send('refused') }, async () => 'taken');
  app.post('/file', async (request) => {
    request.bodyDeadline?.extendForUpload();
    uploads += 1;
    let bytes = 0;
    for await (const chunk of request.raw) bytes += chunk.length;
    return `taken ${bytes}`;
  });
  app.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort ?? 0, socket));
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

// The time of the server moves only when a test moves it, so that a busy computer cannot miss a deadline.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Begins a request. `write` returns when the server has read the text; `answer` is the response, complete after the end of the connection. */
async function begin(path: string, headers: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const state = { answer: '' };
  socket.on('data', (chunk) => {
    state.answer += chunk.toString();
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(state.answer)));
  const write = async (text: string) => {
    socket.write(text);
    const isRead = () => socket.destroyed || accepted.get(socket.localPort ?? 0)?.bytesRead === socket.bytesWritten;
    await until('the server has read the text', isRead, { everyMs: 1 });
  };
  await write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
  return { state, closed, write };
}

/** Sends a number of pieces of an announced body, with a pause before each of them, and returns the response. */
async function send(path: string, pieces: number, pauseMs: number, announced = pieces): Promise<string> {
  const isUpload = path === '/file';
  const before = uploads;
  const type = isUpload ? 'text/csv' : 'text/plain';
  const headers = `Content-Type: ${type}\r\nContent-Length: ${announced * PIECE.length}\r\nConnection: close`;
  const { closed, write } = await begin(path, headers);
  if (isUpload) await until('the upload is admitted', () => uploads > before);
  for (let sent = 0; sent < pieces; sent += 1) {
    vi.advanceTimersByTime(pauseMs);
    await write(PIECE);
  }
  if (pieces < announced) vi.advanceTimersByTime(BODY_TIMEOUTS.idleMs + 2 * SECOND_MS);
  return closed;
}

test('ends a slow request body, but not a file upload that makes progress', async () => {
  expect(await send('/plain', 2, 10 * SECOND_MS)).toContain('taken');
  expect(await send('/plain', 12, 10 * SECOND_MS)).toMatch(/^HTTP\/1\.1 408 /);
  expect(await send('/file', 12, 10 * SECOND_MS)).toContain('taken 120');
  expect(await send('/file', 2, 10 * SECOND_MS, 12)).toMatch(/^HTTP\/1\.1 408 /);
  const pauseMs = BODY_TIMEOUTS.idleMs - 5 * SECOND_MS;
  const endless = 2 + Math.ceil(BODY_TIMEOUTS.uploadMs / pauseMs);
  expect(await send('/file', endless, pauseMs)).toMatch(/^HTTP\/1\.1 408 /);
});

test('ends a connection whose body continues too long after the response', async () => {
  const { state, closed, write } = await begin('/refused', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked');
  await until('the request is refused', () => state.answer.endsWith('refused'));
  for (let passedMs = 0; passedMs <= BODY_TIMEOUTS.discardMs + SECOND_MS; passedMs += SECOND_MS) {
    await write('1\r\nx\r\n');
    vi.advanceTimersByTime(SECOND_MS);
  }
  const received = await closed;
  expect(received).toMatch(/^HTTP\/1\.1 401 [\s\S]*refused$/);
  expect(received).not.toContain('HTTP/1.1 408');
});
