import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Paydesk } from '@paydesk/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../cli/connection.ts';
import { program } from '../../../cli/main.ts';
import { BUNDLED_COMMAND } from '../../support/process.ts';
import { FULL } from '../../support/tier.ts';

const SECRETS = {
  [SETTINGS.tenantId]: 'ten_SECRET',
  [SETTINGS.apiKey]: 'pk_live_SECRET',
  [SETTINGS.email]: 'owner-SECRET@example.com',
  [SETTINGS.password]: 'password-SECRET',
};

/** Commands that need no credential of a running server, because they work on a data directory or start a program. */
const WITHOUT_CREDENTIALS = [
  'up',
  'serve',
  'seed',
  'simulator',
  'status',
  'backup',
  'restore',
  'ledger',
  'recover-key',
  'rotate-key',
  'completion',
];
/** Commands that the everyday tier runs; all read their address and credentials in one place. */
const EVERY_DAY = ['events', 'trigger'];
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  trigger: ['refund.processed'],
  replay: ['recording.jsonl'],
  record: ['start', 'A sale'],
};

let folder: string;
let listener: ReturnType<typeof createServer>;
let address: string;
/** Everything that arrived at the listener. */
let received: string[] = [];
let redirectTo: string | undefined;

async function take(request: IncomingMessage): Promise<void> {
  received.push(JSON.stringify([request.url, request.rawHeaders, await text(request)]));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-source-'));
  await writeFile(join(folder, 'recording.jsonl'), '');
  listener = createServer(async (request, response) => {
    await take(request);
    if (redirectTo === undefined) response.writeHead(404).end();
    else response.writeHead(307, { location: `${redirectTo}${request.url}` }).end();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = [];
  redirectTo = undefined;
});
afterAll(async () => {
  listener?.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(args: readonly string[], env: Record<string, string>): Promise<{ code: number; err: string }> {
  const child = spawn(process.execPath, [BUNDLED_COMMAND, ...args], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
  // `listen` waits for its server without end.
  if (args[0] === 'listen') child.stderr.once('data', () => child.kill());
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
  return { code: code as number, err };
}

const file = (values: Record<string, string>) =>
  writeFile(
    join(folder, '.env'),
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

describe('Source of address and credentials', () => {
  const commands = program()
    .commands.map((command) => command.name())
    .filter((name) => !WITHOUT_CREDENTIALS.includes(name));

  const title = '`paydesk %s` sends no credential of the environment to the address in a .env file';
  const sendsNone = async (name: string) => {
    await file({ [SETTINGS.url]: address });
    const { err } = await run([name, ...(ARGUMENTS[name] ?? [])], SECRETS);
    expect(received).toEqual([]);
    // The command ran as far as the missing server of the environment.
    expect(err).not.toBe('');
  };
  test.each(commands.filter((name) => EVERY_DAY.includes(name)))(title, sendsNone);
  test.each(commands.filter((name) => !EVERY_DAY.includes(name)))(title, FULL, sendsNone);

  test('sends no credential of a .env file to the address in the environment', async () => {
    await file(SECRETS);
    const { code, err } = await run(['events'], { [SETTINGS.url]: address });
    expect([code, received]).toEqual([2, []]);
    expect(err).toContain('PAYDESK_TENANT_ID is missing in the environment');
  });

  test('refuses --url with the credentials of another address', async () => {
    await file({ ...SECRETS, [SETTINGS.url]: 'https://pay.example' });
    expect(await run(['events', '--url', address], {})).toEqual({ code: 2, err: expect.stringContaining('https://pay.example') });
    expect((await run(['events', '--url', address], { ...SECRETS, [SETTINGS.url]: 'https://pay.example' })).code).toBe(2);
    expect(received).toEqual([]);
  });

  test('sends the credentials of a file to its address, and names the server and the file', async () => {
    await file({ ...SECRETS, [SETTINGS.url]: address });
    const { err } = await run(['events'], {});
    expect(err).toContain(`Server: ${address} (from .env)`);
    expect(received.join()).toContain('pk_live_SECRET');
  });

  test('reads the file of --env instead of the environment, and nothing else', async () => {
    await file({ [SETTINGS.url]: address });
    const { code, err } = await run(['events', '--env', '.env'], SECRETS);
    expect([code, received]).toEqual([2, []]);
    expect(err).toContain('PAYDESK_TENANT_ID is missing in .env');
    expect((await run(['events', '--env', 'none.env'], SECRETS)).err).toContain('There is no file none.env.');
  });

  test('refuses plain HTTP to any host but this computer', async () => {
    await file({});
    for (const url of [
      'http://pay.example',
      'http://10.0.0.5:4801',
      'http://127.0.0.1.pay.example',
      'http://localhost@pay.example',
      'ftp://pay.example',
    ])
      expect((await run(['events'], { ...SECRETS, [SETTINGS.url]: url })).code, url).toBe(2);
  });
});

describe('Redirects', () => {
  let stranger: ReturnType<typeof createServer>;
  beforeAll(async () => {
    stranger = createServer(async (request, response) => {
      await take(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{}}');
    }).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
  });
  afterAll(() => void stranger?.close());

  test('the command line and the client send nothing to the target of a redirect', async () => {
    redirectTo = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    for (const args of [['events'], ['mcp'], ['record', 'start', 'A sale'], ['replay', 'recording.jsonl']]) {
      const { code, err } = await run(args, { ...SECRETS, [SETTINGS.url]: address });
      expect([args, code === 0, err]).toEqual([args, false, expect.stringContaining('redirect')]);
    }
    const paydesk = new Paydesk({ baseUrl: address, tenantId: 'ten_SECRET', apiKey: 'pk_live_SECRET' });
    await expect(paydesk.get('/public/api-key')).rejects.toThrow(/redirect/);
    expect(received.map((request) => request.includes(`"${new URL(redirectTo ?? '').host}"`))).toEqual(received.map(() => false));
  });
});
