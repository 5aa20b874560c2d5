import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@paydesk/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SETTINGS } from '../../../cli/connection.ts';
import { FLOWS } from '../../../cli/triggers/flows.ts';
import { mainRequestOf } from '../../../cli/triggers/settable-fields.ts';
import { EVENT_TYPES } from '../../../shared/webhook-events.ts';
import { BUNDLED_COMMAND, type ServerProcess, startServerProcess } from '../../support/process.ts';
import { cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { apiOf, expectData, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const COMMAND_OF_REPOSITORY = join(import.meta.dirname, '../../../cli/paydesk.mjs');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PORT_FLAGS = ['--log-level', 'silent'];

let folder: string;
let dataDir: string;
let server: ServerProcess;
/** The API for an administrator, who signs in once: the flows sign in nearly as often as one address may. */
let admin: ReturnType<typeof apiOf>['admin'];
let remove: () => Promise<unknown>;
const started: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-cli-'));
  ({ dataDir, remove } = await createSampleInstallation('sqlite'));
  server = await startServerProcess(dataDir, undefined, PORT_FLAGS);
  ({ admin } = apiOf(server.baseUrl, server.credentials));
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await server?.kill();
  await remove?.();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the command line in a folder of its own, with the settings in the environment. */
function start(args: readonly string[], env: Record<string, string> = {}, program = BUNDLED_COMMAND): ChildProcess {
  const { credentials, baseUrl } = server;
  const settings = {
    [SETTINGS.url]: baseUrl,
    [SETTINGS.tenantId]: credentials.tenantId,
    [SETTINGS.apiKey]: credentials.apiKey,
    [SETTINGS.email]: credentials.adminEmail,
    [SETTINGS.password]: credentials.adminPassword,
    [SETTINGS.webhookSecret]: SECRET,
  };
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...process.env, ...settings, ...env } });
  started.push(child);
  return child;
}

async function run(args: readonly string[], env?: Record<string, string>, program?: string) {
  const child = start(args, env, program);
  const [out, err, [code]] = await Promise.all([text(child.stdout as never), text(child.stderr as never), once(child, 'exit')]);
  return { out, err, code: code as number };
}

test('triggers events by real operations, shows them, and reports failures with exit codes', FULL, async () => {
  const declined = await run(['trigger', 'transaction.declined', '--set', 'amount=12.13', '--json']);
  expect([declined.code, declined.err]).toEqual([0, '']);
  const event = JSON.parse(declined.out) as { id: string; type: string; data: { amount: number } };
  expect(event).toMatchObject({ type: 'transaction.declined', data: { amount: 12.13 } });
  const shown = await run(['events', '--types', 'transaction.declined', '--limit', '1', '--json']);
  expect(JSON.parse(shown.out)).toEqual(event);
  expect((await run(['clock', '+1h'])).out).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect((await run(['tail', '--once', '--json'])).out).toContain('"path":"/api/v1/sandbox/clock"');
  expect((await run(['status'])).code).toBe(0);

  const refused = await run(['trigger', 'transaction.approved', '--set', 'amount=0', '--json']);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.err)).toMatchObject({ error: { code: 'INVALID_AMOUNT', requestId: expect.stringMatching(/^req_/) } });
  const misspelled = await run(['trigger', 'transaction.approved', '--set', 'amonut=3']);
  expect([misspelled.code, misspelled.err]).toEqual([2, expect.stringContaining('Did you mean `amount`?')]);
  expect((await run(['trigger', 'transaction.exploded'])).code).toBe(2);
  const wrong = await run(['listen', '--forward', 'here', '--json']);
  expect([wrong.code, JSON.parse(wrong.err)]).toEqual([2, { error: { code: 'USAGE', message: expect.any(String), requestId: null } }]);
  expect((await run(['events', '--limit', '201'])).code).toBe(2);
  expect((await run(['events'], { [SETTINGS.url]: 'http://127.0.0.1:1' })).code).toBe(3);
  expect((await run(['events'], { [SETTINGS.apiKey]: 'wrong' })).code).toBe(4);
});

