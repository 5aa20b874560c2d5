import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isoTime, newId } from '#core/kernel';
import { BackupRefused, toBackupRefused } from './backup-refused.ts';
import { checkRoom } from './disk-space.ts';
import { examine, type Findings } from './examine.ts';
import { syncFolder } from './folder.ts';
import { openBackup } from './lines.ts';
import { fillDatabase } from './postgres-target.ts';
import { PARTS, type Part } from './rows.ts';
import type { Schemas } from './schemas.ts';
import { type Files, fillFiles, flush } from './sqlite-target.ts';

/** The files of an installation in its data directory. */
const FILE_NAMES: Readonly<Record<Part, string>> = { service: 'paydesk.sqlite', sandbox: 'sandbox-gateway.sqlite' };

/** Folders in the data directory for files that are being written, and for complete files that only have to be moved. */
const FILLING = 'restore-begun';
const FILLED = 'restore-filled';
/** Estimated growth of a backup that does not contain its size when it is restored to files; usually it is eight. */
const GROWTH = 12;
/**
 * Factor of the required disk space. Restored files are no larger than the originals, but a migration may rewrite tables through the log.
 */
const SLACK = { asMade: 1.1, changed: 3 } as const;
/** Files that SQLite keeps beside a database; empty after the database was closed. */
const LOGS = ['-wal', '-shm'];
const REHEARSAL = 'rehearsal-';
/** Prefix of a backup that is being uploaded. */
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
  /** Folder for the files of the rehearsal. */
  readonly folder: string;
}

export interface RestoreTask extends Opening {
  readonly kind: 'restore';
  readonly dataDir: string;
  /** Restores into this database instead of files in the data directory. */
  readonly databaseUrl?: string;
  /** Tables of this version of Paydesk. */
  readonly tables: readonly string[];
}

/** Rehearses a restore: restores a backup to temporary files and verifies them. @throws BackupRefused. */
export async function check({ file, masterKey, folder }: CheckTask, schemas: Schemas): Promise<Findings> {
  let rehearsalFolder: string | undefined;
  try {
    const key = Buffer.from(masterKey);
    checkRoom(folder, roomFor(file, key, schemas), 'The restore check');
    rehearsalFolder = await mkdtemp(join(folder, REHEARSAL));
    return await fillAndInspect(filesIn(rehearsalFolder), file, key, schemas);
  } catch (error) {
    throw toBackupRefused(error, 'The restore check', folder);
  } finally {
    if (rehearsalFolder !== undefined) rmSync(rehearsalFolder, { recursive: true, force: true });
  }
}

/** Returns the disk space that a backup needs when it is restored to files. The live service may use the same disk. */
function roomFor(file: string, masterKey: Buffer, schemas: Schemas): number {
  const { manifest, lines: rest } = openBackup(file, masterKey);
  rest.return?.();
  const { bytes, migrations } = manifest;
  const hasSameSchema = PARTS.every((part) => migrations[part].length === schemas[part].length);
  return (bytes ?? statSync(file).size * GROWTH) * (hasSameSchema ? SLACK.asMade : SLACK.changed);
}

async function fillAndInspect(files: Files, file: string, masterKey: Buffer, schemas: Schemas): Promise<Findings> {
  const opened = openBackup(file, masterKey);
  const rows = await fillFiles(files, opened, schemas);
  return examine(files, { manifest: opened.manifest, rows, masterKey, schemas });
}

/** Returns true if a data directory holds an installation in files. */
function holdsInstallation(dataDir: string): boolean {
  const file = join(dataDir, FILE_NAMES.service);
  if (!existsSync(file)) return false;
  const handle = new BetterSqlite3(file, { readonly: true });
  try {
    const isMade = handle.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tenants'").get() !== undefined;
    return isMade && handle.prepare('SELECT 1 FROM tenants LIMIT 1').get() !== undefined;
  } finally {
    handle.close();
  }
}

/** Checks that a data directory contains no installation. @throws BackupRefused. */
export function checkNoInstallation(dataDir: string): void {
  if (!holdsInstallation(dataDir)) return;
  const message = 'This data directory already contains an installation. Choose an empty one. Nothing was overwritten.';
  throw new BackupRefused('not-empty', message);
}

