import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KEY_BYTES } from './sealing.ts';

/** Storage of a workstation's master key. During an exchange it holds two keys, so that one of them works after a crash at any time. */
export interface KeyStore {
  /** `file`: a key file. `keychain`: the keychain of the desktop. `passphrase`: entered at each start. `memory`: given by the program that starts Paydesk. */
  readonly kind: 'file' | 'keychain' | 'passphrase' | 'memory';
  /** Describes the location for a person. */
  readonly place: string;
  /** Returns the keys that may be the current one: none at first, two if a replacement was interrupted. */
  keys(): Promise<readonly Buffer[]>;
  /** Creates the first key, or returns the one that another process has just created. */
  createFirst(): Promise<Buffer>;
  /** Stores the next key in addition to the current one. It is on disk when the promise resolves. */
  storeNext(next: Buffer): Promise<void>;
  /** Keeps this key and removes any other. */
  keepOnly(key: Buffer): Promise<void>;
  /** Removes a key that did not come into use, if none was stored before. Absent for a store that always has a key. */
  discardNext?(): Promise<void>;
  /** Receives each new recovery file, for stores that may lose access to the key. */
  keepRecoveryFile(file: string): Promise<void>;
  /** Returns the installation that a key was used for last; null if it was never used for one, or is not stored. */
  installation(): Promise<KeyMark | null>;
  /** Stores the installation that a key is used for. */
  bind(mark: KeyMark): Promise<void>;
}

/** Installation of a key. It is stored after the installation exists, so an empty database beside it has lost its data. */
export interface KeyMark {
  readonly keyId: string;
  readonly installationId: string;
}

/** File in the data directory in which the desktop application stores its wrapped key. */
export const DESKTOP_KEY_FILE = 'master-key.json';

export function newMasterKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Store of a key that is kept elsewhere, or not at all. */
export class GivenKey implements KeyStore {
  readonly kind = 'memory';
  readonly place = 'memory';
  #keys: readonly Buffer[];

  constructor(...keys: Buffer[]) {
    this.#keys = keys;
  }

  async keys(): Promise<readonly Buffer[]> {
    return this.#keys;
  }

  async createFirst(): Promise<Buffer> {
    this.#keys = [newMasterKey()];
    return this.#keys[0] as Buffer;
  }

  async storeNext(next: Buffer): Promise<void> {
    this.#keys = [...this.#keys, next];
  }

  async keepOnly(key: Buffer): Promise<void> {
    this.#keys = [key];
  }

  async keepRecoveryFile(): Promise<void> {}

  async installation(): Promise<KeyMark | null> {
    return null;
  }

  async bind(): Promise<void> {}
}

/**
 * Key file of a headless server: 64 hexadecimal digits in a file that only its owner may read. The next key is stored next to it as FILE.next until it
 * replaces the current one, and its installation as FILE.installation.
 */
export class KeyFile implements KeyStore {
  readonly kind = 'file';
  readonly place: string;

  constructor(file: string) {
    this.place = file;
  }

  get #next(): string {
    return `${this.place}.next`;
  }

  /** @throws Error with a message for the user if a file is readable by others or contains no key. */
  async keys(): Promise<readonly Buffer[]> {
    const found = await Promise.all([readKey(this.place), readKey(this.#next).catch(nullIfIncomplete)]);
    return found.filter((key) => key !== null);
  }

  async createFirst(): Promise<Buffer> {
    const temporaryFile = `${this.place}.${randomBytes(6).toString('hex')}`;
    const key = newMasterKey();
    await writeKey(temporaryFile, key);
    try {
      // Two servers that will share a key file may start in parallel.
      await link(temporaryFile, this.place);
      return key;
    } catch (error) {
      const [existing] = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await this.keys() : [];
      if (existing === undefined) throw error;
      return existing;
    } finally {
      await rm(temporaryFile, { force: true });
      await syncFolder(dirname(this.place));
    }
  }

  async storeNext(next: Buffer): Promise<void> {
    await writeKey(this.#next, next);
  }

  async keepOnly(key: Buffer): Promise<void> {
    const [current, next] = [await readKey(this.place), await readKey(this.#next).catch(nullIfIncomplete)];
    if (current?.equals(key)) {
      if (next !== null) await rm(this.#next, { force: true });
      return;
    }
    if (!next?.equals(key)) await writeKey(this.#next, key);
    await rename(this.#next, this.place);
    await syncFolder(dirname(this.place));
  }

  async discardNext(): Promise<void> {
    await rm(this.#next, { force: true });
  }

  async keepRecoveryFile(): Promise<void> {}

  get #mark(): string {
    return `${this.place}.installation`;
  }

  async installation(): Promise<KeyMark | null> {
    const text = await readFile(this.#mark, 'utf8').catch(nullIfMissing);
    const [, keyId, installationId] = /^(\w+) (\w+)\n$/.exec(text ?? '') ?? [];
    return keyId && installationId ? { keyId, installationId } : null;
  }

  async bind({ keyId, installationId }: KeyMark): Promise<void> {
    // Several servers may share the key and write the same line. An incomplete one counts as none.
    await writeAndSync(this.#mark, 'w', `${keyId} ${installationId}\n`);
    await syncFolder(dirname(this.place));
  }
}

class InvalidKeyFile extends Error {}

/** Returns null for an incomplete next key: its writing was interrupted, so it was never used. */
function nullIfIncomplete(error: unknown): null {
  if (error instanceof InvalidKeyFile) return null;
  throw error;
}

async function readKey(file: string): Promise<Buffer | null> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Error(`Other users can read the master key file ${file}. Restrict it with: chmod 600 ${file}`);
    const text = (await readFile(file, 'utf8')).trim();
    if (!new RegExp(`^[0-9a-fA-F]{${KEY_BYTES * 2}}$`).test(text))
      throw new InvalidKeyFile(`The master key file ${file} does not contain ${KEY_BYTES * 2} hexadecimal digits.`);
    return Buffer.from(text, 'hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeKey(file: string, key: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // An earlier file may be readable by others.
  await rm(file, { force: true });
  await writeAndSync(file, 'wx', `${key.toString('hex')}\n`);
  await syncFolder(dirname(file));
}

/** Writes a file that only its owner may read. */
async function writeAndSync(file: string, flags: 'w' | 'wx', text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Flushes a folder to disk, without which a power cut may lose the name of a new file. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