test('records and replays with an exit code of its own for a difference', async () => {
  expect((await run(['record', 'stop', 'none.jsonl'])).code).toBe(1);
  // A program that waits for events names some from before the recording.
  const listener = start(['listen', '--state', 'record.json', '--json']);
  await until('the listener knows the event after which it begins', () => existsSync(join(folder, 'record.json')));
  const received = once(listener.stdout as never, 'data');
  expect((await run(['trigger', 'transaction.approved'])).code).toBe(0);
  await received;
  expect((await run(['record', 'start', 'A sale'])).out).toContain('Recording A sale.');
  expect((await run(['trigger', 'transaction.approved', '--set', 'amount=7.25'])).code).toBe(0);
  expect((await run(['trigger', 'transaction.approved', '--set', 'amount=8.25'])).code).toBe(0);
  const stopped = await run(['record', 'stop', 'sale.jsonl', '--json']);
  expect(JSON.parse(stopped.out)).toMatchObject({ name: 'A sale', steps: 2, file: 'sale.jsonl' });
  const same = await run(['replay', 'sale.jsonl']);
  expect([same.code, same.out]).toEqual([0, 'A sale: 2 of 2 steps ran as recorded.\n']);

  const file = join(folder, 'sale.jsonl');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"status":"approved"', '"status":"declined"'));
  const different = await run(['replay', 'sale.jsonl', '--json']);
  expect(different.code).toBe(6);
  expect(JSON.parse(different.out)).toMatchObject({ isEqual: false, equalSteps: 0, difference: { step: 1 } });
  expect((await run(['replay', 'none.jsonl'])).code).toBe(2);
});

test('verifies the audit log with noted entries and with the file that received it', FULL, async () => {
  const verified = await run(['audit', 'verify', '--json']);
  const { lastEntry } = JSON.parse(verified.out) as { lastEntry: { position: number; hash: string } };
  const { position, hash } = lastEntry;
  expect((await run(['audit', 'verify', '--anchor', `${position}:${hash}`])).out).toContain('1 of 1 anchors match');
  const wrong = await run(['audit', 'verify', '--anchor', `${position}:${'0'.repeat(16)}`]);
  expect([wrong.code, wrong.out]).toEqual([6, `The audit log is broken: entry ${position} is not the one that its anchor names.\n`]);

  const { tenantId } = server.credentials;
  const line = (at: number, text: string) => `${JSON.stringify({ tenantId, position: at, hash: text })}\n`;
  await writeFile(join(folder, 'audit.jsonl'), `${line(position, hash)}{"tenantId": "${tenantId}", "pos`);
  expect((await run(['audit', 'verify', '--anchor-file', 'audit.jsonl'])).code).toBe(0);
  await writeFile(join(folder, 'audit.jsonl'), Array.from({ length: 200 }, (_, index) => line(index + 1_000_000, hash)).join(''));
  expect((await run(['audit', 'verify', '--anchor-file', 'audit.jsonl'])).code).toBe(6);
  expect((await run(['audit', 'verify', '--anchor-file', 'none.jsonl'])).code).toBe(2);
  await writeFile(
    join(folder, 'emails.txt'),
    `Date: 12:30:00\n\n${position}:${hash}\n\npaydesk audit verify --anchor ${position}:${hash}\n`,
  );
  expect((await run(['audit', 'verify', '--anchor-file', 'emails.txt'])).out).toContain('2 of 2 anchors match');
});

