import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyIdOf, makeRecoveryFile, PassphraseKey } from '#core/vault';
import { DesktopKeys, passphraseSealer, readKept, type Sealer } from '../../electron/keys/kept-key.ts';
import { pause } from '../support/until.ts';

let dataDir: string;
let sealer: Sealer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-kept-key-'));
  sealer = passphraseSealer(await PassphraseKey.of('a passphrase for this desk'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** A keyring whose first answers come last. */
function slow(by: Sealer): Sealer {
  let delayMs = 60;
  return {
    ...by,
    seal: async (key) => {
      delayMs /= 2;
      await pause(delayMs);
      return by.seal(key);
    },
  };
}

test('what is kept at the same time is kept one after the other, and nothing of it is lost', async () => {
  const [key, next] = [randomBytes(32), randomBytes(32)];
  const keys = new DesktopKeys(dataDir, slow(sealer), [key]);
  await keys.save();
  const recovery = (await makeRecoveryFile(key, 'a passphrase for this desk', Date.now())).toString();
  await Promise.all([keys.keepRecoveryFile(recovery), keys.prepare(next), keys.save()]);
  expect(await readKept(dataDir)).toMatchObject({ current: { keyId: keyIdOf(key) }, next: { keyId: keyIdOf(next) }, recovery });
  expect(await keys.keys()).toEqual([key, next]);
  await Promise.all([keys.settle(next), keys.save()]);
  expect(await readKept(dataDir)).toMatchObject({ current: { keyId: keyIdOf(next) }, next: null, recovery: null });
});

test('one that could not be kept changes nothing and holds up nobody', async () => {
  const [key, next] = [randomBytes(32), randomBytes(32)];
  let isLocked = false;
  const keys = new DesktopKeys(
    dataDir,
    {
      ...sealer,
      seal: (bytes) => (isLocked ? Promise.reject(new Error('The keyring is locked.')) : sealer.seal(bytes)),
    },
    [key],
  );
  await keys.save();
  isLocked = true;
  const recovery = (await makeRecoveryFile(key, 'a passphrase for this desk', Date.now())).toString();
  await expect(keys.keepRecoveryFile(recovery)).rejects.toThrow('locked');
  isLocked = false;
  await keys.prepare(next);
  expect(await readKept(dataDir)).toMatchObject({ next: { keyId: keyIdOf(next) }, recovery: null });
});
