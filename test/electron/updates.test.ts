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
import { PLAIN_PAGE, show } from './flows.ts';
import { asShell, type DoubleShell, launchDouble, until } from './shell.ts';

const NEXT = '99.1.0';
/** Stands for an installed AppImage: tells that it was run, and how. */
const program = (version: string) => `#!/bin/sh\necho "${version} exit=$APPIMAGE_EXIT_AFTER_INSTALL" >> "$PAYDESK_RAN"\n`;
const OURS = program('0.1.0');
const THEIRS = program(NEXT);
const sha512 = (content: string) => createHash('sha512').update(content).digest('base64');

const { privateKey: OTHER_KEY } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

let folder: string;
let feed: Server;
let shell: DoubleShell;
/** What the feed offers and how it sends it. */
let offer: { version: string; sha512: string; breaksOff: boolean; forged?: object };

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
      const size = Buffer.byteLength(THEIRS);
      const files = [{ url: file, sha512: offer.sha512, size }];
      response.end(
        JSON.stringify({
          version: offer.version,
          files,
          path: file,
          sha512: offer.sha512,
          releaseNotes: '<p>Faster <b>receipts</b></p><p>Two repairs</p>',
          signature: signUpdate({ version: offer.version, files }, privateKey),
          ...offer.forged,
        }),
      );
    } else if (path.endsWith('.AppImage') && offer.breaksOff) {
      response.writeHead(200, { 'content-length': Buffer.byteLength(THEIRS) }).write(THEIRS.slice(0, 20));
      setTimeout(() => response.destroy(), 50);
    } else if (path.endsWith('.AppImage')) response.end(THEIRS);
    else response.writeHead(404).end();
  });
  await once(feed.listen(0, '127.0.0.1'), 'listening');
  const { port } = feed.address() as AddressInfo;
  await writeFile(join(folder, 'update-public-key.pem'), publicKey);
  await writeFile(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: http://127.0.0.1:${port}/\nupdaterCacheDirName: paydesk-updater\n`,
  );
  await writeFile(join(folder, 'Paydesk.AppImage'), OURS);
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
  shell = await launchDouble([], join(folder, 'data'));
  await show(asShell(shell), PLAIN_PAGE);
}

const read = () => shell.inPage<UpdateState>('paydesk.readUpdate()');
/** Looks for a new version, and what came of it in the end. */
async function check(): Promise<UpdateState> {
  await shell.inPage('paydesk.checkForUpdate()');
  await until(async () => !['checking', 'downloading'].includes((await read()).status), 20_000);
  return read();
}
const installed = () => readFile(join(folder, 'Paydesk.AppImage'), 'utf8');
const ran = () => readFile(join(folder, 'ran'), 'utf8').catch(() => '');
const restart = () => shell.inPage<{ restarting: boolean; problem?: string }>('paydesk.restartToUpdate()');

test('the same version is no update', async () => {
  offer = { version: '0.1.0', sha512: sha512(THEIRS), breaksOff: false };
  expect(await check()).toEqual({ status: 'none', version: '0.1.0', checkedAt: expect.any(String) });
  expect(await restart()).toEqual({ restarting: false, problem: 'No new version is ready.' });
});

const requested: string[] = [];
const forgedFiles = (url: string) => {
  const files = [{ url, sha512: sha512(THEIRS), size: THEIRS.length }];
  return { files, signature: signUpdate({ version: NEXT, files }, privateKey) };
};
const unsigned = 'The new version is not signed by its maker, so it was not fetched.';
const insecure = 'Updates are taken over HTTPS only, so nothing was fetched.';

test.each([
  ['without a signature', () => ({ signature: undefined }), unsigned],
  [
    'with a signature of another version',
    () => ({ signature: signUpdate({ version: '98.0.0', files: forgedFiles('a').files }, privateKey) }),
    unsigned,
  ],
  [
    'with a signature of another key',
    () => ({ signature: signUpdate({ version: NEXT, files: forgedFiles('a').files }, OTHER_KEY) }),
    unsigned,
  ],
  ['with files that the signature does not cover', () => ({ files: forgedFiles('b.AppImage').files }), unsigned],
  ['with files at an address without TLS', () => forgedFiles('http://updates.example.com/a.AppImage'), insecure],
])('fetches no new version %s', async (_how, forged, words) => {
  requested.length = 0;
  offer = { version: NEXT, sha512: sha512(THEIRS), breaksOff: false, forged: forged() };
  expect(await check()).toMatchObject({ status: 'failed', next: NEXT, problem: `${words} Version 0.1.0 keeps running.` });
  expect(requested.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
});

test('asks no feed without TLS on another computer', async () => {
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
    'is not what was published',
    { sha512: sha512('another'), breaksOff: false },
    'What was fetched is not what was published, so it was thrown away.',
  ],
  ['breaks off', { sha512: sha512(THEIRS), breaksOff: true }, 'The update server could not be reached, or broke off.'],
])('a download that %s leaves the version that runs, and is said', async (_how, bad, words) => {
  offer = { version: NEXT, ...bad };
  expect(await check()).toMatchObject({ status: 'failed', version: '0.1.0', next: NEXT, problem: `${words} Version 0.1.0 keeps running.` });
  expect(await installed()).toBe(OURS);
  expect((await fetch(new URL('/health', await shell.inPage<string>('location.href')))).status).toBe(200);
});

test('a good one comes in the background with its notes, tells the page, and waits for the end of every payment', async () => {
  offer = { version: NEXT, sha512: sha512(THEIRS), breaksOff: false };
  await shell.inPage('window.told = [], paydesk.onUpdate(({ status }) => told.push(status)), 1');
  expect(await check()).toMatchObject({ status: 'ready', next: NEXT, notes: 'Faster receipts\nTwo repairs', percent: 100 });
  expect(await shell.inPage('told')).toEqual(expect.arrayContaining(['checking', 'downloading', 'ready']));
  expect(await installed()).toBe(OURS);

  const barred = { restarting: false, problem: 'A payment is being sent. Restart when it has been answered.' };
  await shell.inPage('paydesk.holdRestart(true)');
  expect(await restart()).toEqual(barred);
  await shell.inPage('paydesk.holdRestart(false)');
  // A request of somebody else's, half sent.
  const { port, host } = await shell.inPage<{ port: string; host: string }>('({ port: location.port, host: location.host })');
  const caller = connect(Number(port), '127.0.0.1');
  caller.on('error', () => undefined);
  caller.write(`POST /public/transactions HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
  await fetch(`http://${host}/health`);
  expect(await restart()).toEqual(barred);
  caller.destroy();
});

test('it is installed when the application quits, and not opened', async () => {
  expect(await shell.quit()).toBe(0);
  expect(await installed()).toBe(THEIRS);
  expect(await ran()).toBe(`${NEXT} exit=true\n`);
});

test('an installation that did not take is said at the next start; a restart that was asked for installs and opens', async () => {
  // The double is still the old version, as after an installer that failed.
  await launch();
  expect(await read()).toMatchObject({ status: 'failed', problem: `Version ${NEXT} could not be installed. Version 0.1.0 keeps running.` });
  await writeFile(join(folder, 'Paydesk.AppImage'), OURS);
  await rm(join(folder, 'ran'));
  expect(await check()).toMatchObject({ status: 'ready' });
  expect(await restart()).toEqual({ restarting: true });
  expect(await shell.exited).toBe(0);
  await until(async () => (await ran()) !== '');
  expect(await ran()).toBe(`${NEXT} exit=\n`);
  expect(await installed()).toBe(THEIRS);
});
