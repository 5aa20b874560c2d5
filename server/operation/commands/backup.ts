import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BACKED_UP } from '#core';
import { Integrity } from '#core/database/integrity';
import { SANDBOX_MIGRATIONS } from '#core/processing/gateways';
import {
  BackupRefused,
  type BackupResult,
  checkFolder,
  type Findings,
  filesIn,
  newName,
  type RunTask,
  runTask,
  type Schemas,
  type Task,
} from '#core/records/backup';
import { DESKTOP_KEY_FILE, KeyFile } from '#core/records/vault';
import { MIGRATIONS } from '#migrations';
import { VERSION } from '#server/http';
import { databaseUrlOf, writeConfig } from '#server/operation/config';
import { givenKey, restoreInto } from '#server/operation/setup';
import { inDataDirectory, keyStoreOf, type ServerOptions } from '../compose.ts';
import { checkExists, checkNotLost } from '../installation-parts.ts';

const SCHEMAS: Schemas = { service: MIGRATIONS, sandbox: SANDBOX_MIGRATIONS };
const run = ((task: Task) => runTask(task, SCHEMAS)) as RunTask;

type Workstation = Pick<ServerOptions, 'dataDir' | 'databaseUrl'>;

/** Source of a key: a key file, or a recovery file with its passphrase. */
interface KeySource {
  readonly file?: string;
  readonly passphrase?: string;
}

/** Reads the file of --master-key: a key file, which also becomes the location of the key, or a recovery file. */
async function readKeySource(file: string, passphrase: string | undefined): Promise<{ masterKey: Buffer; keyFile: KeyFile | null }> {
  if (!existsSync(file)) throw new Error(`There is no key file ${file}. Pass the key file or the recovery file with --master-key.`);
  const text = await readFile(file, 'utf8');
  const isRecoveryFile = text.trimStart().startsWith('{');
  return { masterKey: await givenKey(text, passphrase), keyFile: isRecoveryFile ? null : new KeyFile(resolve(file)) };
}

async function readKeys(dataDir: string, { file, passphrase }: KeySource): Promise<readonly Buffer[]> {
  if (file !== undefined) {
    const { masterKey, keyFile } = await readKeySource(file, passphrase);
    return keyFile?.keys() ?? [masterKey];
  }
  const keys = await keyStoreOf({ dataDir }).keys();
  if (keys.length === 0)
    throw new Error('There is no key file in the data directory. Pass the key file or the recovery file with --master-key.');
  return keys;
}

/**
 * Backs up an installation into a folder, also while its server is running. `dataDir` may be absent if the address of a database and a key are
 * given. Returns the path of the backup. @throws BackupRefused.
 */
export async function backUp(
  workstation: Partial<Workstation>,
  folder: string,
  key: KeySource,
): Promise<BackupResult & { readonly file: string }> {
  const { dataDir = '', databaseUrl } = workstation;
  const url = await databaseUrlOf({ dataDir, databaseUrl });
  if (url === undefined) {
    await checkNotLost({ dataDir, url, integrity: new Integrity() }, keyStoreOf({ dataDir }));
    checkExists(dataDir);
  }
  const from = url === undefined ? { files: filesIn(dataDir) } : { url };
  const masterKeys = await readKeys(dataDir, key);
  const removeFolder = checkFolder(resolve(folder), 0);
  let refusal: unknown;
  // During an exchange of the master key there are two keys, and one of them is right.
  for (const masterKey of masterKeys) {
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
  removeFolder();
  throw refusal;
}

/** Restored installation, and the location of its key. */
interface Restored extends Findings {
  readonly keyLocation: string;
}

/**
 * Restores a backup into an empty data directory, or into an empty PostgreSQL database that the directory then uses. The key stays in its key
 * file. A key from a recovery file, or a key that the desktop will adopt, is stored in the data directory.
 * @throws BackupRefused, DirectoryInUse.
 */
export async function restoreBackup(workstation: Workstation, file: string, key: KeySource): Promise<Restored> {
  const { dataDir } = workstation;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new BackupRefused('failed', `There is no backup file ${file}.`);
  const [masterKey] = await readKeys(dataDir, key);
  if (masterKey === undefined) throw new Error('a key source contains at least one key');
  const belongsToDesktop = existsSync(join(dataDir, DESKTOP_KEY_FILE));
  const keyFile = key.file === undefined || belongsToDesktop ? null : (await readKeySource(key.file, key.passphrase)).keyFile;
  return inDataDirectory({ dataDir, masterKey: keyFile?.place }, async (keyStore) => {
    const databaseUrl = await databaseUrlOf(workstation);
    const findings = await restoreInto({ file, masterKey, databaseUrl }, { dataDir, keyStore, run });
    if (workstation.databaseUrl !== undefined) await writeConfig(dataDir, { databaseUrl });
    return { ...findings, keyLocation: keyStore.place };
  });
}
