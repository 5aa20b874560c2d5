// A receiver that answers 200, or 503 while it is switched to failure; it counts requests and reports the number at /count. Uses TLS like real receivers, and HTTP for comparison.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';

const TLS = join(import.meta.dirname, '../support/tls');
let taken = 0;
let isDown = false;

const answer: RequestListener = (request, response) => {
  if (request.url === '/count') return void response.end(JSON.stringify({ taken }));
  if (request.url === '/down' || request.url === '/up') {
    isDown = request.url === '/down';
    taken = 0;
    return void response.end('{}');
  }
  request.resume().on('end', () => {
    if (!isDown) taken += 1;
    response.writeHead(isDown ? 503 : 200).end();
  });
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const identity = { key: readFileSync(join(TLS, 'receiver-key.pem')), cert: readFileSync(join(TLS, 'receiver.pem')) };
const plain = await listen(createServer({ keepAliveTimeout: 60_000 }, answer));
const secure = await listen(createTlsServer({ ...identity, keepAliveTimeout: 60_000 }, answer));
process.on('SIGTERM', () => process.exit(0));
process.stdout.write(`${JSON.stringify({ plain: `http://127.0.0.1:${plain}`, secure: `https://localhost:${secure}` })}\n`);
