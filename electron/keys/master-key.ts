import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { safeStorage } from 'electron';
import { lockDirectory } from '#core/database';
import {
  checkPassphrase,
  KeyFile,
  type KeyMark,
  type KeyStore,
  keyIdOf,
  lockOf,
  openRecoveryFile,
  PassphraseKey,
} from '#core/records/vault';
import { serviceText, t } from '../language/index.ts';
import { createPassphraseSealer, DesktopKeyStore, type KeySealer, readStoredKey, type StoredKey } from './key-file.ts';
import { type UnlockInput, UnlockWindow } from './unlock-window.ts';

const PLAINTEXT_KEY_FILE = 'master.key';
const CONFIG_FILE = 'config.json';
const DATABASE_FILE = 'paydesk.sqlite';

/** The system's keyring, or the reason why no trusted keyring is available. */
type KeyringAccess = { readonly sealer: KeySealer } | { readonly obstacle: string };

/**
 * Returns a function that opens the master key of a data directory once. The key is encrypted by the system's keyring or, without a trusted
 * one, by a passphrase that each start asks for. An unencrypted key that a
 * server or a command stored is encrypted and its file removed. Closing a question's window quits the application. @throws DirectoryInUse while another server uses the
 * directory.
 */
export function createMasterKeyLoader(dataDir: string): () => Promise<KeyStore> {
  let store: KeyStore | undefined;
  return async () => {
    store ??= await openMasterKey(dataDir);
    return store;
  };
}

async function openMasterKey(dataDir: string): Promise<KeyStore> {
  const lock = lockDirectory(dataDir);
  const window = new UnlockWindow();
  try {
    return await new MasterKeyOpener(dataDir, window).run();
  } finally {
    window.close();
    lock.release();
  }
}

/** Opens the master key of a data directory, with the questions that this needs. */
class MasterKeyOpener {
  readonly #dataDir: string;
  readonly #window: UnlockWindow;

  constructor(dataDir: string, window: UnlockWindow) {
    this.#dataDir = dataDir;
    this.#window = window;
  }

