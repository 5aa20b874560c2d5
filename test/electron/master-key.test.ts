import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyIdOf, makeRecoveryFile } from '#core/records/vault';
import { startServer } from '#server';
import { FULL } from '../support/tier.ts';
import { type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

const KEY_FILE = 'master-key.json';
const PASSPHRASE = 'a passphrase for this computer';

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
  shell = await launchDouble([`--double-keyring=${keyring}`, WITHOUT_SCREENS], dataDir);
  return shell;
};
const quit = async () => {
  expect(await shell?.quit()).toBe(0);
  shell = undefined;
};
const storedKey = async () =>
  JSON.parse(await readFile(join(dataDir, KEY_FILE), 'utf8')) as { holder: string; backend?: string; current: { keyId: string } };

/** Returns the title of the shown question, or "server" for the server's page. */
const shownTitle = (running: DoubleShell) =>
  running.inPage<string>('location.protocol === "http:" ? "server" : document.title').catch(() => '');
const untilShown = (running: DoubleShell, what: string) => until(async () => (await shownTitle(running)) === what);
const pageText = (running: DoubleShell) => running.inPage<string>('document.body.innerText');

interface FormFields {
  [name: string]: string;
}

/** Fills in the form of an action and submits it. */
async function submitForm(running: DoubleShell, action: string, fields: FormFields = {}, file?: string): Promise<void> {
  await running.inPage('document.title = "answered"');
  await running.evaluate(
    async ({ BrowserWindow }, input) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      const form = page?.locator(`form[data-do=${input.action}]`);
      for (const [name, value] of Object.entries(input.fields)) await form?.locator(`[name=${name}]`).fill(value);
      const upload = { name: 'paydesk-recovery.json', mimeType: 'application/json', buffer: Buffer.from(input.file ?? '') };
      if (input.file !== undefined) await form?.locator('[name=file]').setInputFiles(upload);
      await form?.locator('button').click();
    },
    { action, fields, file },
  );
  await until(async () => !['answered', ''].includes(await shownTitle(running)));
}

/** Checks that no file of the data directory contains one of the keys in plaintext. */
async function expectNotInPlaintext(...keys: Buffer[]): Promise<void> {
  for (const name of await readdir(dataDir, { recursive: true })) {
    const file = join(dataDir, name);
    if (!(await stat(file)).isFile()) continue;
    const bytes = await readFile(file);
    for (const key of keys) {
      expect(bytes.includes(key), `${name} contains the key`).toBe(false);
      for (const form of ['hex', 'base64'] as const)
        expect(bytes.includes(key.toString(form)), `${name} contains the key in ${form}`).toBe(false);
    }
  }
  expect(await readdir(dataDir)).not.toContain('master.key');
}

