import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpdateState } from '#bridge';
import { signUpdate } from '../../electron/updates/update-trust.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

const NEXT = '99.1.0';
const EXPIRES = new Date(Date.now() + 86_400_000).toISOString();
/** Returns a script in place of an AppImage; it writes its version and how it was run to a file. */
const program = (version: string) => `#!/bin/sh\necho "${version} exit=$APPIMAGE_EXIT_AFTER_INSTALL" >> "$PAYDESK_RAN"\n`;
const INSTALLED_PROGRAM = program('0.1.0');
const NEW_PROGRAM = program(NEXT);
const sha512 = (content: string) => createHash('sha512').update(content).digest('base64');

const { privateKey: OTHER_KEY } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

let folder: string;
let feed: Server;
let shell: DoubleShell;
/** Version that the feed offers. `endsEarly`: the download ends early. `forged`: fields that replace signed ones. */
let offer: { version: string; sha512: string; endsEarly: boolean; forged?: object };

const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const ENVIRONMENT = ['APPIMAGE', 'PAYDESK_RAN', 'PAYDESK_UPDATE_CONFIG', 'PAYDESK_UPDATE_PUBLIC_KEY', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-update-'));
  feed = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    requested.push(path);
    if (path.endsWith('.yml')) {
      const file = `Paydesk-${offer.version}.AppImage`;
      const size = Buffer.byteLength(NEW_PROGRAM);
      const files = [{ url: file, sha512: offer.sha512, size }];
      response.end(
        JSON.stringify({
          version: offer.version,
          files,
          path: file,
          sha512: offer.sha512,
          releaseNotes: '<p>Faster <b>receipts</b></p><p>Two repairs</p>',
          expires: EXPIRES,
          signature: signUpdate({ version: offer.version, expires: EXPIRES, files }, privateKey),
          ...offer.forged,
        }),
      );
    } else if (path.endsWith('.AppImage') && offer.endsEarly) {
      response.writeHead(200, { 'content-length': Buffer.byteLength(NEW_PROGRAM) }).write(NEW_PROGRAM.slice(0, 20));
      setTimeout(() => response.destroy(), 50);
    } else if (path.endsWith('.AppImage')) response.end(NEW_PROGRAM);
    else response.writeHead(404).end();
  });
  await once(feed.listen(0, '127.0.0.1'), 'listening');
  const { port } = feed.address() as AddressInfo;
  await writeFile(join(folder, 'update-public-key.pem'), publicKey);
  await writeFile(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: http://127.0.0.1:${port}/\nupdaterCacheDirName: paydesk-updater\n`,
  );
  await writeFile(join(folder, 'Paydesk.AppImage'), INSTALLED_PROGRAM);
  await chmod(join(folder, 'Paydesk.AppImage'), 0o755);
  await mkdir(join(folder, 'data'));
  process.env.APPIMAGE = join(folder, 'Paydesk.AppImage');
  process.env.PAYDESK_RAN = join(folder, 'ran');
  process.env.PAYDESK_UPDATE_CONFIG = join(folder, 'app-update.yml');
  process.env.PAYDESK_UPDATE_PUBLIC_KEY = join(folder, 'update-public-key.pem');
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  process.env.XDG_CONFIG_HOME = join(folder, 'config');
  await launch();
});
afterAll(async () => {
  await shell.stop();
  feed.closeAllConnections();
  feed.close();
  for (const name of ENVIRONMENT) delete process.env[name];
  await rm(folder, { recursive: true, force: true });
});

async function launch() {
  shell = await launchDouble([WITHOUT_SCREENS], join(folder, 'data'));
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
}

const read = () => shell.inPage<UpdateState>('paydesk.readUpdate()');
/** Checks for a new version, waits for the end of the download and returns the state. */
async function check(): Promise<UpdateState> {
  await shell.inPage('paydesk.checkForUpdate()');
  await until(async () => !['checking', 'downloading'].includes((await read()).status));
  return read();
}
const installed = () => readFile(join(folder, 'Paydesk.AppImage'), 'utf8');
const launchLog = () => readFile(join(folder, 'ran'), 'utf8').catch(() => '');
const restart = () => shell.inPage<{ restarting: boolean; problem?: string }>('paydesk.restartToUpdate()');

test('does not offer the running version as an update', async () => {
  offer = { version: '0.1.0', sha512: sha512(NEW_PROGRAM), endsEarly: false };
  expect(await check()).toEqual({ status: 'none', version: '0.1.0', checkedAt: expect.any(String) });
  expect(await restart()).toEqual({ restarting: false, problem: 'No new version is ready.' });
});

const requested: string[] = [];
const forgedFiles = (url: string) => {
  const files = [{ url, sha512: sha512(NEW_PROGRAM), size: NEW_PROGRAM.length }];
  return { files, signature: signUpdate({ version: NEXT, expires: EXPIRES, files }, privateKey) };
};
const unsigned = 'The new version has no valid signature of its publisher, so it was not downloaded.';
const expired =
  'The information on the update server has expired, so newer versions may be missing and nothing was downloaded. Check the date of this computer, or ask the publisher of Paydesk.';
/** Returns the signed fields of a version with its usual file and another expiry. */
const signedUntil = (version: string, expires: string) => {
  const files = [{ url: `Paydesk-${version}.AppImage`, sha512: sha512(NEW_PROGRAM), size: Buffer.byteLength(NEW_PROGRAM) }];
  return { expires, signature: signUpdate({ version, expires, files }, privateKey) };
};
const PAST = '2026-01-01T00:00:00.000Z';
const insecure = 'Updates require HTTPS, so nothing was downloaded.';

