import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTrust } from '../../../core/platform/outbound/index.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { createProviderHttp } from '../../../core/records/notifications/provider-http.ts';
import { sendMail } from '../../../core/records/notifications/smtp.ts';
import { createTransport } from '../../../core/records/webhooks/transport.ts';
import { filesOf } from '../../support/sources.ts';
import { sized } from '../../support/tier.ts';
import { type Answer, RECEIVER_CA_FILE, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

const CA = [readFileSync(RECEIVER_CA_FILE, 'utf8')];
const PATIENT_MS = 30_000;
const TLS_FOLDER = join(import.meta.dirname, '../../support/tls');
const MEBIBYTE = 1024 * 1024;

const closes: Answer = (_, response) => void response.writeHead(200, { connection: 'close' }).end('{}');
const neverEnds: Answer = (_, response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'x');
  const fill = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', fill);
  response.on('error', () => {});
  fill();
};

let receiver: Receiver;
let refusing: Receiver;
let mailPort: number;
let mailCommands = 0;
let stopMail: () => void;

beforeAll(async () => {
  receiver = await startReceiver();
  refusing = await startReceiver();
  await refusing.stop();
  const identity = { key: readFileSync(join(TLS_FOLDER, 'receiver-key.pem')), cert: readFileSync(join(TLS_FOLDER, 'receiver.pem')) };
  const mail = tls.createServer(identity, (socket) => {
    socket.on('error', () => {});
    socket.write('220 here\r\n');
    socket.on('data', () => {
      mailCommands += 1;
      socket.end('421 closing\r\n');
    });
  });
  mail.listen(0, '127.0.0.1');
  await once(mail, 'listening');
  mailPort = (mail.address() as AddressInfo).port;
  stopMail = () => mail.close();
});
afterAll(async () => {
  stopMail();
  await receiver.stop();
});

const createContext = tls.createSecureContext;
let contexts = 0;
beforeEach(() => {
  contexts = 0;
  tls.createSecureContext = (...options) => {
    contexts += 1;
    return createContext(...options);
  };
  syncBuiltinESMExports();
});
afterEach(() => {
  tls.createSecureContext = createContext;
  syncBuiltinESMExports();
});

interface Client {
  send(url: string): Promise<unknown>;
  close(): Promise<void>;
}

const body = '{}';
const CLIENTS: Record<string, () => Client> = {
  webhooks: () => {
    const transport = createTransport({
      trust: createTrust(CA),
      allowsPrivate: async () => true,
      forbidden: () => [],
      timeoutMs: PATIENT_MS,
    });
    return { send: (url) => transport.post({ tenantId: 'ten_1', url, headers: {}, body }), close: transport.close };
  },
  'providers of text messages': () => {
    const http = createProviderHttp(createTrust(CA), () => []);
    return { send: (url) => http.post('private')({ url, headers: {}, body }), close: http.close };
  },
  processors: () => {
    const client = createHttpClient({ trust: createTrust(CA) });
    return { send: (url) => client.post({ url, contentType: 'text/plain', body, timeoutMs: PATIENT_MS }), close: client.close };
  },
};

describe.each(Object.entries(CLIENTS))('requests to %s', (_, createClient) => {
  test.each<[string, Answer | null]>([
    ['closes each connection', closes],
    ['never ends its answer', neverEnds],
    ['refuses connections', null],
  ])('create one TLS context for all connections to a receiver that %s', async (_title, answer) => {
    receiver.answer = answer ?? closes;
    const client = createClient();
    const before = receiver.connections();
    const url = (answer === null ? refusing : receiver).url();
    for (let sent = 0; sent < 4; sent += 1) await client.send(url);
    expect(contexts).toBeLessThanOrEqual(1);
    if (answer !== null) expect(receiver.connections() - before).toBe(4);
    await client.close();
  });
});

test('mails create one TLS context for all connections to a mail server that closes them', async () => {
  const trust = createTrust(CA);
  const settings = {
    host: 'localhost',
    port: mailPort,
    security: 'tls',
    user: null,
    fromName: null,
    fromAddress: 'a@shop.example',
    replyTo: null,
  } as const;
  const mail = { from: 'a@shop.example', to: 'b@shop.example', subject: 'x', text: 'x' };
  for (let sent = 0; sent < 3; sent += 1) {
    const outcome = await sendMail({ settings, password: null, address: '127.0.0.1', trust }, mail);
    expect(outcome).toMatchObject({ kind: 'fault' });
  }
  expect({ contexts, mailCommands }).toEqual({ contexts: 1, mailCommands: 3 });
});

test('a mail server that answers without an end is disconnected after a megabyte', async () => {
  let sent = 0;
  const server = createServer((socket) => {
    const chunk = Buffer.alloc(65_536, 'x');
    const fill = () => {
      while (!socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('error', () => {});
    socket.on('drain', fill);
    socket.write('220 ');
    fill();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = {
    host: 'localhost',
    port,
    security: 'none',
    user: null,
    fromName: null,
    fromAddress: 'a@shop.example',
    replyTo: null,
  } as const;
  const timeouts = { stepMs: PATIENT_MS, wholeMs: PATIENT_MS };
  const outcome = await sendMail(
    { settings, password: null, address: '127.0.0.1', trust: createTrust(), timeouts },
    { from: 'a@shop.example', to: 'b@shop.example', subject: 'x', text: 'x' },
  );
  server.close();
  expect(outcome).toMatchObject({ kind: 'fault' });
  expect(sent).toBeLessThan(32 * MEBIBYTE);
});

test('memory does not grow with the number of deliveries to receivers that close, never end or refuse', { timeout: 300_000 }, async () => {
  const program = fork(join(import.meta.dirname, 'deliveries.ts'), [RECEIVER_CA_FILE], { execArgv: ['--expose-gc'] });
  const growths: Record<string, number> = {};
  for (const [name, answer] of Object.entries({ closes, neverEnds, refuses: null })) {
    receiver.answer = answer ?? closes;
    program.send({ url: (answer === null ? refusing : receiver).url(), count: sized(150, 2_000) });
    const [growth] = (await once(program, 'message')) as [number];
    growths[name] = growth;
  }
  program.kill();
  for (const growth of Object.values(growths)) expect(growth, JSON.stringify(growths)).toBeLessThan(48 * MEBIBYTE);
});

test('only the module of trusted authorities, the addresses of PostgreSQL and the connection to card readers read lists of certificates', () => {
  const readers = ['core', 'server', 'electron', 'cli', 'simulators', 'mcp']
    .flatMap((folder) => filesOf(folder, ['.ts', '.tsx', '.mjs']))
    .filter(({ text }) => /rootCertificates|getCACertificates|\bca:/.test(text))
    .map(({ path }) => path);
  expect(readers).toEqual([
    'core/database/connections/tls.ts',
    'core/platform/outbound/trust.ts',
    'core/processing/gateways/reader-client.ts',
  ]);
});