test('commands for a stopped server refuse the data directory of a running one', FULL, async () => {
  const checked = await run(['ledger', '--data-dir', dataDir, '--json'], {}, COMMAND_OF_REPOSITORY);
  expect([checked.code, JSON.parse(checked.out)]).toEqual([0, { transfers: expect.any(Number), differences: [] }]);
  const rotated = await run(['rotate-key', '--data-dir', dataDir]);
  expect([rotated.code, rotated.err]).toEqual([1, expect.stringMatching(/^paydesk: Another Paydesk server is using the data directory/)]);
  expect((await run(['recover-key', 'none.json', '--data-dir', dataDir])).err).toBe('paydesk: There is no file none.json.\n');
  const served = await run(['serve', '--data-dir', dataDir, '--port', '0', '--web-root', folder]);
  expect([served.code, served.err]).toEqual([1, expect.stringMatching(/^paydesk: Another Paydesk server is using the data directory/)]);
  expect((await run(['serve', '--port', 'x'])).err).toContain('--port requires a whole number');
});

test('`trigger` has a flow for every event type, which causes the event', { ...FULL, timeout: 240_000 }, async () => {
  const { Connection } = await import('../../../cli/connection.ts');
  const { TriggerRun } = await import('../../../cli/triggers/trigger-run.ts');
  const { credentials, baseUrl } = server;
  for (const [name, value] of Object.entries({
    url: baseUrl,
    tenantId: credentials.tenantId,
    email: credentials.adminEmail,
    password: credentials.adminPassword,
  }))
    process.env[SETTINGS[name as keyof typeof SETTINGS]] = value;
  const connection = new Connection({ optsWithGlobals: () => ({}) } as never);
  const office = await connection.asAdministrator();
  const newest = async () => (await expectData(admin.get<{ id: string }[]>('/webhooks/events?limit=1&types=*,security.*')))[0]?.id;
  for (const type of EVENT_TYPES) {
    const before = await newest();
    const run = new TriggerRun(connection, office, []);
    const main = vi.spyOn(run, 'main');
    await FLOWS[type](run);
    expect(main.mock.calls.length > 0, `${type} has a main request`).toBe(mainRequestOf(type) !== null);
    const caused = await expectData(admin.get<{ type: string }[]>(`/webhooks/events?after=${before}&types=${type}&wait=5`));
    expect(caused[0]?.type, type).toBe(type);
  }
});

test('`listen` forwards each event signed and in order, across a kill -9 of itself and of the server', {
  ...FULL,
  timeout: 120_000,
}, async () => {
  const received: string[] = [];
  let isRefusing = false;
  const receiver = createServer(async (request, response) => {
    const event = await verifyWebhook(await text(request), request.headers, SECRET);
    if (!isRefusing) received.push(event.id);
    response.writeHead(isRefusing ? 503 : 200).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const args = ['listen', '--forward', url, '--types', 'transaction.approved'];
  const ids = () => [...new Set(received)];
  const sold: string[] = [];
  const sell = async (count: number) => {
    for (let sales = 0; sales < count; sales += 1) {
      await expectData(admin.post('/transactions', cardBody(8)));
      const [event] = await expectData(admin.get<{ id: string }[]>('/webhooks/events?types=transaction.approved&limit=1'));
      if (event) sold.push(event.id);
    }
  };

  let listener = start(args);
  await once(listener.stderr as never, 'data');
  listener.kill('SIGKILL');
  await once(listener, 'exit');
  await sell(3);
  listener = start(args);
  await until('the first events are forwarded', () => ids().length === 3);
  isRefusing = true;
  await sell(2);
  listener.kill('SIGKILL');
  await once(listener, 'exit');
  isRefusing = false;
  listener = start(args);
  await until('events since the kill are forwarded', () => ids().length === 5);
  const { port } = new URL(server.baseUrl);
  await server.kill();
  server = await startServerProcess(dataDir, undefined, [...PORT_FLAGS, '--port', port]);
  await sell(2);
  await until('events of the restarted server are forwarded', () => ids().length === 7);
  expect(ids()).toEqual(sold);
  // The listener was killed between an accepted event and its note at most once.
  expect(received.length - ids().length).toBeLessThanOrEqual(1);
  receiver.close();
});