test.each([
  ['without a signature', () => ({ signature: undefined }), unsigned],
  [
    'with a signature of another version',
    () => ({ signature: signUpdate({ version: '98.0.0', expires: EXPIRES, files: forgedFiles('a').files }, privateKey) }),
    unsigned,
  ],
  [
    'with a signature of another key',
    () => ({ signature: signUpdate({ version: NEXT, expires: EXPIRES, files: forgedFiles('a').files }, OTHER_KEY) }),
    unsigned,
  ],
  ['with files that the signature does not cover', () => ({ files: forgedFiles('b.AppImage').files }), unsigned],
  ['with an expired signature', () => signedUntil(NEXT, PAST), expired],
  ['with a later expiry than the signed one', () => ({ ...signedUntil(NEXT, PAST), expires: EXPIRES }), unsigned],
  ['with files at an address without TLS', () => forgedFiles('http://updates.example.com/a.AppImage'), insecure],
])('does not download a new version %s', async (_description, forged, reason) => {
  requested.length = 0;
  offer = { version: NEXT, sha512: sha512(NEW_PROGRAM), endsEarly: false, forged: forged() };
  expect(await check()).toMatchObject({ status: 'failed', next: NEXT, problem: `${reason} Version 0.1.0 keeps running.` });
  expect(requested.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
});

test.each(['0.1.0', '0.0.9'])('reports a feed that stays at version %s after its expiry, and ignores it before', async (version) => {
  offer = { version, sha512: sha512(NEW_PROGRAM), endsEarly: false };
  requested.length = 0;
  expect(await check()).toMatchObject({ status: 'none', version: '0.1.0' });
  offer.forged = signedUntil(version, PAST);
  expect(await check()).toMatchObject({ status: 'failed', problem: `${expired} Version 0.1.0 keeps running.` });
  offer.forged = { signature: undefined };
  expect(await check()).toMatchObject({ status: 'failed', problem: `${unsigned} Version 0.1.0 keeps running.` });
  expect(requested.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
});

test('does not request a feed on another computer without TLS', async () => {
  const config = join(folder, 'app-update.yml');
  const before = await readFile(config, 'utf8');
  requested.length = 0;
  await writeFile(config, 'provider: generic\nurl: http://updates.example.com/\n');
  expect(await check()).toMatchObject({ status: 'failed', problem: `${insecure} Version 0.1.0 keeps running.` });
  expect(requested).toEqual([]);
  await writeFile(config, before);
});

test.each([
  [
    'does not match its checksum',
    { sha512: sha512('another'), endsEarly: false },
    'The download does not match the published checksum, so it was discarded.',
  ],
  ['ends early', { sha512: sha512(NEW_PROGRAM), endsEarly: true }, 'The update server could not be reached, or the connection was lost.'],
])('reports a download that %s and keeps the running version', async (_description, faults, reason) => {
  offer = { version: NEXT, ...faults };
  expect(await check()).toMatchObject({
    status: 'failed',
    version: '0.1.0',
    next: NEXT,
    problem: `${reason} Version 0.1.0 keeps running.`,
  });
  expect(await installed()).toBe(INSTALLED_PROGRAM);
  expect((await fetch(new URL('/health', await shell.inPage<string>('location.href')))).status).toBe(200);
});

test('downloads a valid version in the background, notifies the page and refuses a restart during payments', async () => {
  offer = { version: NEXT, sha512: sha512(NEW_PROGRAM), endsEarly: false };
  await shell.inPage('window.received = [], paydesk.onUpdate(({ status }) => received.push(status)), 1');
  expect(await check()).toMatchObject({ status: 'ready', next: NEXT, notes: 'Faster receipts\nTwo repairs', percent: 100 });
  await expect.poll(() => shell.inPage('received')).toEqual(expect.arrayContaining(['checking', 'downloading', 'ready']));
  expect(await installed()).toBe(INSTALLED_PROGRAM);

  const refused = { restarting: false, problem: 'A payment is being sent. Restart when it is complete.' };
  await shell.inPage('paydesk.holdRestart(true)');
  expect(await restart()).toEqual(refused);
  await shell.inPage('paydesk.holdRestart(false)');
  // A request of another client, sent in part. The service asks for the rest when it has begun to handle the request.
  const { port, host } = await shell.inPage<{ port: string; host: string }>('({ port: location.port, host: location.host })');
  const caller = connect(Number(port), '127.0.0.1');
  caller.on('error', () => undefined);
  caller.write(
    `POST /public/transactions HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{`,
  );
  expect(String((await once(caller, 'data'))[0])).toContain('100 Continue');
  await fetch(`http://${host}/health`);
  expect(await restart()).toEqual(refused);
  caller.destroy();
});

test('installs the update when the application quits, without opening it', async () => {
  expect(await shell.quit()).toBe(0);
  expect(await installed()).toBe(NEW_PROGRAM);
  expect(await launchLog()).toBe(`${NEXT} exit=true\n`);
});

test('reports a failed installation at the next start; a requested restart installs and opens the new version', async () => {
  // The double still has the old version, as after a failed installation.
  await launch();
  expect(await read()).toMatchObject({ status: 'failed', problem: `Version ${NEXT} could not be installed. Version 0.1.0 keeps running.` });
  await writeFile(join(folder, 'Paydesk.AppImage'), INSTALLED_PROGRAM);
  await rm(join(folder, 'ran'));
  expect(await check()).toMatchObject({ status: 'ready' });
  expect(await restart()).toEqual({ restarting: true });
  expect(await shell.exited).toBe(0);
  await until(async () => (await launchLog()) !== '');
  expect(await launchLog()).toBe(`${NEXT} exit=\n`);
  expect(await installed()).toBe(NEW_PROGRAM);
});
