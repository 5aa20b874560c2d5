import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newestOf, type Page, type PageOf } from '#core/database';
import { type Actor, isoTime, realNow, ServiceError } from '#core/kernel';
import { backupJob, isHere } from './job.ts';
import { BACKUP_JOB, checkSees, type Needs, ownName, stationOf } from './needs.ts';
import {
  type BackupSchedule,
  changeSchedule,
  ensureSchedule,
  isUnderWay,
  newBackup,
  type ScheduleChange,
  scheduleJob,
  scheduleOf,
} from './schedule.ts';
import { BACKUP_SCHEDULES, BACKUPS, type BackupRow, type BackupStatus, type CheckStatus, RESTORES } from './schema.ts';

export { createChargeHold } from './charge-hold.ts';

export type { Findings } from './examine.ts';
export { NOT_EXPORTED, taken } from './export-tables.ts';
export { checkFolder, newName } from './folder.ts';
export type { Made } from './make.ts';
export type { BackupStation } from './needs.ts';
export { lastProvenBackup } from './proven.ts';
export { BackupRefused, type Refusal } from './refused.ts';
export { abandonRestore, filesIn, finishRestore, RECEIVED, refuseFull } from './restore.ts';

export { beginBackups, nextTime } from './schedule.ts';
export type { Schemas } from './schemas.ts';
export { carryOut, type RunTask, type Task } from './tasks.ts';

export const TABLES = [BACKUP_SCHEDULES, BACKUPS, RESTORES];

/** A backup as it is shown. */
export interface Backup {
  readonly backupId: string;
  readonly status: BackupStatus;
  readonly origin: 'schedule' | 'hand';
  readonly actor: string;
  readonly station: string | null;
  readonly folder: string | null;
  readonly name: string | null;
  readonly bytes: number | null;
  readonly transactions: number | null;
  /** Why it failed. */
  readonly message: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** What the rehearsal of its restore found. */
  readonly check: {
    readonly status: CheckStatus;
    readonly at: string | null;
    readonly message: string | null;
    readonly transactions: number | null;
    readonly auditEntries: number | null;
    readonly isAuditValid: boolean | null;
    readonly isLedgerRight: boolean | null;
  };
}

/** That the installation came from a backup, and whether automatic charges still wait. */
export interface Restored {
  readonly backupCreatedAt: string;
  readonly restoredAt: string;
  readonly resumedAt: string | null;
}

export interface BackupOverview {
  readonly schedule: BackupSchedule;
  /** The newest that was made; null while there is none. */
  readonly last: Backup | null;
  readonly isUnderWay: boolean;
  readonly restored: Restored | null;
}

/** A file that was written for its reader, who lets go of it. */
export interface WrittenFile {
  readonly path: string;
  dispose(): Promise<void>;
}

/** Archives of one tenant that are being written or wait for their reader. */
const EXPORTS_MAX = 2;
const EXPORT = /^export-[0-9a-f-]{36}\.tar\.gz$/;

/** Backups of an installation, their rehearsal, and what a business takes along (experience 2.18, reliability 2.1). */
export type Backups = ReturnType<typeof createBackups>;

