import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BACKED_UP } from '#core';
import {
  carryOut,
  type Findings,
  filesIn,
  finishRestore,
  type Made,
  makeFolder,
  newName,
  type RunTask,
  type Schemas,
  type Task,
} from '#core/backup';
import { SANDBOX_MIGRATIONS } from '#core/gateways';
import { MIGRATIONS } from '#migrations';
import { databaseUrlOf, keyStoreOf, openDataDirectory, type ServerOptions, writeConfig } from './compose.ts';
import { givenKey } from './given-key.ts';
import { fillFrom } from './restore.ts';
import { VERSION } from './version.ts';

const SCHEMAS: Schemas = { service: MIGRATIONS, sandbox: SANDBOX_MIGRATIONS };
const run = ((task: Task) => carryOut(task, SCHEMAS)) as RunTask;

type Station = Pick<ServerOptions, 'dataDir' | 'databaseUrl'>;

/** Where a key is: a key file, or a recovery file and what opens it. */
export interface KeyPlace {
  readonly file?: string;
  readonly passphrase?: string;
}

async function keysAt(dataDir: string, { file, passphrase }: KeyPlace): Promise<readonly Buffer[]> {
  if (file !== undefined) return [await givenKey(await readFile(file, 'utf8'), passphrase)];
  const keys = await keyStoreOf({ dataDir }).keys();
  if (keys.length === 0)
    throw new Error('There is no key file in the data directory: name the key file or the recovery file with --master-key.');
  return keys;
}

/** Backs an installation up into a folder, also while its server runs; answers the file. Throws BackupRefused. */
export async function backUp(station: Station, folder: string, key: KeyPlace): Promise<Made & { readonly file: string }> {
  const { dataDir } = station;
  const url = await databaseUrlOf(station);
  const from = url === undefined ? { files: filesIn(dataDir) } : { url };
  makeFolder(resolve(folder));
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

/** Restores a backup into an empty data directory, or an empty PostgreSQL database that it then uses. Throws BackupRefused, DirectoryInUse. */
export async function restoreBackup(station: Station, file: string, key: KeyPlace): Promise<Findings> {
  const { dataDir } = station;
  const { keyStore, release } = await openDataDirectory({ dataDir });
  try {
    const [masterKey] = await keysAt(dataDir, key);
    if (masterKey === undefined) throw new Error('the place of a key holds one');
    const databaseUrl = await databaseUrlOf(station);
    const findings = await fillFrom({ file, masterKey, databaseUrl }, { dataDir, keyStore, run });
    finishRestore(dataDir);
    await keyStore.settle(masterKey);
    if (station.databaseUrl !== undefined) await writeConfig(dataDir, { databaseUrl });
    return findings;
  } finally {
    release();
  }
}
