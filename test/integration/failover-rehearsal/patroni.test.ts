import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createPatroni } from '#core/operation/failover-rehearsal';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function patroniOf(answer: RequestListener, answerWithinMs?: number) {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((listening) => started.listen(0, '127.0.0.1', listening));
  const { port } = started.address() as AddressInfo;
  return createPatroni([new URL(`http://127.0.0.1:${port}`)], answerWithinMs);
}

/** Writes `block` until the client ends the connection. */
const endless =
  (status: number, block: string): RequestListener =>
  (_, response) => {
    response.writeHead(status);
    const writeMore = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', writeMore);
    writeMore();
  };

test('returns the name of the primary', async () => {
  const members = [
    { name: 'db2', role: 'replica' },
    { name: 'db1', role: 'leader' },
  ];
  const patroni = await patroniOf((_, response) => void response.end(JSON.stringify({ members })));
  expect(await patroni.leader()).toBe('db1');
});

test('stops reading an answer without an end', async () => {
  const patroni = await patroniOf(endless(200, ' '.repeat(65_536)));
  await expect(patroni.leader()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('names the reason of a refusal whose text has no end', async () => {
  const patroni = await patroniOf(endless(412, 'no good candidate '.repeat(4_096)));
  await expect(patroni.switchOver('db1')).rejects.toMatchObject({
    code: 'RESOURCE_CONFLICT',
    message: expect.stringMatching(/^Patroni refused the switchover: (no good candidate ?)+/),
  });
});

test('stops waiting for a body that never ends', async () => {
  const patroni = await patroniOf((_, response) => void response.writeHead(200).write('{"members": ['), 100);
  await expect(patroni.leader()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