  async run(): Promise<KeyStore> {
    let stored: StoredKey | null;
    try {
      stored = await readStoredKey(this.#dataDir);
    } catch (error) {
      console.error('The key file cannot be read.', error);
      return this.#recoverAndStore(null, 'damaged');
    }
    if (stored?.holder === 'passphrase') return this.#openWithPassphrase(stored, stored.salt);
    if (stored) return this.#openWithKeyring(stored);
    const migrated = await this.#migratePlaintextKeys();
    if (migrated) return migrated;
    if (!existsSync(join(this.#dataDir, DATABASE_FILE)) && !existsSync(join(this.#dataDir, CONFIG_FILE))) return this.#storeKeys([]);
    // A server that was started but never set up leaves a database that is not yet bound to a key.
    const isOwned = existsSync(join(this.#dataDir, CONFIG_FILE)) || (await lockOf({ file: join(this.#dataDir, DATABASE_FILE) })) !== null;
    return isOwned ? this.#recoverAndStore(null, 'missing') : this.#storeKeys([]);
  }

  /** Opens a key that the keyring encrypted; if the keyring cannot decrypt it, asks for the recovery file. */
  async #openWithKeyring(stored: StoredKey & { holder: 'keychain' }): Promise<KeyStore> {
    for (;;) {
      const keyring = await findKeyring();
      if ('sealer' in keyring) {
        const keys = await openStoredKeys(stored, keyring.sealer);
        if (keys) {
          const store = await this.#mergePlaintextKeys(keyring.sealer, keys, stored.recovery);
          if (keyring.sealer.isStale) await store.save();
          return store;
        }
      }
      const reason = 'sealer' in keyring ? 'changed' : 'locked';
      const recovered = await this.#askForRecoveryFile(stored, reason, 'obstacle' in keyring ? keyring.obstacle : stored.backend);
      if (recovered === 'retry') continue;
      const keyringNow = await findKeyring();
      // While the keyring is unavailable, the key file is not changed: the keyring may be available at the next start.
      if (!('sealer' in keyringNow)) return new TemporaryKeyStore(recovered);
      return this.#saveWith(keyringNow.sealer, [recovered], stored.recovery);
    }
  }

  async #openWithPassphrase(stored: StoredKey, salt: string): Promise<KeyStore> {
    let problem: string | undefined;
    for (;;) {
      const answer = await this.#window.ask({ page: 'enter', problem });
      if (answer.do === 'recover') {
        const key = await this.#openRecoveryFile(answer, stored).catch(problemOf);
        if (typeof key !== 'string') return this.#storeKeys([key], stored.recovery);
        problem = key;
        continue;
      }
      const sealer = createPassphraseSealer(await PassphraseKey.derive(answer.passphrase, Buffer.from(salt, 'base64')));
      const keys = await openStoredKeys(stored, sealer);
      if (keys) return this.#mergePlaintextKeys(sealer, keys, stored.recovery);
      problem = t('Wrong passphrase.');
    }
  }

  /** Returns a store that encrypts keys with the keyring or a new passphrase. Without keys, it stores the first one when it is created. */
  async #storeKeys(keys: readonly Buffer[], recovery: string | null = null): Promise<DesktopKeyStore> {
    const keyring = await findKeyring();
    return this.#saveWith('sealer' in keyring ? keyring.sealer : await this.#chooseNewPassphrase(keyring.obstacle), keys, recovery);
  }

  async #saveWith(sealer: KeySealer, keys: readonly Buffer[], recovery: string | null): Promise<DesktopKeyStore> {
    const store = new DesktopKeyStore(this.#dataDir, sealer, keys, recovery);
    await store.save();
    return store;
  }

  async #chooseNewPassphrase(obstacle: string): Promise<KeySealer> {
    let problem: string | undefined;
    for (;;) {
      const { passphrase, repeatedPassphrase } = await this.#window.ask({ page: 'choose', obstacle, problem });
      try {
        checkPassphrase(passphrase);
        if (passphrase === repeatedPassphrase) return createPassphraseSealer(await PassphraseKey.derive(passphrase));
        problem = t('The passphrases do not match.');
      } catch (error) {
        problem = problemOf(error);
      }
    }
  }

  /** Encrypts keys that a server or a command stored in plaintext. Their files are overwritten and removed after the result was read back. */
  async #migratePlaintextKeys(): Promise<DesktopKeyStore | null> {
    const file = join(this.#dataDir, PLAINTEXT_KEY_FILE);
    const keys = await new KeyFile(file).keys();
    if (keys.length === 0) return null;
    const store = await this.#storeKeys(keys);
    for (const name of [file, `${file}.next`]) await overwriteAndRemove(name);
    return store;
  }

  /**
   * Returns a store of the opened keys and of keys in a plaintext file. Such a file exists if a command wrote it, or if a power failure
   * prevented its removal. An unknown plaintext key is encrypted as a further key, the file is removed, and the start of the server finds out
   * which key the database belongs to.
   */
  async #mergePlaintextKeys(sealer: KeySealer, keys: readonly Buffer[], recovery: string | null): Promise<DesktopKeyStore> {
    const file = join(this.#dataDir, PLAINTEXT_KEY_FILE);
    const plaintextKeys = await new KeyFile(file).keys().catch((error: unknown) => {
      console.warn('The plaintext key file cannot be read and was not removed.', messageOf(error));
      return null;
    });
    const others = (plaintextKeys ?? []).filter((key) => !keys.some((known) => known.equals(key)));
    const store = new DesktopKeyStore(this.#dataDir, sealer, [...keys, ...others], recovery);
    // The key file has room for two keys. With more, a rotation is completed first, and a later start takes the plaintext keys.
    if (plaintextKeys === null || keys.length + others.length > 2) return new DesktopKeyStore(this.#dataDir, sealer, keys, recovery);
    if (others.length > 0) await store.save();
    for (const name of [file, `${file}.next`]) await overwriteAndRemove(name);
    return store;
  }

  async #recoverAndStore(stored: StoredKey | null, reason: 'damaged' | 'missing'): Promise<KeyStore> {
    for (;;) {
      const key = await this.#askForRecoveryFile(stored, reason);
      if (key !== 'retry') return this.#storeKeys([key]);
    }
  }

  async #askForRecoveryFile(
    stored: StoredKey | null,
    page: 'locked' | 'changed' | 'damaged' | 'missing',
    detail?: string,
  ): Promise<Buffer | 'retry'> {
    let problem: string | undefined;
    for (;;) {
      const answer = await this.#window.ask({ page, problem, detail, hasRecovery: stored?.recovery != null });
      if (answer.do === 'retry') return 'retry';
      const key = await this.#openRecoveryFile(answer, stored).catch(problemOf);
      if (typeof key !== 'string') return key;
      problem = key;
    }
  }

  /** Opens the chosen recovery file, or the stored one if none was chosen. @throws with a message for the user. */
  async #openRecoveryFile({ file, code }: UnlockInput, stored: StoredKey | null): Promise<Buffer> {
    const text = file || (stored?.recovery ?? '');
    if (text === '') throw new Error(t('Choose the recovery file.'));
    const key = await openRecoveryFile(Buffer.from(text), code);
    if (stored && ![stored.current.keyId, stored.next?.keyId].includes(keyIdOf(key)))
      throw new Error(t('This recovery file contains another key: of another installation, or from before the key was rotated.'));
    const lock = existsSync(join(this.#dataDir, CONFIG_FILE)) ? null : await lockOf({ file: join(this.#dataDir, DATABASE_FILE) });
    if (lock && !lock.opensWith(key)) throw new Error(t('The key in this recovery file does not open the data on this computer.'));
    return key;
  }
}

/** Key store for one run: the key came from the recovery file, because the keyring cannot be reached. Nothing is stored. */
class TemporaryKeyStore implements KeyStore {
  readonly kind = 'keychain';
  readonly place = 'the keyring of this computer, which cannot be reached';
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  async keys(): Promise<readonly Buffer[]> {
    return [this.#key];
  }

  async createFirst(): Promise<Buffer> {
    throw new Error('The keyring of this computer cannot be reached.');
  }

  async storeNext(): Promise<void> {
    throw new Error('The keyring of this computer cannot be reached.');
  }

  /** Does nothing: the next start that reaches the keyring completes the rotation. */
  async keepOnly(): Promise<void> {}

  async keepRecoveryFile(): Promise<void> {}

  async installation(): Promise<KeyMark | null> {
    return null;
  }

  async bind(): Promise<void> {}
}

/** Finds the system's keyring. `basic_text` is refused, because it stores text without real encryption. */
async function findKeyring(): Promise<KeyringAccess> {
  const isAvailable = await safeStorage.isAsyncEncryptionAvailable().catch(() => false);
  const backend = backendName();
  if (backend === 'basic_text' || backend === 'unknown')
    return { obstacle: t('This computer has no keyring (the system offers only “basic_text”).') };
  if (!isAvailable)
    return { obstacle: t('The keyring of this computer ({{keyring}}) does not answer or is locked.', { keyring: backend }) };
  let isStale = false;
  return {
    sealer: {
      protection: { holder: 'keychain', backend },
      get isStale() {
        return isStale;
      },
      seal: async (key) => (await safeStorage.encryptStringAsync(key.toString('hex'))).toString('base64'),
      async open({ keyId, sealed }) {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'));
        isStale ||= shouldReEncrypt;
        const key = Buffer.from(result, 'hex');
        // Some keyrings do not notice damaged data.
        if (keyIdOf(key) !== keyId) throw new Error('The keyring returned another key.');
        return key;
      },
    },
  };
}

function backendName(): string {
  if (process.platform === 'darwin') return 'Keychain';
  return process.platform === 'win32' ? 'DPAPI' : safeStorage.getSelectedStorageBackend();
}

/** Decrypts the keys of a key file; null if the sealer cannot decrypt them. */
async function openStoredKeys({ current, next }: StoredKey, sealer: KeySealer): Promise<Buffer[] | null> {
  try {
    return await Promise.all([current, next].filter((key) => key !== null).map((key) => sealer.open(key)));
  } catch (error) {
    console.warn('The key could not be decrypted.', error instanceof Error ? error.message : error);
    return null;
  }
}

/** Overwrites a file and removes it. */
async function overwriteAndRemove(file: string): Promise<void> {
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

/** Returns the reason of an error as a text for the user. */
const problemOf = (error: unknown) => serviceText(messageOf(error));

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
