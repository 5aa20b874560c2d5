import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspectPostgres, inspectSqlite } from '#core/database';
import { DamagedDatabase, type Integrity, installationOfMark, LostInstallation, MixedInstallation } from '#core/database/integrity';
import { filesIn } from '#core/records/backup';
import { DESKTOP_KEY_FILE, type KeyMark, type KeyStore, keyIdOf, lockOf, MissingKey, WrongKey } from '#core/records/vault';

const KEY_FILE = 'master.key';
/** A file that exists while `--demo` fills an empty database. If it exists at a start, the sample data are incomplete. */
const UNFINISHED_DEMO = 'demo-begun';
const BACKUP_FOLDER = 'backups';
const BACKUP_ENDING = '.paydesk-backup';

/** Location of a workstation's data: files in the data directory, or a PostgreSQL database. */
interface DataLocation {
  readonly dataDir: string;
  readonly url: string | undefined;
  readonly integrity: Integrity;
}

/**
 * Checks that the parts of an installation are complete and belong together, before anything is written. An empty or missing database beside
 * another part of an installation has lost its data and is never a new installation. @throws DamagedDatabase, LostInstallation,
 * MixedInstallation, MissingKey, WrongKey.
 */
export async function checkParts(location: DataLocation, keyStore: KeyStore): Promise<void> {
  const { dataDir, url, integrity } = location;
  await checkNotLost(location, keyStore);
  const files = filesIn(dataDir);
  const [lock, keys, mark] = [
    await lockOf(url === undefined ? { file: files.service, integrity } : { url }),
    await keyStore.keys(),
    await keyStore.installation(),
  ];
  const opening = keys.find((key) => lock?.opensWith(key));
  // During an exchange or a restore there are two keys, and the one that opens the database counts.
  const isBound = mark !== null && (opening === undefined ? keys : [opening]).some((key) => keyIdOf(key) === mark.keyId);
  const boundKey = isBound ? partOfKey(keyStore, mark) : null;
  if (lock === null) {
    if (boundKey === null) return;
    throw url === undefined ? lostFile(location, files.service, 'empty', boundKey.name) : new LostInstallation(boundKey);
  }
  const service = { name: url === undefined ? basename(files.service) : 'PostgreSQL', installationId: lock.installationId };
  if (url !== undefined && (await hasLostLedger(url))) throw new LostInstallation(null);
  const checkSame = (name: string, installationId: string | null) => {
    if (installationId && installationId !== service.installationId) throw new MixedInstallation({ name, installationId }, service);
  };
  if (boundKey) checkSame(boundKey.name, boundKey.installationId);
  if (url === undefined) {
    for (const file of Object.values(files)) checkSame(`${basename(file)}.clean-stop`, installationOfMark(file));
    checkSame(basename(files.sandbox), (await contentsOf(files.sandbox, integrity)).installationId);
  }
  if (keys.length === 0 && existsSync(join(dataDir, DESKTOP_KEY_FILE)))
    throw new Error('The desktop application keeps the key of this data directory. Open it there, or use its recovery file.');
  if (keys.length === 0) throw new MissingKey(keyStore.place);
  if (opening === undefined) throw new WrongKey(keyStore.place);
}

/** Checks that no file of a SQLite installation is missing or empty. @throws DamagedDatabase. */
export async function checkNotLost(location: DataLocation, keyStore: KeyStore): Promise<void> {
  const { dataDir, url, integrity } = location;
  if (url !== undefined || existsSync(unfinishedDemoIn(dataDir))) return;
  const { service, sandbox } = filesIn(dataDir);
  const { state, hasAccount } = await contentsOf(service, integrity);
  if (state !== 'filled') {
    const evidence = evidenceIn(dataDir) ?? ((await keyStore.installation()) === null ? null : keyFileOf(keyStore));
    if (evidence !== null) throw lostFile(location, service, state, evidence);
    return;
  }
  // Without an account, the first start may have ended before the file was created.
  if (!hasAccount) return;
  const books = await contentsOf(sandbox, integrity);
  if (books.state !== 'filled') throw lostFile(location, sandbox, books.state, basename(service));
}

