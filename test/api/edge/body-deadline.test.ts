import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepBodyDeadlines } from '../../../server/http/body-deadline.ts';

const TIMES = { bodyMs: 200, idleMs: 300, uploadMs: 1_500, discardMs: 200 };
const PIECE_MS = 50;

let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  app = Fastify();
  keepBodyDeadlines(app, (socket) => socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'), TIMES);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, text, done) => done(null, text));
  app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null));
  app.post('/plain', async () => 'taken');
  app.post('/refused', { onRequest: async (_, reply) => reply.code(401).send('refused') }, async () => 'taken');
  app.post('/file', async (request) => {
    request.bodyDeadline?.extendForUpload();
    let bytes = 0;
    for await (const chunk of request.raw) bytes += chunk.length;
    return `taken ${bytes}`;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** Sends a number of pieces of an announced body and returns the response. */
function send(path: string, type: string, pieces: number, announced = pieces): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    let sent = 0;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${announced * 10}\r\nConnection: close\r\n\r\n`,
      );
      const timer = setInterval(() => {
        if (sent >= pieces || socket.destroyed) return clearInterval(timer);
        sent += 1;
        socket.write('0123456789');
      }, PIECE_MS);
    });
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

test('ends a slow request body, but not a file upload that makes progress', async () => {
  const [quick, slow, slowFile, silentFile, endless] = await Promise.all([
    send('/plain', 'text/plain', 2),
    send('/plain', 'text/plain', 12),
    send('/file', 'text/csv', 12),
    send('/file', 'text/csv', 2, 12),
    send('/file', 'text/csv', 100),
  ]);
  expect(quick).toContain('taken');
  expect(slow).toMatch(/^HTTP\/1\.1 408 /);
  expect(slowFile).toContain('taken 120');
  expect(silentFile).toMatch(/^HTTP\/1\.1 408 /);
  expect(endless).toMatch(/^HTTP\/1\.1 408 /);
});

test('ends a connection whose body continues too long after the response', async () => {
  const received = await new Promise<string>((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST /refused HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n');
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('1\r\nx\r\n')), PIECE_MS);
    });
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
  expect(received).toMatch(/^HTTP\/1\.1 401 [\s\S]*refused$/);
  expect(received).not.toContain('HTTP/1.1 408');
});
