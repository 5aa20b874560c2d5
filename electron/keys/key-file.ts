import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  DESKTOP_KEY_FILE,
  type KeyMark,
  type KeyStore,
  keyIdOf,
  newMasterKey,
  type PassphraseKey,
  recoveryFileKeyId,
} from '#core/records/vault';

/** A key as stored on disk: its ID, and its bytes encrypted by the keyring or a passphrase. */
interface SealedKey {
  readonly keyId: string;
  readonly sealed: string;
}

/** Protection of the stored key. `backend` is the display name of the keyring; `salt` belongs to the passphrase. */
type KeyProtection = { readonly holder: 'keychain'; readonly backend: string } | { readonly holder: 'passphrase'; readonly salt: string };

/** Content of the desktop application's key file. */
export type StoredKey = KeyProtection & {
  readonly version: 1;
  readonly current: SealedKey;
  /** The new key while the master key is rotated; otherwise null. */
  readonly next: SealedKey | null;
  /** The latest recovery file. With this copy, its code alone recovers the key. */
  readonly recovery: string | null;
  /** The installation that a key was used for last. */
  readonly installation: KeyMark | null;
};

/** Encrypts ("seals") and decrypts ("opens") keys. `open` throws if the key was sealed by another sealer or is damaged. */
export interface KeySealer {
  readonly protection: KeyProtection;
  /** True if better encryption is available, so that the key should be stored again. */
  readonly isStale?: boolean;
  seal(key: Buffer): Promise<string>;
  open(sealedKey: SealedKey): Promise<Buffer>;
}

/** Returns a sealer that encrypts keys under a passphrase. */
export function createPassphraseSealer(key: PassphraseKey): KeySealer {
  const context = (keyId: string) => `desktop-key|${keyId}`;
  return {
    protection: { holder: 'passphrase', salt: key.salt },
    seal: async (bytes) => key.seal(context(keyIdOf(bytes)), bytes),
    open: async ({ keyId, sealed }) => key.open(context(keyId), sealed),
  };
}

/** Reads the key file of a data directory; null if there is none. @throws if the file is not a key file. */
export async function readStoredKey(dataDir: string): Promise<StoredKey | null> {
  let text: string;
  try {
    text = await readFile(join(dataDir, DESKTOP_KEY_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const stored = JSON.parse(text) as StoredKey;
  const isSealed = (key: SealedKey | null) => typeof key?.keyId === 'string' && typeof key.sealed === 'string';
  const hasProtection = stored.holder === 'keychain' || (stored.holder === 'passphrase' && typeof stored.salt === 'string');
  if (stored.version !== 1 || !hasProtection || !isSealed(stored.current)) throw new Error(`${DESKTOP_KEY_FILE} is damaged.`);
  return {
    ...stored,
    next: isSealed(stored.next) ? stored.next : null,
    recovery: typeof stored.recovery === 'string' ? stored.recovery : null,
    installation: isMark(stored.installation) ? stored.installation : null,
  };
}

const isMark = (mark: KeyMark | null | undefined): mark is KeyMark =>
  typeof mark?.keyId === 'string' && typeof mark.installationId === 'string';

/** Master key of the desktop application: in memory while it runs, on disk only encrypted. */
export class DesktopKeyStore implements KeyStore {
  readonly kind: 'keychain' | 'passphrase';
  readonly place = 'the desktop';
  readonly #dataDir: string;
  readonly #sealer: KeySealer;
  #keys: readonly Buffer[];
  #recoveryFile: string | null;
  /** The last write of the file, because parallel writes would mix their contents. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(dataDir: string, sealer: KeySealer, keys: readonly Buffer[], recovery: string | null = null) {
    this.kind = sealer.protection.holder;
    this.#dataDir = dataDir;
    this.#sealer = sealer;
    this.#keys = keys;
    this.#recoveryFile = recovery;
  }

  async keys(): Promise<readonly Buffer[]> {
    return this.#keys;
  }

  async createFirst(): Promise<Buffer> {
    const key = newMasterKey();
    await this.#change(() => [key]);
    return key;
  }

  async storeNext(next: Buffer): Promise<void> {
    await this.#change((keys) => [...keys, next]);
  }

  async keepOnly(key: Buffer): Promise<void> {
    await this.#change(() => [key]);
  }

  async keepRecoveryFile(file: string): Promise<void> {
    await this.#change((keys) => keys, { recovery: file });
  }

  async installation(): Promise<KeyMark | null> {
    return (await readStoredKey(this.#dataDir))?.installation ?? null;
  }

  async bind(mark: KeyMark): Promise<void> {
    await this.#change((keys) => keys, { mark });
  }

  /** Encrypts the keys and writes them to disk; the result is read back before this returns. */
  async save(): Promise<void> {
    await this.#change((keys) => keys);
  }

  /** Changes and stores the keys, after all earlier changes. A failed change leaves the keys and the file as they were. */
  #change(
    keysAfter: (keys: readonly Buffer[]) => readonly Buffer[],
    { recovery, mark }: { readonly recovery?: string; readonly mark?: KeyMark } = {},
  ): Promise<void> {
    const stored = this.#lastWrite.then(async () =>
      this.#write(keysAfter(this.#keys), recovery ?? this.#recoveryFile, mark ?? (await this.installation().catch(() => null))),
    );
    this.#lastWrite = stored.catch(() => undefined);
    return stored;
  }

  async #write(keys: readonly Buffer[], recoveryFile: string | null, installation: KeyMark | null): Promise<void> {
    const [current = null, next = null] = await Promise.all(
      keys.map(async (key) => ({ keyId: keyIdOf(key), sealed: await this.#sealer.seal(key) })),
    );
    if (current === null) return;
    const recovery = keys.some((key) => keyIdOf(key) === keyIdOfRecoveryFile(recoveryFile)) ? recoveryFile : null;
    const stored: StoredKey = { version: 1, ...this.#sealer.protection, current, next, recovery, installation };
    await replaceFile(join(this.#dataDir, DESKTOP_KEY_FILE), `${JSON.stringify(stored, null, 2)}\n`);
    const readBack = await readStoredKey(this.#dataDir);
    for (const [index, key] of keys.entries()) {
      const sealed = index === 0 ? readBack?.current : readBack?.next;
      if (!sealed || !(await this.#sealer.open(sealed)).equals(key)) throw new Error('The stored key could not be decrypted again.');
    }
    this.#keys = keys;
    this.#recoveryFile = recovery;
  }
}

/** Returns the ID of the key in a recovery file; null without a file or for a damaged one. */
function keyIdOfRecoveryFile(recovery: string | null): string | null {
  try {
    return recovery === null ? null : recoveryFileKeyId(Buffer.from(recovery));
  } catch {
    return null;
  }
}

/** Replaces a file atomically; its content is on disk when this resolves. */
async function replaceFile(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}
