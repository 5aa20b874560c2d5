import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { safeStorage } from 'electron';
import { lockDirectory } from '#core/database';
import { checkPassphrase, KeyFile, type KeyStore, keyIdOf, lockOf, openRecoveryFile, PassphraseKey } from '#core/vault';
import { DesktopKeys, type KeptKey, passphraseSealer, readKept, type Sealer } from './kept-key.ts';
import { type Answered, UnlockWindow } from './unlock-window.ts';

const CLEAR_KEY_FILE = 'master.key';
const CONFIG_FILE = 'config.json';
const DATABASE_FILE = 'paydesk.sqlite';

/** The system's keyring, or why there is none to trust. */
type Keyring = { readonly sealer: Sealer } | { readonly obstacle: string };

/**
 * Returns access to the master key of a data directory: in the system's keyring or, without a trusted one, under a passphrase that each
 * start asks for (experience 1.2 row 21; reliability 2.6 row 8). An unencrypted key of an earlier version is moved and removed. Closing the
 * window of a question quits the application. @throws DirectoryInUse while another server uses the directory.
 */
export function masterKeyOf(dataDir: string): () => Promise<KeyStore> {
  let known: KeyStore | undefined;
  return async () => {
    known ??= await openMasterKey(dataDir);
    return known;
  };
}

async function openMasterKey(dataDir: string): Promise<KeyStore> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = lockDirectory(dataDir);
  const window = new UnlockWindow();
  try {
    return await new Opening(dataDir, window).run();
  } finally {
    window.close();
    release();
  }
}

class Opening {
  readonly #dataDir: string;
  readonly #window: UnlockWindow;

  constructor(dataDir: string, window: UnlockWindow) {
    this.#dataDir = dataDir;
    this.#window = window;
  }