/** Creates an installation with the plaintext key of a server. Returns the key. */
async function createEarlierInstallation(folder = dataDir): Promise<Buffer> {
  const server = await startServer({ dataDir: folder, port: 0, logLevel: 'silent' });
  const business = { businessName: 'Shop', currency: 'EUR', timezone: 'UTC', email: 'o@shop.example', password: 'a long enough password' };
  const made = await fetch(`${server.baseUrl}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...business, environment: 'sandbox' }),
  });
  expect(made.status).toBe(200);
  await server.close();
  return Buffer.from((await readFile(join(folder, 'master.key'), 'utf8')).trim(), 'hex');
}

test('protects a new key with the keyring and reads it at the next start; only the owner can read its file', async () => {
  await untilShown(await start(), 'server');
  await quit();
  const { holder, backend, current } = await storedKey();
  expect({ holder, backend }).toEqual({ holder: 'keychain', backend: 'gnome_libsecret' });
  expect(await readdir(dataDir)).not.toContain('master.key');
  if (process.platform !== 'win32') expect((await stat(join(dataDir, KEY_FILE))).mode & 0o777).toBe(0o600);
  await untilShown(await start(), 'server');
  expect((await storedKey()).current).toEqual(current);
});

test('moves the plaintext key of a server under the keyring and removes its file', FULL, async () => {
  const key = await createEarlierInstallation();
  await untilShown(await start(), 'server');
  await quit();
  expect((await storedKey()).current.keyId).toBe(keyIdOf(key));
  await expectNotInPlaintext(key);
});

test('removes a plaintext key file beside the key file, and stores its key if the data belongs to it', FULL, async () => {
  const key = await createEarlierInstallation();
  await untilShown(await start(), 'server');
  await quit();
  // A power failure prevented the removal of the file, or a command restored the key from its recovery file.
  const file = join(dataDir, 'master.key');
  await writeFile(file, `${key.toString('hex')}\n`, { mode: 0o600 });
  await untilShown(await start(), 'server');
  await quit();
  await expectNotInPlaintext(key);
  // The files of another installation with its key, which differs from the stored one.
  for (const name of await readdir(dataDir)) if (name.includes('.sqlite')) await rm(join(dataDir, name));
  const other = await mkdtemp(join(tmpdir(), 'paydesk-other-'));
  const restored = await createEarlierInstallation(other);
  for (const name of await readdir(other)) await copyFile(join(other, name), join(dataDir, name));
  await rm(other, { recursive: true });
  expect(restored).not.toEqual(key);
  await untilShown(await start(), 'server');
  await quit();
  expect((await storedKey()).current.keyId).toBe(keyIdOf(restored));
  await expectNotInPlaintext(key, restored);
  await untilShown(await start(), 'server');
});

test('leaves a plaintext key file unchanged while another server uses the data directory', FULL, async () => {
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  const running = await start();
  await until(async () => (await pageText(running)).includes('Another Paydesk server'));
  expect(await readdir(dataDir)).toContain('master.key');
  await server.close();
});

test('refuses basic_text, lets the user choose a passphrase and asks at each start until it is correct', FULL, async () => {
  const key = await createEarlierInstallation();
  const first = await start('basic_text/x');
  await untilShown(first, 'Choose a passphrase for this computer');
  expect(await pageText(first)).toContain('basic_text');
  await submitForm(first, 'choose', { passphrase: PASSPHRASE, repeatedPassphrase: 'another one altogether' });
  expect(await pageText(first)).toContain('The passphrases do not match.');
  await submitForm(first, 'choose', { passphrase: PASSPHRASE, repeatedPassphrase: PASSPHRASE });
  await untilShown(first, 'server');
  await quit();
  expect((await storedKey()).holder).toBe('passphrase');
  await expectNotInPlaintext(key);

  const second = await start('basic_text/x');
  await untilShown(second, 'Enter the passphrase');
  await submitForm(second, 'enter', { passphrase: `${PASSPHRASE}!` });
  expect(await pageText(second)).toContain('Wrong passphrase.');
  await submitForm(second, 'enter', { passphrase: PASSPHRASE });
  await untilShown(second, 'server');
  expect(second.log()).not.toContain(PASSPHRASE);
});

test('accepts the answer to a question after a reload of its page', FULL, async () => {
  const running = await start('basic_text/x');
  await untilShown(running, 'Choose a passphrase for this computer');
  await running.inPage('document.title = "before"');
  await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload(), undefined);
  await untilShown(running, 'Choose a passphrase for this computer');
  await submitForm(running, 'choose', { passphrase: PASSPHRASE, repeatedPassphrase: 'another one altogether' });
  expect(await pageText(running)).toContain('The passphrases do not match.');
  await submitForm(running, 'choose', { passphrase: PASSPHRASE, repeatedPassphrase: PASSPHRASE });
  await untilShown(running, 'server');
});

test('quits when the window of a question is closed', FULL, async () => {
  const running = await start('basic_text/x');
  await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  expect(await running.exited).toBe(0);
});

test('asks for the recovery file if the keyring is locked or another one, and protects the key with the new keyring', FULL, async () => {
  const key = await createEarlierInstallation();
  await untilShown(await start(), 'server');
  await quit();
  const sealed = (await storedKey()).current;
  const recoveryFile = await makeRecoveryFile(key, PASSPHRASE, Date.now());

  const locked = await start('gnome_libsecret/first/locked');
  await untilShown(locked, 'The keyring is locked or unavailable');
  await submitForm(locked, 'retry');
  await submitForm(locked, 'recover', { code: 'not the passphrase' }, recoveryFile);
  expect(await pageText(locked)).toContain('does not open the recovery file');
  await submitForm(locked, 'recover', { code: PASSPHRASE }, recoveryFile);
  await untilShown(locked, 'server');
  await quit();
  expect((await storedKey()).current, 'the keyring may be available again later').toEqual(sealed);

  const other = await start('gnome_libsecret/second');
  await untilShown(other, 'The keyring has another key');
  const foreign = await makeRecoveryFile(Buffer.alloc(32, 7), PASSPHRASE, Date.now());
  await submitForm(other, 'recover', { code: PASSPHRASE }, foreign);
  expect(await pageText(other)).toContain('contains another key');
  await submitForm(other, 'recover', { code: PASSPHRASE }, recoveryFile);
  await untilShown(other, 'server');
  await quit();
  await untilShown(await start('gnome_libsecret/second'), 'server');
  await expectNotInPlaintext(key);
});

test('restores a damaged key file from the recovery file and refuses another key', FULL, async () => {
  const key = await createEarlierInstallation();
  await untilShown(await start(), 'server');
  await quit();
  await writeFile(join(dataDir, KEY_FILE), '{"version":1');
  const running = await start('basic_text/x');
  await untilShown(running, 'The key file is damaged');
  await submitForm(running, 'recover', { code: PASSPHRASE }, await makeRecoveryFile(Buffer.alloc(32, 7), PASSPHRASE, Date.now()));
  expect(await pageText(running)).toContain('does not open the data on this computer');
  await submitForm(running, 'recover', { code: PASSPHRASE }, await makeRecoveryFile(key, PASSPHRASE, Date.now()));
  await untilShown(running, 'Choose a passphrase for this computer');
  await submitForm(running, 'choose', { passphrase: PASSPHRASE, repeatedPassphrase: PASSPHRASE });
  await untilShown(running, 'server');
  expect((await storedKey()).current.keyId).toBe(keyIdOf(key));
});
