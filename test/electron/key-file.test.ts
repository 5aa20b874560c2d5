import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyIdOf, makeRecoveryFile, PassphraseKey } from '#core/records/vault';
import { createPassphraseSealer, DesktopKeyStore, type KeySealer, readStoredKey } from '../../electron/keys/key-file.ts';
import { pause } from '../support/until.ts';

let dataDir: string;
let sealer: KeySealer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-key-file-'));
  sealer = createPassphraseSealer(await PassphraseKey.derive('a passphrase for this computer'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Returns a sealer whose first results arrive last. */
function delayed(inner: KeySealer): KeySealer {
  let delayMs = 60;
  return {
    ...inner,
    seal: async (key) => {
      delayMs /= 2;
      await pause(delayMs);
      return inner.seal(key);
    },
  };
}

test('writes concurrent changes of the key file one after another and loses none', async () => {
  const [key, next] = [randomBytes(32), randomBytes(32)];
  const keys = new DesktopKeyStore(dataDir, delayed(sealer), [key]);
  await keys.save();
  const recovery = (await makeRecoveryFile(key, 'a passphrase for this computer', Date.now())).toString();
  await Promise.all([keys.keepRecoveryFile(recovery), keys.storeNext(next), keys.save()]);
  expect(await readStoredKey(dataDir)).toMatchObject({ current: { keyId: keyIdOf(key) }, next: { keyId: keyIdOf(next) }, recovery });
  expect(await keys.keys()).toEqual([key, next]);
  await Promise.all([keys.keepOnly(next), keys.save()]);
  expect(await readStoredKey(dataDir)).toMatchObject({ current: { keyId: keyIdOf(next) }, next: null, recovery: null });
});

test('leaves the keys unchanged after a failed write, and accepts later writes', async () => {
  const [key, next] = [randomBytes(32), randomBytes(32)];
  let isLocked = false;
  const keys = new DesktopKeyStore(
    dataDir,
    {
      ...sealer,
      seal: (bytes) => (isLocked ? Promise.reject(new Error('The keyring is locked.')) : sealer.seal(bytes)),
    },
    [key],
  );
  await keys.save();
  isLocked = true;
  const recovery = (await makeRecoveryFile(key, 'a passphrase for this computer', Date.now())).toString();
  await expect(keys.keepRecoveryFile(recovery)).rejects.toThrow('locked');
  isLocked = false;
  await keys.storeNext(next);
  expect(await readStoredKey(dataDir)).toMatchObject({ next: { keyId: keyIdOf(next) }, recovery: null });
});
