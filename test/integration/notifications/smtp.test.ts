import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createTrust } from '../../../core/platform/outbound/index.ts';
import { sendMail } from '../../../core/records/notifications/smtp.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const undo of cleanUp.splice(0)) undo();
});

/** Starts a server that handles connections with the given function. */
async function startServer(meet: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    cleanUp.push(() => socket.destroy());
    meet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Limits that a busy computer does not exceed. */
const PATIENT = { stepMs: 20_000, wholeMs: 40_000 };

const send = (port: number, limits: Partial<typeof PATIENT> = {}, security: 'none' | 'starttls' = 'none') =>
  sendMail(
    {
      settings: {
        host: 'localhost',
        port,
        security,
        user: 'till',
        fromName: null,
        fromAddress: 'till@shop.example',
        replyTo: null,
      },
      password: 'canary of a password',
      address: '127.0.0.1',
      trust: createTrust(),
      timeouts: { ...PATIENT, ...limits },
    },
    { from: 'till@shop.example', to: 'payer@shop.example', subject: 'x', text: 'x' },
  );

test('disconnects from a silent server in time', async () => {
  const port = await startServer(() => {});
  const message = 'The mail server localhost did not respond in time.';
  expect(await send(port, { stepMs: 150 })).toEqual({ kind: 'fault', message, ofChannel: true });
});

test('disconnects from a server that answers slowly forever', async () => {
  const port = await startServer((socket) => {
    socket.write('220 here\r\n');
    const drip = setInterval(() => socket.write('250-more\r\n'), 50);
    socket.on('close', () => clearInterval(drip));
    cleanUp.push(() => clearInterval(drip));
  });
  expect(await send(port, { wholeMs: 400 })).toMatchObject({ kind: 'fault', message: expect.stringContaining('in time') });
});

test('treats a broken connection or another protocol as a fault, not as a refusal', async () => {
  const breaking = await startServer((socket) => void socket.destroy());
  expect(await send(breaking)).toMatchObject({ kind: 'fault', ofChannel: true });
  const web = await startServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await send(web)).toMatchObject({ kind: 'fault', ofChannel: true });
  const full = await startServer((socket) => void socket.end('554 no service for you\r\n'));
  expect(await send(full)).toMatchObject({ kind: 'fault' });
});

test('never quotes a response from before EHLO succeeded', async () => {
  const banner = 'SSH-2.0-canary-banner';
  const servers = [
    await startServer((socket) => void socket.end(`${banner}\r\n`)),
    await startServer((socket) => void socket.end(`554 ${banner}\r\n`)),
    await startServer((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', () => void socket.write(`502 ${banner}\r\n`));
    }),
    await startServer((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', () => void socket.end(`421 ${banner}\r\n`));
    }),
  ];
  for (const port of servers) expect(JSON.stringify(await send(port))).not.toContain('canary-banner');
});

test('never quotes the response to STARTTLS', async () => {
  const port = await startServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      if (chunk.toString().startsWith('EHLO')) socket.write('250-here\r\n250 STARTTLS\r\n');
      else socket.write('454 canary-banner\r\n');
    });
  });
  const outcome = await send(port, {}, 'starttls');
  expect(outcome).toMatchObject({ kind: 'channel', message: expect.stringContaining('No secure connection') });
  expect(JSON.stringify(outcome)).not.toContain('canary-banner');
});

test('reports that nothing listens at the address', async () => {
  const port = await startServer(() => {});
  for (const undo of cleanUp.splice(0)) undo();
  expect(await send(port)).toMatchObject({ kind: 'fault', message: expect.stringContaining('no service listens') });
});

test('retries a temporarily refused sign-in, but not a refused one, and stores no echo of it', async () => {
  const login = (answer: string) =>
    startServer((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', (chunk) => {
        const line = chunk.toString();
        if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH')) socket.write(`${answer} ${line.trim()} canary of a password\r\n`);
      });
    });
  expect(await send(await login('454 4.7.0'))).toMatchObject({ kind: 'fault', ofChannel: true });
  const refused = await send(await login('535 5.7.8'));
  expect(refused).toMatchObject({ kind: 'channel', message: expect.stringContaining('535') });
  const messages = JSON.stringify(refused);
  expect(messages).not.toContain('canary');
  expect(messages).not.toContain(Buffer.from('\u0000till\u0000canary of a password').toString('base64'));
});

test('treats a refused sender as a fault of the channel', async () => {
  const port = await startServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString();
      if (line.startsWith('EHLO')) socket.write('250 here\r\n');
      else if (line.startsWith('MAIL')) socket.write('553 not your address\r\n');
    });
  });
  expect(await send(port)).toMatchObject({ kind: 'channel', message: expect.stringContaining('not your address') });
});
