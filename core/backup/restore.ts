import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isoTime, newId } from '#core/kernel';
import { examine, type Findings } from './examine.ts';
import { syncFolder } from './folder.ts';
import { openBackup } from './lines.ts';
import { fillDatabase } from './postgres-target.ts';
import { BackupRefused, inWords } from './refused.ts';
import type { Part } from './rows.ts';
import type { Schemas } from './schemas.ts';
import { type Files, fillFiles, flush } from './sqlite-target.ts';

/** The files of an installation in its data directory. */
export const FILE_NAMES: Readonly<Record<Part, string>> = { service: 'paydesk.sqlite', sandbox: 'sandbox-gateway.sqlite' };

/** What is being filled, and what is whole and only has to be put in its place. Both lie in the data directory. */
const FILLING = 'restore-begun';
const FILLED = 'restore-filled';
/** A backup grows about eightfold when it is filled into files. */
const GROWTH = 12;
/** What SQLite keeps beside a file; empty once the file was closed. */
const LOGS = ['-wal', '-shm'];
const REHEARSAL = 'rehearsal-';
/** A backup that is being taken in over HTTP. */
export const RECEIVED = 'restore-received-';

export const filesIn = (folder: string): Files => ({
  service: join(folder, FILE_NAMES.service),
  sandbox: join(folder, FILE_NAMES.sandbox),
});

interface Opening {
  readonly file: string;
  readonly masterKey: Uint8Array;
}

export interface CheckTask extends Opening {
  readonly kind: 'check';
  /** Where the rehearsal's files lie while it lasts. */
  readonly folder: string;
}

export interface RestoreTask extends Opening {
  readonly kind: 'restore';
  readonly dataDir: string;
  /** Restores into this database instead of files in the data directory. */
  readonly databaseUrl?: string;
  /** Tables that the program knows. */
  readonly tables: readonly string[];
}

/** Opens a backup, fills it into files that are thrown away, and reads them: what a restore would bring. Throws BackupRefused. */
export async function check({ file, masterKey, folder }: CheckTask, schemas: Schemas): Promise<Findings> {
  let place: string | undefined;
  try {
    checkRoom(file, folder);
    place = await mkdtemp(join(folder, REHEARSAL));
    return await fill(filesIn(place), file, Buffer.from(masterKey), schemas);
  } catch (error) {
    throw inWords(error, 'The restore check');
  } finally {
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  }
}

/** The live service needs the same disk: a rehearsal must not fill it. */
function checkRoom(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= statSync(file).size * GROWTH) return;
  throw new BackupRefused('disk-full', 'The disk has not room enough to open the backup beside the live database.');
}

async function fill(files: Files, file: string, masterKey: Buffer, schemas: Schemas): Promise<Findings> {
  const opened = openBackup(file, masterKey);
  const rows = await fillFiles(files, opened, schemas);
  return examine(files, { manifest: opened.manifest, rows, masterKey, schemas });
}

/** Refuses a data directory that holds an installation. */
export function refuseFull(dataDir: string): void {
  const file = join(dataDir, FILE_NAMES.service);
  if (!existsSync(file)) return;
  const handle = new BetterSqlite3(file, { readonly: true });
  try {
    const isMade = handle.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tenants'").get() !== undefined;
    if (!isMade || handle.prepare('SELECT 1 FROM tenants LIMIT 1').get() === undefined) return;
  } finally {
    handle.close();
  }
  const words = 'There is an installation in this data directory already. Choose an empty one: nothing was overwritten.';
  throw new BackupRefused('not-empty', words);
}

/**
 * Brings a backup back into an empty data directory or an empty PostgreSQL database. All of it or nothing: files are filled aside, for finishRestore() to
 * put in place once they are whole, and a database is filled in one transaction. Automatic charges wait until a person lets them go on. The caller keeps
 * the key before. Throws BackupRefused.
 */
export async function restore(task: RestoreTask, schemas: Schemas): Promise<Findings> {
  const { dataDir, file } = task;
  const masterKey = Buffer.from(task.masterKey);
  const filling = join(dataDir, FILLING);
  try {
    refuseFull(dataDir);
    rmSync(filling, { recursive: true, force: true });
    mkdirSync(filling, { recursive: true, mode: 0o700 });
    const files = filesIn(filling);
    // Also where a database is filled: it is examined before anything of it is there.
    const findings = await fill(files, file, masterKey, schemas);
    if (task.databaseUrl === undefined) {
      hold(files.service, findings.createdAt);
      for (const each of Object.values(files)) {
        for (const log of LOGS) rmSync(each + log, { force: true });
        flush(each);
      }
      renameSync(filling, join(dataDir, FILLED));
      syncFolder(join(dataDir, FILLED));
    } else {
      const opened = openBackup(file, masterKey);
      await fillDatabase(task.databaseUrl, opened, schemas, new Set(task.tables), async (run) => {
        for (const sql of holdSql(findings.createdAt)) await run(sql);
      });
      rmSync(filling, { recursive: true, force: true });
    }
    return findings;
  } catch (error) {
    rmSync(filling, { recursive: true, force: true });
    throw inWords(error, 'The restore');
  }
}

/** What is written last: backups under way were those of another time, and automatic charges wait. */
function holdSql(createdAt: string): readonly string[] {
  const nowMs = Date.now();
  return [
    "DELETE FROM backups WHERE status IN ('waiting', 'running')",
    "UPDATE backups SET check_status = 'none', due_ms = NULL, lease_ms = 0 WHERE check_status IN ('waiting', 'running')",
    `INSERT INTO restores (tenant_id, id, backup_created_at, restored_at) SELECT id, '${newId('rst', nowMs)}', '${isoTime(Date.parse(createdAt))}', '${isoTime(nowMs)}' FROM tenants ORDER BY id LIMIT 1`,
  ];
}

function hold(file: string, createdAt: string): void {
  const handle = new BetterSqlite3(file);
  try {
    for (const sql of holdSql(createdAt)) handle.exec(sql);
    handle.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    handle.close();
  }
}

/** Throws away what a process that died was filling. */
function clean(dataDir: string): void {
  rmSync(join(dataDir, FILLING), { recursive: true, force: true });
  for (const name of existsSync(dataDir) ? readdirSync(dataDir) : [])
    if (name.startsWith(REHEARSAL) || name.startsWith(RECEIVED)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

/**
 * Ends what a restore began: files that are whole are put in their place, anything less is thrown away. For the start of a server, once the data
 * directory is its own and before anything in it is opened.
 */
export function finishRestore(dataDir: string): void {
  clean(dataDir);
  const filled = join(dataDir, FILLED);
  if (!existsSync(filled)) return;
  for (const name of readdirSync(filled)) {
    const target = join(dataDir, name);
    // A log of the empty file that stood there would be played into the new one.
    for (const log of LOGS) rmSync(target + log, { force: true });
    renameSync(join(filled, name), target);
  }
  syncFolder(join(dataDir, 'any'));
  rmdirSync(filled);
}