export function createBackups(on: Needs) {
  const { database, scheduler } = on;
  const exports = new Map<string, number>();
  scheduler.register(scheduleJob(on));
  scheduler.register(backupJob(on));

  /** Takes one of a tenant's places for an archive; answers how to give it back, once. */
  function takePlace(tenantId: string): () => void {
    const taken = exports.get(tenantId) ?? 0;
    if (taken >= EXPORTS_MAX)
      throw new ServiceError('RESOURCE_CONFLICT', 'The data of this account is being exported already. Wait until that is done.');
    exports.set(tenantId, taken + 1);
    let isGiven = false;
    return () => {
      if (!isGiven) exports.set(tenantId, (exports.get(tenantId) ?? 1) - 1);
      isGiven = true;
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
    throw new ServiceError('NOT_FOUND', backupId === undefined ? 'There is no backup yet.' : 'There is no such backup.', {
      field: 'backupId',
    });
  }

  return {
    async overview(by: Actor): Promise<BackupOverview> {
      await checkSees(on, by);
      const read = database.read(by.tenantId);
      const [last] = await read.find(BACKUPS, { status: 'made' }, { orderBy: [['id', 'desc']], limit: 1 });
      return {
        schedule: await scheduleOf(on, by.tenantId),
        last: last ? toBackup(last) : null,
        isUnderWay: await isUnderWay(read),
        restored: await restored(by.tenantId),
      };
    },
    changeSchedule: (by: Actor, change: ScheduleChange): Promise<BackupSchedule> => changeSchedule(on, by, change),
    async page(by: Actor, { status }: { readonly status?: BackupStatus }, at: PageOf): Promise<Page<Backup>> {
      await checkSees(on, by);
      const page = await newestOf(database.read(by.tenantId), BACKUPS, 'bkp', { status }, at);
      return { ...page, items: page.items.map(toBackup) };
    },
    /** Asks for a backup; it is made behind the answer, and then its restore is rehearsed. RESOURCE_CONFLICT while one is being made. */
    async begin(by: Actor): Promise<Backup> {
      await checkSees(on, by);
      stationOf(on);
      const row = newBackup(by.tenantId, 'hand', by.name);
      await database.unitOfWork.run(by.tenantId, async (work) => {
        if (await isUnderWay(work)) throw new ServiceError('RESOURCE_CONFLICT', 'A backup is being made already.');
        work.insert(BACKUPS, row);
        on.audit(work, { by, action: 'backup.asked', resource: `system/backup/${row.id}` });
        work.afterCommit(() => scheduler.wake(BACKUP_JOB));
      });
      return toBackup(row);
    },
    /** Rehearses the restore of a backup behind the answer: of the newest, or of the one that is named. NOT_FOUND; RESOURCE_CONFLICT while it is checked, and where another machine has it. */
    async check(by: Actor, backupId?: string): Promise<Backup> {
      await checkSees(on, by);
      const { id } = await rowOf(by.tenantId, backupId);
      return database.unitOfWork.run(by.tenantId, async (work) => {
        const row = await work.lockOne(BACKUPS, { id });
        if (row?.status !== 'made' || row.due_ms !== null)
          throw new ServiceError('RESOURCE_CONFLICT', 'This backup is being worked on already.');
        if (row.station !== ownName() && !isHere(row))
          throw new ServiceError('RESOURCE_CONFLICT', `This backup lies on ${row.station}: ask for its check there.`);
        const set = { check_status: 'waiting', due_ms: realNow() } as const;
        await work.update(BACKUPS, { id }, set);
        on.audit(work, { by, action: 'backup.check_asked', resource: `system/backup/${id}` });
        work.afterCommit(() => scheduler.wake(BACKUP_JOB));
        return toBackup({ ...row, ...set });
      });
    },
    /** Lets automatic charges go on after a restore. RESOURCE_CONFLICT where they do not wait. */
    async resume(by: Actor): Promise<Restored> {
      await checkSees(on, by);
      await database.unitOfWork.run(by.tenantId, async (work) => {
        const resumed = { resumed_at: isoTime(Date.now()), resumed_by: by.name };
        const changed = await work.update(RESTORES, { tenant_id: by.tenantId, resumed_at: null }, resumed);
        if (changed === 0) throw new ServiceError('RESOURCE_CONFLICT', 'Automatic charges are not waiting.');
        on.audit(work, { by, action: 'restore.resumed', resource: 'system/backup' });
        work.afterCommit(() => scheduler.wake());
      });
      return (await restored(by.tenantId)) as Restored;
    },
    /** Writes what the caller's business has into a file. Whether the caller is an owner is asked before. RESOURCE_CONFLICT beside two others of it. */
    async exportTenant(by: Actor): Promise<WrittenFile> {
      const { run, from, dataDir, version } = stationOf(on);
      const leave = takePlace(by.tenantId);
      const { tenantId } = by;
      const path = join(dataDir, `export-${randomUUID()}.tar.gz`);
      const dispose = async () => {
        leave();
        await rm(path, { force: true });
      };
      try {
        const createdAt = isoTime(Date.now());
        const { counts } = await run({ kind: 'export', from, tables: on.tables.service, tenantId, to: path, createdAt, version });
        const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
        await database.unitOfWork.run(tenantId, async (work) =>
          on.audit(work, { by, action: 'data.exported', resource: 'system/export', after: { rows } }),
        );
        return { path, dispose };
      } catch (error) {
        await dispose();
        throw error;
      }
    },
    /** For the start of a server: a schedule where there is none yet, and nothing left of files that nobody fetched. */
    async start(): Promise<void> {
      await ensureSchedule(on);
      const dataDir = on.station?.dataDir;
      if (dataDir === undefined || !existsSync(dataDir)) return;
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