  async run(): Promise<KeyStore> {
    let kept: KeptKey | null;
    try {
      kept = await readKept(this.#dataDir);
    } catch (error) {
      console.error('The key file cannot be read.', error);
      return this.#recovered(null, 'damaged');
    }
    if (kept?.holder === 'passphrase') return this.#byPassphrase(kept, kept.salt);
    if (kept) return this.#byKeyring(kept);
    const clear = await this.#takeClearKeys();
    if (clear) return clear;
    if (!existsSync(join(this.#dataDir, DATABASE_FILE)) && !existsSync(join(this.#dataDir, CONFIG_FILE))) return this.#kept([]);
    // A server that was started and never set up leaves a database that belongs to no key yet.
    const isOwned = existsSync(join(this.#dataDir, CONFIG_FILE)) || (await lockOf({ file: join(this.#dataDir, DATABASE_FILE) })) !== null;
    return isOwned ? this.#recovered(null, 'missing') : this.#kept([]);
  }

  /** A key that the keyring holds; when the keyring does not give it, the recovery file does. */
  async #byKeyring(kept: KeptKey & { holder: 'keychain' }): Promise<KeyStore> {
    for (;;) {
      const keyring = await findKeyring();
      if ('sealer' in keyring) {
        const keys = await opened(kept, keyring.sealer);
        if (keys) {
          const store = await this.#withClearKeys(keyring.sealer, keys, kept.recovery);
          if (keyring.sealer.isStale) await store.save();
          return store;
        }
      }
      const reason = 'sealer' in keyring ? 'changed' : 'locked';
      const recovered = await this.#recover(kept, reason, 'obstacle' in keyring ? keyring.obstacle : kept.backend);
      if (recovered === 'retry') continue;
      const again = await findKeyring();
      // While the keyring is away the key stays in it: it may be back at the next start.
      if (!('sealer' in again)) return new Unkept(recovered);
      return this.#savedBy(again.sealer, [recovered], kept.recovery);
    }
  }

  async #byPassphrase(kept: KeptKey, salt: string): Promise<KeyStore> {
    let problem: string | undefined;
    for (;;) {
      const answer = await this.#window.ask({ page: 'enter', problem });
      if (answer.do === 'recover') {
        const key = await this.#recoveredBy(answer, kept).catch(inWords);
        if (typeof key !== 'string') return this.#kept([key], kept.recovery);
        problem = key;
        continue;
      }
      const sealer = passphraseSealer(await PassphraseKey.of(answer.passphrase, Buffer.from(salt, 'base64')));
      const keys = await opened(kept, sealer);
      if (keys) return this.#withClearKeys(sealer, keys, kept.recovery);
      problem = 'This is not the passphrase.';
    }
  }

  /** Keeps keys from now on, in the keyring or under a new passphrase; without keys, the first one when it is made. */
  async #kept(keys: readonly Buffer[], recovery: string | null = null): Promise<DesktopKeys> {
    const keyring = await findKeyring();
    return this.#savedBy('sealer' in keyring ? keyring.sealer : await this.#newPassphrase(keyring.obstacle), keys, recovery);
  }

  async #savedBy(sealer: Sealer, keys: readonly Buffer[], recovery: string | null): Promise<DesktopKeys> {
    const store = new DesktopKeys(this.#dataDir, sealer, keys, recovery);
    await store.save();
    return store;
  }

  async #newPassphrase(obstacle: string): Promise<Sealer> {
    let problem: string | undefined;
    for (;;) {
      const { passphrase, again } = await this.#window.ask({ page: 'choose', obstacle, problem });
      try {
        checkPassphrase(passphrase);
        if (passphrase === again) return passphraseSealer(await PassphraseKey.of(passphrase));
        problem = 'The two are not the same.';
      } catch (error) {
        problem = (error as Error).message;
      }
    }
  }

  /** A key that an earlier version kept in clear is sealed and read back; only then its file is overwritten and removed. */
  async #takeClearKeys(): Promise<DesktopKeys | null> {
    const file = join(this.#dataDir, CLEAR_KEY_FILE);
    const keys = await new KeyFile(file).keys();
    if (keys.length === 0) return null;
    const store = await this.#kept(keys);
    for (const name of [file, `${file}.next`]) await shred(name);
    return store;
  }

  /**
   * Kept keys that opened, and what lies beside them in clear: a command put it there, or the power went before it was removed. A key that is not kept
   * yet is sealed beside them, and the start of the server finds out which the database is under; then the file goes.
   */
  async #withClearKeys(sealer: Sealer, keys: readonly Buffer[], recovery: string | null): Promise<DesktopKeys> {
    const file = join(this.#dataDir, CLEAR_KEY_FILE);
    const clear = await new KeyFile(file).keys().catch((error: unknown) => {
      console.warn('The key file in clear cannot be read, and stays.', inWords(error));
      return null;
    });
    const others = (clear ?? []).filter((key) => !keys.some((known) => known.equals(key)));
    const store = new DesktopKeys(this.#dataDir, sealer, [...keys, ...others], recovery);
    // Two are kept at most: these are settled first, and a later start takes the others.
    if (clear === null || keys.length + others.length > 2) return new DesktopKeys(this.#dataDir, sealer, keys, recovery);
    if (others.length > 0) await store.save();
    for (const name of [file, `${file}.next`]) await shred(name);
    return store;
  }

  async #recovered(kept: KeptKey | null, reason: 'damaged' | 'missing'): Promise<KeyStore> {
    for (;;) {
      const key = await this.#recover(kept, reason);
      if (key !== 'retry') return this.#kept([key]);
    }
  }

  async #recover(kept: KeptKey | null, page: 'locked' | 'changed' | 'damaged' | 'missing', detail?: string): Promise<Buffer | 'retry'> {
    let problem: string | undefined;
    for (;;) {
      const answer = await this.#window.ask({ page, problem, detail, hasRecovery: kept?.recovery != null });
      if (answer.do === 'retry') return 'retry';
      const key = await this.#recoveredBy(answer, kept).catch(inWords);
      if (typeof key !== 'string') return key;
      problem = key;
    }
  }

  /** The key of the recovery file that was chosen, or of the one that is kept here. Throws in words. */
  async #recoveredBy({ file, code }: Answered, kept: KeptKey | null): Promise<Buffer> {
    const text = file || (kept?.recovery ?? '');
    if (text === '') throw new Error('Choose the recovery file.');
    const key = await openRecoveryFile(Buffer.from(text), code);
    if (kept && ![kept.current.keyId, kept.next?.keyId].includes(keyIdOf(key)))
      throw new Error('This recovery file holds another key, of another installation or from before the key was exchanged.');
    const lock = existsSync(join(this.#dataDir, CONFIG_FILE)) ? null : await lockOf({ file: join(this.#dataDir, DATABASE_FILE) });
    if (lock && !lock.opensWith(key)) throw new Error('This recovery file holds a key that does not open the data on this computer.');
    return key;
  }
}

/** A key that was opened for this time only: where it is kept is out of reach. */
class Unkept implements KeyStore {
  readonly kind = 'keychain';
  readonly place = 'the keyring of this computer, which cannot be reached';
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  async keys(): Promise<readonly Buffer[]> {
    return [this.#key];
  }

  async begin(): Promise<Buffer> {
    throw new Error('The keyring of this computer cannot be reached.');
  }

  async prepare(): Promise<void> {
    throw new Error('The keyring of this computer cannot be reached.');
  }

  /** The next start that reaches the keyring cleans up its entries. */
  async settle(): Promise<void> {}

  async keepRecoveryFile(): Promise<void> {}
}

/** The keyring, by the asynchronous calls; `basic_text` only disguises what it stores, and is refused. */
async function findKeyring(): Promise<Keyring> {
  const isAvailable = await safeStorage.isAsyncEncryptionAvailable().catch(() => false);
  const backend = backendName();
  if (backend === 'basic_text' || backend === 'unknown')
    return { obstacle: 'This desktop has no keyring (the system offers “basic_text”).' };
  if (!isAvailable) return { obstacle: `The keyring of this desktop (${backend}) does not answer, or is locked.` };
  let isStale = false;
  return {
    sealer: {
      by: { holder: 'keychain', backend },
      get isStale() {
        return isStale;
      },
      seal: async (key) => (await safeStorage.encryptStringAsync(key.toString('hex'))).toString('base64'),
      async open({ keyId, sealed }) {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'));
        isStale ||= shouldReEncrypt;
        const key = Buffer.from(result, 'hex');
        // Not every keyring notices that what it opens is damaged.
        if (keyIdOf(key) !== keyId) throw new Error('The keyring opened something else.');
        return key;
      },
    },
  };
}

function backendName(): string {
  if (process.platform === 'darwin') return 'Keychain';
  return process.platform === 'win32' ? 'DPAPI' : safeStorage.getSelectedStorageBackend();
}

/** The keys in a kept file; null when the sealer does not open them. */
async function opened({ current, next }: KeptKey, sealer: Sealer): Promise<Buffer[] | null> {
  try {
    return await Promise.all([current, next].filter((key) => key !== null).map((key) => sealer.open(key)));
  } catch (error) {
    console.warn('The key was not opened.', error instanceof Error ? error.message : error);
    return null;
  }
}

/** Overwrites a file and removes it. */
async function shred(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(size), 0, size, 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rm(file);
}

function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
