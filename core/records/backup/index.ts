import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newestPage, type Page, type PageRequest } from '#core/database';
import { type Actor, bind, isoTime, realNow, ServiceError } from '#core/kernel';
import { BACKUP_JOB, checkAccess, computerName, type Dependencies, serverOf } from './dependencies.ts';
import { backupJob, isOnThisComputer } from './job.ts';
import type { Backup, BackupOverview, Restored } from './records.ts';
import { changeSchedule, isUnderWay, newBackup, scheduleJob, scheduleOf } from './schedule.ts';
import { BACKUP_SCHEDULES, BACKUPS, type BackupRow, type BackupStatus, RESTORES } from './schema.ts';

export { BackupRefused, type Refusal, toBackupRefused } from './backup-refused.ts';
export { createChargeHold } from './charge-hold.ts';
export { readHeader, type SealedFormat, SealedReader, SealedWriter } from './container.ts';
export type { BackupServer } from './dependencies.ts';
export type { Findings } from './examine.ts';
export { exportedColumns, NOT_EXPORTED } from './export-tables.ts';
export { checkFolder, newName, syncFolder } from './folder.ts';
export { lastProvenBackup } from './last-proven-backup.ts';
export type { BackupResult } from './make.ts';
export { Backup, BackupSchedule, Restored, ShownBackupOverview } from './records.ts';
export { abandonRestore, checkNoInstallation, filesIn, finishRestore, RECEIVED } from './restore.ts';
export { beginBackups, nextTime } from './schedule.ts';
export type { Schemas } from './schemas.ts';
export { type RunTask, runTask, type Task } from './tasks.ts';

export const TABLES = [BACKUP_SCHEDULES, BACKUPS, RESTORES];

/** A written file, with a function that releases it. */
export interface WrittenFile {
  readonly path: string;
  dispose(): Promise<void>;
}

/** Largest number of archives of one tenant that are being written or downloaded. */
const EXPORTS_MAX = 2;
const EXPORT = /^export-[0-9a-f-]{36}\.tar\.gz$/;

/** Backups of an installation, restore rehearsals, and exports of a tenant's data. */
export type Backups = ReturnType<typeof createBackups>;

