// @module-tag full
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UpdateState } from '#bridge';
import { signUpdate } from '../../electron/updates/update-trust.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

const NEXT = '99.1.0';
const ZIP = 'content of the archive';
const EXPIRES = new Date(Date.now() + 86_400_000).toISOString();
const ENVIRONMENT = ['PAYDESK_UPDATE_CONFIG', 'PAYDESK_UPDATE_PUBLIC_KEY', 'HOME'];
const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const before = ENVIRONMENT.map((name) => process.env[name]);

let folder: string;
let feed: Server;
let isSigned = true;
let downloads = 0;
let shell: DoubleShell;

beforeEach(async () => {
  isSigned = true;
  downloads = 0;
  folder = await mkdtemp(join(tmpdir(), 'paydesk-update-mac-'));
  feed = createServer((request, response) => {
    const url = `Paydesk-${NEXT}-mac.zip`;
    const sha512 = createHash('sha512').update(ZIP).digest('base64');
    const update = { version: NEXT, expires: EXPIRES, files: [{ url, sha512, size: ZIP.length }] };
    if (request.url?.includes('.yml'))
      response.end(JSON.stringify({ ...update, path: url, sha512, ...(isSigned ? { signature: signUpdate(update, privateKey) } : {}) }));
    else if (request.url?.includes('.zip')) {
      downloads += 1;
      response.end(ZIP);
    } else response.writeHead(404).end();
  });
  await once(feed.listen(0, '127.0.0.1'), 'listening');
  const { port } = feed.address() as AddressInfo;
  const config = join(folder, 'app-update.yml');
  await writeFile(config, `provider: generic\nurl: http://127.0.0.1:${port}/\nupdaterCacheDirName: paydesk-updater\n`);
  process.env.PAYDESK_UPDATE_CONFIG = config;
  process.env.PAYDESK_UPDATE_PUBLIC_KEY = join(folder, 'update-public-key.pem');
  await writeFile(process.env.PAYDESK_UPDATE_PUBLIC_KEY, publicKey);
  // Downloads are stored in a subfolder of it.
  process.env.HOME = folder;
  await launch();
});
afterEach(async () => {
  await shell.stop();
  feed.closeAllConnections();
  feed.close();
  for (const [index, name] of ENVIRONMENT.entries()) {
    const former = before[index];
    if (former === undefined) delete process.env[name];
    else process.env[name] = former;
  }
  await rm(folder, { recursive: true, force: true });
});

async function launch() {
  shell = await launchDouble([WITHOUT_SCREENS], join(folder, 'data'));
  // Native modules are loaded by now, and the updater is loaded on first use, so only the updater sees macOS.
  await shell.evaluate(() => void Object.defineProperty(process, 'platform', { value: 'darwin' }), undefined);
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
}

const read = () => shell.inPage<UpdateState>('paydesk.readUpdate()');
const restart = () => shell.inPage<{ restarting: boolean; problem?: string }>('paydesk.restartToUpdate()');
const steps = () => shell.evaluate(({ record }) => record.steps.filter((step) => step.startsWith('squirrel')), undefined);
const squirrel = (behavior: 'takes' | 'stalls' | 'refuses' | 'hangs') =>
  shell.evaluate(({ record }, chosen) => {
    record.squirrel = chosen;
  }, behavior);
const ready = () => until(async () => (await read()).status === 'ready');

/** Makes timers of 15 s and more in the main process fire immediately; 15 s is the time for an installation to end the application. */
const skipLongTimers = () =>
  shell.evaluate(() => {
    const setTimer = globalThis.setTimeout;
    const skipping = (run: () => void, ms = 0, ...rest: []) => setTimer(run, ms < 15_000 ? ms : 0, ...rest);
    globalThis.setTimeout = Object.assign(skipping, setTimer);
  }, undefined);

test('downloads nothing without the signature of the publisher', async () => {
  isSigned = false;
  await shell.inPage('paydesk.checkForUpdate()');
  const problem = 'The new version has no valid signature of its publisher, so it was not downloaded. Version 0.1.0 keeps running.';
  await until(async () => (await read()).status === 'failed');
  expect(await read()).toMatchObject({ next: NEXT, problem });
  expect(downloads).toBe(0);
});

test('reports a version as ready when Squirrel has accepted it, and restarts into it', async () => {
  await squirrel('stalls');
  await shell.inPage('paydesk.checkForUpdate()');
  await until(async () => (await steps()).length === 1);
  expect(await read()).toMatchObject({ status: 'downloading', next: NEXT });
  expect(await restart()).toEqual({ restarting: false, problem: 'No new version is ready.' });
  await squirrel('takes');
  await shell.evaluate(({ autoUpdater }) => autoUpdater.fetch(), undefined);
  await ready();
  expect(await restart()).toEqual({ restarting: true });
  expect(await shell.exited).toBe(0);
  expect(shell.log()).not.toContain('To be opened again');
});

test.each([
  ['refuses', 'Squirrel refuses the installation'],
  ['hangs', 'Squirrel never ends the application'],
] as const)('opens the old version again and shows a notification (%s: %s)', async (behavior, _description) => {
  await shell.inPage('paydesk.checkForUpdate()');
  await ready();
  await squirrel(behavior);
  if (behavior === 'hangs') await skipLongTimers();
  expect(await restart()).toEqual({ restarting: true });
  expect(await shell.exited).toBe(0);
  expect(shell.log()).toContain('To be opened again');
  await launch();
  const problem = `Version ${NEXT} could not be installed. Version 0.1.0 keeps running.`;
  expect(await read()).toMatchObject({ status: 'failed', next: NEXT, problem });
  const notifications = await shell.evaluate(({ record }) => record.notifications.map(({ title, body }) => ({ title, body })), undefined);
  expect(notifications).toEqual([{ title: 'The update was not installed', body: problem }]);
});