/**
 * Restores a backup into an empty data directory or an empty PostgreSQL database, completely or not at all: files are written aside until
 * `finishRestore()` moves them, and a database is filled in one transaction. Automatic charges stay on hold until a person resumes them.
 * The caller stores the key first. @throws BackupRefused.
 */
export async function restore(task: RestoreTask, schemas: Schemas): Promise<Findings> {
  const { dataDir, file } = task;
  const masterKey = Buffer.from(task.masterKey);
  const filling = join(dataDir, FILLING);
  try {
    checkNoInstallation(dataDir);
    for (const leftover of [filling, join(dataDir, FILLED)]) rmSync(leftover, { recursive: true, force: true });
    mkdirSync(filling, { recursive: true, mode: 0o700 });
    checkRoom(filling, roomFor(file, masterKey, schemas), 'The restore');
    const files = filesIn(filling);
    // Also applies to a database: the backup is examined before any row is written.
    const findings = await fillAndInspect(files, file, masterKey, schemas);
    if (task.databaseUrl === undefined) {
      holdCharges(files.service, findings.createdAt);
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
    const refused = toBackupRefused(error, 'The restore', filling);
    rmSync(filling, { recursive: true, force: true });
    throw refused;
  }
}

/** Returns the last statements of a restore: they delete unfinished backups and put automatic charges on hold. */
function holdSql(createdAt: string): readonly string[] {
  const nowMs = Date.now();
  return [
    "DELETE FROM backups WHERE status IN ('waiting', 'running')",
    "UPDATE backups SET check_status = 'none', due_ms = NULL, lease_ms = 0 WHERE check_status IN ('waiting', 'running')",
    `INSERT INTO restores (tenant_id, id, backup_created_at, restored_at) SELECT id, '${newId('rst', nowMs)}', '${isoTime(Date.parse(createdAt))}', '${isoTime(nowMs)}' FROM tenants ORDER BY id LIMIT 1`,
  ];
}

function holdCharges(file: string, createdAt: string): void {
  const handle = new BetterSqlite3(file);
  try {
    for (const sql of holdSql(createdAt)) handle.exec(sql);
    handle.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    handle.close();
  }
}

/** Deletes the unfinished files of a stopped process. */
function removeLeftovers(dataDir: string): void {
  rmSync(join(dataDir, FILLING), { recursive: true, force: true });
  for (const name of existsSync(dataDir) ? readdirSync(dataDir) : [])
    if (name.startsWith(REHEARSAL) || name.startsWith(RECEIVED)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

/**
 * Completes a restore when a server starts, before anything in the data directory is opened: moves complete files into place and deletes
 * incomplete ones. The file of the service moves last, because its presence makes an installation. Complete files beside an existing
 * installation are deleted. If it throws, the files stay for the next start or for `abandonRestore()`.
 */
export function finishRestore(dataDir: string): void {
  removeLeftovers(dataDir);
  const filled = join(dataDir, FILLED);
  if (!existsSync(filled)) return;
  const filledFiles = filesIn(filled);
  const to = filesIn(dataDir);
  if (existsSync(filledFiles.service) && holdsInstallation(dataDir)) {
    rmSync(filled, { recursive: true, force: true });
    return;
  }
  for (const part of ['sandbox', 'service'] as const) {
    if (!existsSync(filledFiles[part])) continue;
    // The log of the former empty file would be replayed into the new one, and its mark of a clean stop belongs to another installation.
    for (const log of [...LOGS, '.clean-stop']) rmSync(to[part] + log, { force: true });
    renameSync(filledFiles[part], to[part]);
    syncFolder(to[part]);
  }
  rmSync(filled, { recursive: true, force: true });
}

/** Deletes the files that `finishRestore()` could not move, so that they never replace a later installation. */
export function abandonRestore(dataDir: string): void {
  const filled = join(dataDir, FILLED);
  const from = filesIn(filled);
  if (!existsSync(from.service)) return;
  const { sandbox } = filesIn(dataDir);
  const isMoved = !existsSync(from.sandbox);
  if (isMoved) for (const end of ['', ...LOGS]) rmSync(sandbox + end, { force: true });
  rmSync(filled, { recursive: true, force: true });
}