export function createBackups(deps: Dependencies) {
  const { database, scheduler } = deps;
  const exports = new Map<string, number>();
  scheduler.register(scheduleJob(deps));
  scheduler.register(backupJob(deps));

  /** Reserves one of the tenant's slots for an archive and returns a function that releases it once. */
  function reserveSlot(tenantId: string): () => void {
    const slotsTaken = exports.get(tenantId) ?? 0;
    if (slotsTaken >= EXPORTS_MAX)
      throw new ServiceError('RESOURCE_CONFLICT', 'Two exports of this account are already running. Wait until one is done.');
    exports.set(tenantId, slotsTaken + 1);
    let isReleased = false;
    return () => {
      if (!isReleased) exports.set(tenantId, (exports.get(tenantId) ?? 1) - 1);
      isReleased = true;
    };
  }

  async function restored(tenantId: string): Promise<Restored | null> {
    const [row] = await database.read(tenantId).find(RESTORES, { tenant_id: tenantId }, { orderBy: [['id', 'desc']], limit: 1 });
    return row ? { backupCreatedAt: row.backup_created_at, restoredAt: row.restored_at, resumedAt: row.resumed_at } : null;
  }

  async function rowOf(tenantId: string, backupId: string | undefined): Promise<BackupRow> {
    const where = backupId === undefined ? { status: 'made' as const } : { id: backupId };
    const [row] = await database.read(tenantId).find(BACKUPS, where, { orderBy: [['id', 'desc']], limit: 1 });
    if (row) return row;
    throw new ServiceError('NOT_FOUND', backupId === undefined ? 'There is no backup yet.' : 'This backup does not exist.', {
      field: 'backupId',
    });
  }

  return {
    async overview(actor: Actor): Promise<BackupOverview> {
      await checkAccess(deps, actor);
      const read = database.read(actor.tenantId);
      const [last] = await read.find(BACKUPS, { status: 'made' }, { orderBy: [['id', 'desc']], limit: 1 });
      return {
        schedule: await scheduleOf(deps, actor.tenantId),
        last: last ? toBackup(last) : null,
        isUnderWay: await isUnderWay(read),
        restored: await restored(actor.tenantId),
      };
    },
    /** Returns the time of the last backup that was made, and of the last one that a restore rehearsal found good; null if there is none. */
    async lastTimes(): Promise<{ readonly madeAt: string | null; readonly provenAt: string | null }> {
      const read = database.readAcrossTenants();
      const newest = { orderBy: [['id', 'desc']], limit: 1 } as const;
      const [[made], [proven]] = await Promise.all([
        read.find(BACKUPS, { status: 'made' }, newest),
        read.find(BACKUPS, { status: 'made', check_status: 'good' }, newest),
      ]);
      return { madeAt: made?.created_at ?? null, provenAt: proven?.created_at ?? null };
    },
    ...bind(deps, { changeSchedule }),
    async page(actor: Actor, { status }: { readonly status?: BackupStatus }, pageRequest: PageRequest): Promise<Page<Backup>> {
      await checkAccess(deps, actor);
      const page = await newestPage(database.read(actor.tenantId), BACKUPS, 'bkp', { status }, pageRequest);
      return { ...page, items: page.items.map(toBackup) };
    },
    /**
     * Requests a backup. It is made after the response, and its restore is then rehearsed. @throws ServiceError RESOURCE_CONFLICT while
     * another one is being made.
     */
    async begin(actor: Actor): Promise<Backup> {
      await checkAccess(deps, actor);
      serverOf(deps);
      const row = newBackup(actor.tenantId, 'hand', actor.name);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        if (await isUnderWay(work)) throw new ServiceError('RESOURCE_CONFLICT', 'A backup is already being created.');
        work.insert(BACKUPS, row);
        deps.audit(work, { actor, action: 'backup.asked', resource: `system/backup/${row.id}` });
        work.afterCommit(() => scheduler.wake(BACKUP_JOB, actor.tenantId));
      });
      return toBackup(row);
    },
    /**
     * Requests a restore rehearsal of the named backup, or of the newest. It runs after the response. @throws ServiceError NOT_FOUND;
     * RESOURCE_CONFLICT while another operation runs, or if the file is on another computer.
     */
    async check(actor: Actor, backupId?: string): Promise<Backup> {
      await checkAccess(deps, actor);
      const { id } = await rowOf(actor.tenantId, backupId);
      return database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const row = await work.lockOne(BACKUPS, { id });
        if (row?.status !== 'made' || row.due_ms !== null)
          throw new ServiceError('RESOURCE_CONFLICT', 'Another operation on this backup is already running.');
        if (row.station !== computerName() && !isOnThisComputer(row))
          throw new ServiceError('RESOURCE_CONFLICT', `This backup is on ${row.station}. Check it there.`);
        const set = { check_status: 'waiting', due_ms: realNow() } as const;
        await work.update(BACKUPS, { id }, set);
        deps.audit(work, { actor, action: 'backup.check_asked', resource: `system/backup/${id}` });
        work.afterCommit(() => scheduler.wake(BACKUP_JOB, actor.tenantId));
        return toBackup({ ...row, ...set });
      });
    },
    /** Resumes automatic charges after a restore. @throws ServiceError RESOURCE_CONFLICT if they are not on hold. */
    async resume(actor: Actor): Promise<Restored> {
      await checkAccess(deps, actor);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const resumed = { resumed_at: isoTime(Date.now()), resumed_by: actor.name };
        const changed = await work.update(RESTORES, { tenant_id: actor.tenantId, resumed_at: null }, resumed);
        if (changed === 0) throw new ServiceError('RESOURCE_CONFLICT', 'Automatic charges are not on hold.');
        deps.audit(work, { actor, action: 'restore.resumed', resource: 'system/backup' });
        work.afterCommit(() => scheduler.wakeAll());
      });
      return (await restored(actor.tenantId)) as Restored;
    },
    /**
     * Writes the data of the caller's tenant into a file. The permission is checked before. @throws ServiceError RESOURCE_CONFLICT while
     * two other exports of the tenant are running.
     */
    async exportTenant(actor: Actor): Promise<WrittenFile> {
      const { run, from, dataDir, version } = serverOf(deps);
      const releaseSlot = reserveSlot(actor.tenantId);
      const { tenantId } = actor;
      const path = join(dataDir, `export-${randomUUID()}.tar.gz`);
      const dispose = async () => {
        releaseSlot();
        await rm(path, { force: true });
      };
      try {
        const createdAt = isoTime(Date.now());
        const { counts } = await run({ kind: 'export', from, tables: deps.tables.service, tenantId, to: path, createdAt, version });
        const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
        await database.unitOfWork.transaction(tenantId, async (work) =>
          deps.audit(work, { actor, action: 'data.exported', resource: 'system/export', after: { rows } }),
        );
        return { path, dispose };
      } catch (error) {
        await dispose();
        throw error;
      }
    },
    /** Removes files that were never downloaded, if no other process can still be writing them. Called when a server starts. */
    async start(): Promise<void> {
      const dataDir = deps.server?.dataDir;
      if (!deps.server?.isAlone || dataDir === undefined || !existsSync(dataDir)) return;
      for (const name of readdirSync(dataDir)) if (EXPORT.test(name)) await rm(join(dataDir, name), { force: true });
    },
  };
}

function toBackup(row: BackupRow): Backup {
  const found = row.findings === null ? null : (JSON.parse(row.findings) as Partial<Backup['check']>);
  return {
    backupId: row.id,
    status: row.status,
    origin: row.origin,
    actor: row.actor,
    station: row.station,
    folder: row.folder,
    name: row.name,
    bytes: row.bytes,
    transactions: row.transactions,
    message: row.message,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    check: {
      status: row.check_status,
      at: row.checked_at,
      message: row.check_message,
      transactions: found?.transactions ?? null,
      auditEntries: found?.auditEntries ?? null,
      isAuditValid: found?.isAuditValid ?? null,
      isLedgerRight: found?.isLedgerRight ?? null,
    },
  };
}