/** @throws Error if a data directory without another database contains no installation. */
export function checkExists(dataDir: string): void {
  const { service } = filesIn(dataDir);
  if (!existsSync(service)) throw new Error(`There is no ${basename(service)} in ${dataDir}.`);
}

/** Path of the file that marks incomplete sample data. */
export const unfinishedDemoIn = (dataDir: string): string => join(dataDir, UNFINISHED_DEMO);

const partOfKey = (keyStore: KeyStore, { installationId }: KeyMark) => ({ name: keyFileOf(keyStore), installationId });

/** Returns the name of the file that contains a key. */
export const keyFileOf = ({ kind, place }: KeyStore): string => (kind === 'file' ? basename(place) : DESKTOP_KEY_FILE);

function lostFile({ dataDir, integrity }: DataLocation, file: string, state: 'missing' | 'empty', evidence: string): DamagedDatabase {
  return new DamagedDatabase(file, integrity.lastBackup() ?? newestBackupIn(dataDir), { lost: { state, evidence } });
}

interface FileContents {
  readonly state: 'missing' | 'empty' | 'filled';
  /** True if the file of the service contains an account. */
  readonly hasAccount: boolean;
  /** Installation that the file of the sandbox processor belongs to; null if it names none. */
  readonly installationId: string | null;
}

/** Reads a database file without changing it. A database without tables is empty. @throws DamagedDatabase. */
async function contentsOf(file: string, integrity: Integrity): Promise<FileContents> {
  const nothing = { hasAccount: false, installationId: null };
  const contents = await inspectSqlite(
    file,
    async (query): Promise<FileContents> => {
      const tables = new Set(
        (await query<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")).map(({ name }) => name),
      );
      if (tables.size === 0) return { state: 'empty', ...nothing };
      const hasAccount = tables.has('tenants') && (await query('SELECT 1 FROM tenants LIMIT 1')).length > 0;
      const [row] = tables.has('sandbox_installation')
        ? await query<{ installation_id: string }>('SELECT installation_id FROM sandbox_installation')
        : [];
      return { state: 'filled', hasAccount, installationId: row?.installation_id ?? null };
    },
    integrity,
  );
  return contents ?? { state: 'missing', ...nothing };
}

/** Returns true if a PostgreSQL database has an account, but no table of the sandbox processor. */
async function hasLostLedger(url: string): Promise<boolean> {
  return inspectPostgres({ url, migrations: [] }, async (_, query) => {
    const [found] = await query<{ lacks: boolean }>("SELECT to_regclass('sandbox_gateway.sandbox_ledger') IS NULL AS lacks");
    return found?.lacks === true && (await query('SELECT 1 FROM tenants LIMIT 1')).length > 0;
  });
}

/**
 * Returns the name of a file that an installation has left in a data directory; null if there is none. A first start creates the database
 * before the key and all other files, so one that was interrupted leaves none of them without the database.
 */
function evidenceIn(dataDir: string): string | null {
  const { service, sandbox } = filesIn(dataDir);
  const parts = [`${service}.clean-stop`, `${sandbox}.clean-stop`, join(dataDir, KEY_FILE), join(dataDir, DESKTOP_KEY_FILE)];
  const databases = [sandbox, `${service}-wal`];
  const found = parts.find(existsSync) ?? databases.find((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
  return found === undefined ? newestBackupIn(dataDir) : basename(found);
}

function newestBackupIn(dataDir: string): string | null {
  const folder = join(dataDir, BACKUP_FOLDER);
  if (!existsSync(folder)) return null;
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith(BACKUP_ENDING))
    .toSorted()
    .at(-1);
  return newest === undefined ? null : join(folder, newest);
}
