import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyIdOf, makeRecoveryFile } from '#core/vault';
import { startServer } from '#server';
import { type DoubleShell, launchDouble, until } from './shell.ts';

const KEY_FILE = 'master-key.json';
const PASSPHRASE = 'a passphrase for this desk';

let dataDir: string;
let shell: DoubleShell | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-keychain-'));
});
afterEach(async () => {
  await shell?.stop();
  shell = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (keyring = 'gnome_libsecret/first') => {
  shell = await launchDouble([`--double-keyring=${keyring}`], dataDir);
  return shell;
};
const quit = async () => {
  expect(await shell?.quit()).toBe(0);
  shell = undefined;
};
const kept = async () =>
  JSON.parse(await readFile(join(dataDir, KEY_FILE), 'utf8')) as { holder: string; backend?: string; current: { keyId: string } };

/** What the window shows: the page of a question, or that of the server. */
const title = (running: DoubleShell) => running.inPage<string>('location.protocol === "http:" ? "server" : document.title').catch(() => '');
const shows = (running: DoubleShell, what: string) => until(async () => (await title(running)) === what, 30_000);
const words = (running: DoubleShell) => running.inPage<string>('document.body.innerText');

interface Filled {
  [name: string]: string;
}

/** Fills the form of an action and sends it. */
async function answer(running: DoubleShell, action: string, fields: Filled = {}, file?: string): Promise<void> {
  await running.inPage('document.title = "answered"');
  await running.evaluate(
    async ({ BrowserWindow }, given) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      const form = page?.locator(`form[data-do=${given.action}]`);
      for (const [name, value] of Object.entries(given.fields)) await form?.locator(`[name=${name}]`).fill(value);
      const upload = { name: 'paydesk-recovery.json', mimeType: 'application/json', buffer: Buffer.from(given.file ?? '') };
      if (given.file !== undefined) await form?.locator('[name=file]').setInputFiles(upload);
      await form?.locator('button').click();
    },
    { action, fields, file },
  );
  await until(async () => !['answered', ''].includes(await title(running)), 30_000);
}

/** Every file of the data directory holds nothing of the key. */
async function expectNowhereInClear(...keys: Buffer[]): Promise<void> {
  for (const name of await readdir(dataDir, { recursive: true })) {
    const file = join(dataDir, name);
    if (!(await stat(file)).isFile()) continue;
    const bytes = await readFile(file);
    for (const key of keys) {
      expect(bytes.includes(key), `${name} has the key`).toBe(false);
      for (const form of ['hex', 'base64'] as const) expect(bytes.includes(key.toString(form)), `${name} has it in ${form}`).toBe(false);
    }
  }
  expect(await readdir(dataDir)).not.toContain('master.key');
}

/** An installation as an earlier version of the desktop left it, with its key in clear. */
async function earlierInstallation(): Promise<Buffer> {
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  const business = { businessName: 'Shop', currency: 'EUR', timezone: 'UTC', email: 'o@shop.example', password: 'a long enough password' };
  const made = await fetch(`${server.baseUrl}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...business, environment: 'sandbox' }),
  });
  expect(made.status).toBe(200);
  await server.close();
  return Buffer.from((await readFile(join(dataDir, 'master.key'), 'utf8')).trim(), 'hex');
}

test('a new key goes into the keyring and is there at the next start; its file is its owner’s alone', async () => {
  await shows(await start(), 'server');
  await quit();
  const { holder, backend, current } = await kept();
  expect({ holder, backend }).toEqual({ holder: 'keychain', backend: 'gnome_libsecret' });
  expect(await readdir(dataDir)).not.toContain('master.key');
  if (process.platform !== 'win32') expect((await stat(join(dataDir, KEY_FILE))).mode & 0o777).toBe(0o600);
  await shows(await start(), 'server');
  expect((await kept()).current).toEqual(current);
});

test('a key that an earlier version left in clear is taken into the keyring and removed', async () => {
  const key = await earlierInstallation();
  await shows(await start(), 'server');
  await quit();
  expect((await kept()).current.keyId).toBe(keyIdOf(key));
  await expectNowhereInClear(key);
});

test('a key that a command left in clear beside the kept one goes; where the data is under it, it is kept from then on', {
  timeout: 90_000,
}, async () => {
  const key = await earlierInstallation();
  await shows(await start(), 'server');
  await quit();
  // The power went before the file was removed, or the key was brought back by its recovery file.
  const file = join(dataDir, 'master.key');
  await writeFile(file, `${key.toString('hex')}\n`, { mode: 0o600 });
  await shows(await start(), 'server');
  await quit();
  await expectNowhereInClear(key);
  // A backup of another installation was restored by a command: its key is not the kept one.
  for (const name of await readdir(dataDir)) if (/\.sqlite(-wal|-shm)?$/.test(name)) await rm(join(dataDir, name));
  const restored = await earlierInstallation();
  expect(restored).not.toEqual(key);
  await shows(await start(), 'server');
  await quit();
  expect((await kept()).current.keyId).toBe(keyIdOf(restored));
  await expectNowhereInClear(key, restored);
  await shows(await start(), 'server');
});

test('while another server has the folder, its key stays where it is', async () => {
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  const running = await start();
  await until(async () => (await words(running)).includes('Another Paydesk server'));
  expect(await readdir(dataDir)).toContain('master.key');
  await server.close();
});

test('basic_text is refused: a passphrase is chosen, and asked for at each start until it is right', async () => {
  const key = await earlierInstallation();
  const first = await start('basic_text/x');
  await shows(first, 'Choose a passphrase for this computer');
  expect(await words(first)).toContain('basic_text');
  await answer(first, 'choose', { passphrase: PASSPHRASE, again: 'another one altogether' });
  expect(await words(first)).toContain('The two are not the same.');
  await answer(first, 'choose', { passphrase: PASSPHRASE, again: PASSPHRASE });
  await shows(first, 'server');
  await quit();
  expect((await kept()).holder).toBe('passphrase');
  await expectNowhereInClear(key);

  const second = await start('basic_text/x');
  await shows(second, 'Enter the passphrase');
  await answer(second, 'enter', { passphrase: `${PASSPHRASE}!` });
  expect(await words(second)).toContain('This is not the passphrase.');
  await answer(second, 'enter', { passphrase: PASSPHRASE });
  await shows(second, 'server');
  expect(second.log()).not.toContain(PASSPHRASE);
});

test('a question that is loaded again still hears its answer', async () => {
  const running = await start('basic_text/x');
  await shows(running, 'Choose a passphrase for this computer');
  await running.inPage('document.title = "before"');
  await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload(), undefined);
  await shows(running, 'Choose a passphrase for this computer');
  await answer(running, 'choose', { passphrase: PASSPHRASE, again: 'another one altogether' });
  expect(await words(running)).toContain('The two are not the same.');
  await answer(running, 'choose', { passphrase: PASSPHRASE, again: PASSPHRASE });
  await shows(running, 'server');
});

test('closing the window of a question ends the application', async () => {
  const running = await start('basic_text/x');
  await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  expect(await running.exited).toBe(0);
});

test('a keyring that is locked, or another one, gives way to the recovery file; the key goes into the new one', {
  timeout: 90_000,
}, async () => {
  const key = await earlierInstallation();
  await shows(await start(), 'server');
  await quit();
  const sealed = (await kept()).current;
  const recoveryFile = await makeRecoveryFile(key, PASSPHRASE, Date.now());

  const locked = await start('gnome_libsecret/first/locked');
  await shows(locked, 'The keyring is locked or away');
  await answer(locked, 'retry');
  await answer(locked, 'recover', { code: 'not the passphrase' }, recoveryFile);
  expect(await words(locked)).toContain('does not open the recovery file');
  await answer(locked, 'recover', { code: PASSPHRASE }, recoveryFile);
  await shows(locked, 'server');
  await quit();
  expect((await kept()).current, 'the keyring may be back').toEqual(sealed);

  const other = await start('gnome_libsecret/second');
  await shows(other, 'The keyring has another key');
  const foreign = await makeRecoveryFile(Buffer.alloc(32, 7), PASSPHRASE, Date.now());
  await answer(other, 'recover', { code: PASSPHRASE }, foreign);
  expect(await words(other)).toContain('holds another key');
  await answer(other, 'recover', { code: PASSPHRASE }, recoveryFile);
  await shows(other, 'server');
  await quit();
  await shows(await start('gnome_libsecret/second'), 'server');
  await expectNowhereInClear(key);
});

test('a damaged key file is replaced by the recovery file, and by no other key', async () => {
  const key = await earlierInstallation();
  await shows(await start(), 'server');
  await quit();
  await writeFile(join(dataDir, KEY_FILE), '{"version":1');
  const running = await start('basic_text/x');
  await shows(running, 'The key file is damaged');
  await answer(running, 'recover', { code: PASSPHRASE }, await makeRecoveryFile(Buffer.alloc(32, 7), PASSPHRASE, Date.now()));
  expect(await words(running)).toContain('does not open the data on this computer');
  await answer(running, 'recover', { code: PASSPHRASE }, await makeRecoveryFile(key, PASSPHRASE, Date.now()));
  await shows(running, 'Choose a passphrase for this computer');
  await answer(running, 'choose', { passphrase: PASSPHRASE, again: PASSPHRASE });
  await shows(running, 'server');
  expect((await kept()).current.keyId).toBe(keyIdOf(key));
});
