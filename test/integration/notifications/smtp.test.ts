import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { domainToASCII } from 'node:url';
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

const send = (
  port: number,
  limits: Partial<typeof PATIENT> = {},
  security: 'none' | 'starttls' = 'none',
  { to = 'payer@shop.example', replyTo = null }: { to?: string; replyTo?: string | null } = {},
) =>
  sendMail(
    {
      settings: {
        host: 'localhost',
        port,
        security,
        user: 'till',
        fromName: null,
        fromAddress: 'till@shop.example',
        replyTo,
      },
      password: 'canary of a password',
      address: '127.0.0.1',
      trust: createTrust(),
      timeouts: { ...PATIENT, ...limits },
    },
    { from: 'till@shop.example', to, ...(replyTo !== null && { replyTo }), subject: 'x', text: 'x' },
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

/** Starts a server that accepts every mail, with or without SMTPUTF8, and returns its port and the commands that it gets. */
async function startMailbox(hasUtf8: boolean) {
  const commands: string[] = [];
  const port = await startServer((socket) => {
    let isData = false;
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (isData && line !== '.') continue;
        commands.push(line);
        isData = line === 'DATA';
        if (line.startsWith('EHLO')) socket.write(`250-here\r\n${hasUtf8 ? '250-SMTPUTF8\r\n250-8BITMIME\r\n' : ''}250 AUTH PLAIN\r\n`);
        else if (line.startsWith('AUTH')) socket.write('235 ok\r\n');
        else socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
  });
  return { port, commands };
}

test('sends letters other than ASCII before the at sign only to a server that offers SMTPUTF8', async () => {
  const plainServer = await startMailbox(false);
  const utf8Server = await startMailbox(true);
  const to = 'ünï@shop.example';
  expect(await send(plainServer.port, {}, 'none', { to })).toMatchObject({ kind: 'refused', message: expect.stringContaining('SMTPUTF8') });
  expect(await send(plainServer.port, {}, 'none', { replyTo: 'büro@shop.example' })).toMatchObject({ kind: 'channel' });
  expect(plainServer.commands.filter((line) => line.startsWith('MAIL'))).toEqual([]);
  expect(await send(plainServer.port, {}, 'none', { to: 'payer@shöp.example' })).toMatchObject({ kind: 'sent' });
  expect(plainServer.commands).toContain(`RCPT TO:<payer@${domainToASCII('shöp.example')}>`);
  expect(await send(utf8Server.port, {}, 'none', { to })).toMatchObject({ kind: 'sent' });
  expect(utf8Server.commands.find((line) => line.startsWith('MAIL FROM'))).toContain('SMTPUTF8');
  const silent = await startServer((socket) => void socket.destroy());
  expect(await send(silent, {}, 'none', { to })).toMatchObject({ kind: 'fault', ofChannel: true });
});
