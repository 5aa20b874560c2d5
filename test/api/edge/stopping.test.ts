import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startTestServer } from '../../support/server.ts';

test('refuses a request to a stopping server in the format of every error, and closes its connection', async () => {
  const { server, stop } = await startTestServer('sqlite');
  const { host, hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // A connection with a started request is not closed as idle.
  socket.write(`GET /health HTTP/1.1\r\nhost: ${host}\r\n`);
  // The answer to a later request shows that the first lines were read.
  await fetch(`${server.baseUrl}/health`);
  const stopped = stop();
  socket.write('\r\n');
  const answer = await text(socket);
  await stopped;
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  expect(head).toMatch(/^connection: close$/im);
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    error: { code: 'SERVICE_UNAVAILABLE', message: 'Paydesk is stopping. Nothing was changed. Try again in a moment.' },
  });
});

test('closes connections without a request when it stops', async () => {
  const { server, stop } = await startTestServer('sqlite', {}, 'none');
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  const ended = once(socket, 'close');
  await once(socket, 'connect');
  await fetch(`${server.baseUrl}/health`);
  await stop();
  await ended;
});
