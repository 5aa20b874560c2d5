import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BACKED_UP } from '#core';
import { carryOut, checkFolder, type Findings, filesIn, type Made, newName, type RunTask, type Schemas, type Task } from '#core/backup';
import { SANDBOX_MIGRATIONS } from '#core/gateways';
import { DESKTOP_KEY_FILE, KeyFile } from '#core/vault';
import { MIGRATIONS } from '#migrations';
import { VERSION } from '#server/http';
import { givenKey, restoreInto } from '#server/setup';
import { databaseUrlOf, keyStoreOf, openDataDirectory, type ServerOptions, writeConfig } from '../compose.ts';

const SCHEMAS: Schemas = { service: MIGRATIONS, sandbox: SANDBOX_MIGRATIONS };
const run = ((task: Task) => carryOut(task, SCHEMAS)) as RunTask;

type Station = Pick<ServerOptions, 'dataDir' | 'databaseUrl'>;

/** Source of a key: a key file, or a recovery file with its passphrase. */
interface KeyPlace {
  readonly file?: string;
  readonly passphrase?: string;
}

/** Reads the file given by --master-key: a key file, which also becomes the location of the key, or a recovery file. */
async function named(file: string, passphrase: string | undefined): Promise<{ masterKey: Buffer; keyFile: KeyFile | null }> {
  const text = await readFile(file, 'utf8');
  const isRecoveryFile = text.trimStart().startsWith('{');
  return { masterKey: await givenKey(text, passphrase), keyFile: isRecoveryFile ? null : new KeyFile(resolve(file)) };
}

async function keysAt(dataDir: string, { file, passphrase }: KeyPlace): Promise<readonly Buffer[]> {
  if (file !== undefined) {
    const { masterKey, keyFile } = await named(file, passphrase);
    return keyFile?.keys() ?? [masterKey];
  }
  const keys = await keyStoreOf({ dataDir }).keys();
  if (keys.length === 0)
    throw new Error('There is no key file in the data directory. Name the key file or the recovery file with --master-key.');
  return keys;
}

/** Backs up an installation into a folder, also while its server runs. Returns the file. @throws BackupRefused. */
export async function backUp(station: Station, folder: string, key: KeyPlace): Promise<Made & { readonly file: string }> {
  const { dataDir } = station;
  const url = await databaseUrlOf(station);
  const from = url === undefined ? { files: filesIn(dataDir) } : { url };
  checkFolder(resolve(folder), 0);
  let refusal: unknown;
  // While a master key is exchanged there are two, and one of them is right.
  for (const masterKey of await keysAt(dataDir, key)) {
    const createdAt = new Date();
    const file = resolve(join(folder, newName(folder, createdAt)));
    try {
      const task = {
        kind: 'make',
        from,
        tables: BACKED_UP,
        masterKey,
        to: file,
        createdAt: createdAt.toISOString(),
        version: VERSION,
      } as const;
      return { ...(await run<'make'>(task)), file };
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}

/** Restored installation, and the location of its key. */
interface Restored extends Findings {
  readonly keyPlace: string;
}

/**
 * Restores a backup into an empty data directory, or an empty PostgreSQL database that it then uses. The key stays in the key file that was named; that
 * of a recovery file goes into the data directory, and so does one that the desktop is to take over. Throws BackupRefused, DirectoryInUse.
 */
export async function restoreBackup(station: Station, file: string, key: KeyPlace): Promise<Restored> {
  const { dataDir } = station;
  const [masterKey] = await keysAt(dataDir, key);
  if (masterKey === undefined) throw new Error('the place of a key holds one');
  const isDesktops = existsSync(join(dataDir, DESKTOP_KEY_FILE));
  const keyFile = key.file === undefined || isDesktops ? null : (await named(key.file, key.passphrase)).keyFile;
  const { keyStore, release } = await openDataDirectory({ dataDir, masterKey: keyFile?.place });
  try {
    const databaseUrl = await databaseUrlOf(station);
    const findings = await restoreInto({ file, masterKey, databaseUrl }, { dataDir, keyStore, run });
    if (station.databaseUrl !== undefined) await writeConfig(dataDir, { databaseUrl });
    return { ...findings, keyPlace: keyStore.place };
  } finally {
    release();
  }
}
