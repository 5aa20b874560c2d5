import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KEY_BYTES } from './sealing.ts';

/** Storage of a workstation's master key. During an exchange it holds two keys, so that one of them works after a crash at any time. */
export interface KeyStore {
  /** `file`: a key file; `keychain`: the desktop's; `passphrase`: asked for at each start; `memory`: given by the program that starts us. */
  readonly kind: 'file' | 'keychain' | 'passphrase' | 'memory';
  /** Describes the location for a person. */
  readonly place: string;
  /** The keys that may be the right one: none at first, two where an exchange was cut short. */
  keys(): Promise<readonly Buffer[]>;
  /** Creates the first key, or returns the one that another process has just created. */
  begin(): Promise<Buffer>;
  /** Keeps the key that is about to come into use beside the present one, and has it on disk before it returns. */
  prepare(next: Buffer): Promise<void>;
  /** Keeps this key and no other. */
  settle(key: Buffer): Promise<void>;
  /** Removes a key that did not come into use, if none was stored before. Absent for a store that always has a key. */
  withdraw?(): Promise<void>;
  /** Receives each new recovery file, for stores that may lose access to the key. */
  keepRecoveryFile(file: string): Promise<void>;
}

/** File in the data directory in which the desktop application stores its wrapped key. */
export const DESKTOP_KEY_FILE = 'master-key.json';

export function newMasterKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** A key that is kept elsewhere, or nowhere. */
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

  async begin(): Promise<Buffer> {
    this.#keys = [newMasterKey()];
    return this.#keys[0] as Buffer;
  }

  async prepare(next: Buffer): Promise<void> {
    this.#keys = [...this.#keys, next];
  }

  async settle(key: Buffer): Promise<void> {
    this.#keys = [key];
  }

  async keepRecoveryFile(): Promise<void> {}
}

/**
 * The master key of a headless server: 64 hexadecimal digits in a file that only its owner may read. A key to come lies beside it as FILE.next
 * until it has taken its place.
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

  /** Throws with the reason in words when a file is readable by others or holds no key. */
  async keys(): Promise<readonly Buffer[]> {
    const found = await Promise.all([readKey(this.place), readKey(this.#next).catch(absentWhenCut)]);
    return found.filter((key) => key !== null);
  }

  async begin(): Promise<Buffer> {
    const own = `${this.place}.${randomBytes(6).toString('hex')}`;
    const key = newMasterKey();
    await writeKey(own, key);
    try {
      // Two servers that will share a key file may start in parallel.
      await link(own, this.place);
      return key;
    } catch (error) {
      const [made] = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await this.keys() : [];
      if (made === undefined) throw error;
      return made;
    } finally {
      await rm(own, { force: true });
      await syncFolder(dirname(this.place));
    }
  }

  async prepare(next: Buffer): Promise<void> {
    await writeKey(this.#next, next);
  }

  async settle(key: Buffer): Promise<void> {
    const [present, next] = [await readKey(this.place), await readKey(this.#next).catch(absentWhenCut)];
    if (present?.equals(key)) {
      if (next !== null) await rm(this.#next, { force: true });
      return;
    }
    if (!next?.equals(key)) await writeKey(this.#next, key);
    await rename(this.#next, this.place);
    await syncFolder(dirname(this.place));
  }

  async withdraw(): Promise<void> {
    await rm(this.#next, { force: true });
  }

  async keepRecoveryFile(): Promise<void> {}
}

class NoKey extends Error {}

/** A key to come whose writing was cut short was never used. */
function absentWhenCut(error: unknown): null {
  if (error instanceof NoKey) return null;
  throw error;
}

async function readKey(file: string): Promise<Buffer | null> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Error(`The master key file ${file} can be read by others; restrict it with: chmod 600 ${file}`);
    const text = (await readFile(file, 'utf8')).trim();
    if (!new RegExp(`^[0-9a-fA-F]{${KEY_BYTES * 2}}$`).test(text))
      throw new NoKey(`The master key file ${file} does not hold ${KEY_BYTES * 2} hexadecimal digits.`);
    return Buffer.from(text, 'hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeKey(file: string, key: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // An earlier file may be open to others.
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${key.toString('hex')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(file));
}

/** The name of a file is in its folder, and lost with a power cut unless that is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
