import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DESKTOP_KEY_FILE, type KeyStore, keyIdOf, newMasterKey, type PassphraseKey, recoveryFileKeyId } from '#core/vault';

/** A key as it lies on the disk: sealed by the keyring or a passphrase, and its name. */
interface SealedKey {
  readonly keyId: string;
  readonly sealed: string;
}

/** Protection of the key. `backend` is the name of the keyring, for people; `salt` belongs to the passphrase. */
type Holder = { readonly holder: 'keychain'; readonly backend: string } | { readonly holder: 'passphrase'; readonly salt: string };

/** The key file of the desktop. */
export type KeptKey = Holder & {
  readonly version: 1;
  readonly current: SealedKey;
  /** While the key is exchanged: the one to come. */
  readonly next: SealedKey | null;
  /** The recovery file that was made last, which opens by its code alone. */
  readonly recovery: string | null;
};

/** Seals and opens keys. Opening throws when the key was sealed by something else, or is damaged. */
export interface Sealer {
  readonly by: Holder;
  /** True if a better protection is available, so that the key should be stored again. */
  readonly isStale?: boolean;
  seal(key: Buffer): Promise<string>;
  open(of: SealedKey): Promise<Buffer>;
}

export function passphraseSealer(key: PassphraseKey): Sealer {
  const context = (keyId: string) => `desktop-key|${keyId}`;
  return {
    by: { holder: 'passphrase', salt: key.salt },
    seal: async (bytes) => key.seal(context(keyIdOf(bytes)), bytes),
    open: async ({ keyId, sealed }) => key.open(context(keyId), sealed),
  };
}

/** Reads the key file of a data directory; null if there is none. @throws if the file is not a key file. */
export async function readKept(dataDir: string): Promise<KeptKey | null> {
  let text: string;
  try {
    text = await readFile(join(dataDir, DESKTOP_KEY_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const kept = JSON.parse(text) as KeptKey;
  const isSealed = (key: SealedKey | null) => typeof key?.keyId === 'string' && typeof key.sealed === 'string';
  const isHeld = kept.holder === 'keychain' || (kept.holder === 'passphrase' && typeof kept.salt === 'string');
  if (kept.version !== 1 || !isHeld || !isSealed(kept.current)) throw new Error(`${DESKTOP_KEY_FILE} is damaged.`);
  return { ...kept, next: isSealed(kept.next) ? kept.next : null, recovery: typeof kept.recovery === 'string' ? kept.recovery : null };
}

/** The master key of the desktop: in memory while it runs, on the disk only sealed. */
export class DesktopKeys implements KeyStore {
  readonly kind: 'keychain' | 'passphrase';
  readonly place = 'the desktop';
  readonly #dataDir: string;
  readonly #sealer: Sealer;
  #keys: readonly Buffer[];
  #recovery: string | null;
  /** The last write of the file, because parallel writes would mix their contents. */
  #written: Promise<void> = Promise.resolve();

  constructor(dataDir: string, sealer: Sealer, keys: readonly Buffer[], recovery: string | null = null) {
    this.kind = sealer.by.holder;
    this.#dataDir = dataDir;
    this.#sealer = sealer;
    this.#keys = keys;
    this.#recovery = recovery;
  }

  async keys(): Promise<readonly Buffer[]> {
    return this.#keys;
  }

  async begin(): Promise<Buffer> {
    const key = newMasterKey();
    await this.#change(() => [key]);
    return key;
  }

  async prepare(next: Buffer): Promise<void> {
    await this.#change((keys) => [...keys, next]);
  }

  async settle(key: Buffer): Promise<void> {
    await this.#change(() => [key]);
  }

  async keepRecoveryFile(file: string): Promise<void> {
    await this.#change((keys) => keys, file);
  }

  /** Encrypts the keys and writes them to disk; the result is read back before this returns. */
  async save(): Promise<void> {
    await this.#change((keys) => keys);
  }

  /** Keeps what becomes of the keys of that moment, after every change before it; one that failed has changed nothing. */
  #change(keysAfter: (keys: readonly Buffer[]) => readonly Buffer[], recovery?: string): Promise<void> {
    const kept = this.#written.then(() => this.#keep(keysAfter(this.#keys), recovery ?? this.#recovery));
    this.#written = kept.catch(() => undefined);
    return kept;
  }

  async #keep(keys: readonly Buffer[], recoveryFile: string | null): Promise<void> {
    const [current = null, next = null] = await Promise.all(
      keys.map(async (key) => ({ keyId: keyIdOf(key), sealed: await this.#sealer.seal(key) })),
    );
    if (current === null) return;
    const recovery = keys.some((key) => keyIdOf(key) === keyIdIn(recoveryFile)) ? recoveryFile : null;
    const kept: KeptKey = { version: 1, ...this.#sealer.by, current, next, recovery };
    await writeWhole(join(this.#dataDir, DESKTOP_KEY_FILE), `${JSON.stringify(kept, null, 2)}\n`);
    const back = await readKept(this.#dataDir);
    for (const [index, key] of keys.entries()) {
      const sealed = index === 0 ? back?.current : back?.next;
      if (!sealed || !(await this.#sealer.open(sealed)).equals(key)) throw new Error('The key that was written does not open again.');
    }
    this.#keys = keys;
    this.#recovery = recovery;
  }
}

/** Which key a recovery file holds; null for none, and for one that is damaged. */
function keyIdIn(recovery: string | null): string | null {
  try {
    return recovery === null ? null : recoveryFileKeyId(Buffer.from(recovery));
  } catch {
    return null;
  }
}

/** Replaces a file as a whole, on disk before this returns. */
async function writeWhole(file: string, text: string): Promise<void> {
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
