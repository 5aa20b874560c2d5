import { join } from 'node:path';
import { lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Actor, addDays, dateIn, instantOn, isoTime, newId, type RealTime, realNow, realTime, ServiceError } from '#core/kernel';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import { BACKUP_JOB, checkAccess, type Dependencies, SCHEDULE_ID, SCHEDULE_JOB, serverOf } from './dependencies.ts';
import { estimateBackup } from './disk-space.ts';
import { checkFolder } from './folder.ts';
import type { BackupSchedule } from './records.ts';
import { BACKUP_SCHEDULES, BACKUPS, type BackupRow, type BackupScheduleRow } from './schema.ts';

const DEFAULT_TIME = '03:00';
const DEFAULT_KEEP = 14;
const KEEP_MAX = 1_000;
const LEASE_MS = 60_000;

export interface ScheduleChange {
  readonly isOn?: boolean;
  /** Null means the folder `backups` of the data directory. */
  readonly folder?: string | null;
  readonly time?: string;
  readonly keep?: number;
}

/** Returns the first occurrence of a daily time after an instant. */
export function nextTime(timeZone: string, time: string, afterMs: number): RealTime {
  const today = dateIn(timeZone, afterMs);
  const atToday = instantOn(timeZone, today, time);
  return realTime(atToday > afterMs ? atToday : instantOn(timeZone, addDays(today, 1), time));
}

/** Creates the daily backup of the first tenant, in the unit of work that creates the tenant. */
export async function beginBackups(work: Work, tenantId: string, nowMs: RealTime): Promise<void> {
  const otherSchedule = await work.row(
    queriesOn(BACKUP_SCHEDULES).selectFrom('backup_schedules').select('id').where('tenant_id', '<>', tenantId).limit(1),
  );
  if (!otherSchedule) work.insert(BACKUP_SCHEDULES, firstSchedule(tenantId, nowMs, nowMs));
}

/** Returns the first schedule. While a tenant is created, its time zone is unknown, so the job runs early and then sets the right time. */
function firstSchedule(tenantId: string, nowMs: number, dueMs: RealTime): BackupScheduleRow {
  const defaults = { is_on: 1, folder: null, time: DEFAULT_TIME, keep: DEFAULT_KEEP, updated_at: isoTime(nowMs) };
  return { tenant_id: tenantId, id: SCHEDULE_ID, ...defaults, ...dueAt(dueMs) };
}

export const folderOf = (deps: Dependencies, folder: string | null) => folder ?? join(serverOf(deps).dataDir, 'backups');

/** Returns the present schedule. */
export async function scheduleOf(deps: Dependencies, tenantId: string): Promise<BackupSchedule> {
  const timezone = await deps.zoneOf(tenantId);
  const row = await deps.database.read(tenantId).one(BACKUP_SCHEDULES, { id: SCHEDULE_ID });
  return toSchedule(deps, row ?? { ...firstSchedule(tenantId, 0, realTime(0)), is_on: 0, due_ms: null }, timezone);
}

function toSchedule(deps: Dependencies, row: BackupScheduleRow, timezone: string): BackupSchedule {
  const { time, keep } = row;
  const isOn = row.is_on === 1;
  const nextAt = isOn ? isoTime(nextTime(timezone, time, Date.now())) : null;
  return { isOn, folder: folderOf(deps, row.folder), time, timezone, keep, nextAt };
}

/** Changes the given fields of the schedule. @throws ServiceError VALIDATION_ERROR on `folder`, `time` or `keep`. */
export async function changeSchedule(deps: Dependencies, actor: Actor, change: ScheduleChange): Promise<BackupSchedule> {
  await checkAccess(deps, actor);
  const refuse = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });
  if (change.time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(change.time))
    throw refuse('time', '`time` must have the format HH:MM.');
  if (change.keep !== undefined && !(Number.isInteger(change.keep) && change.keep >= 1 && change.keep <= KEEP_MAX))
    throw refuse('keep', `\`keep\` must be a number from 1 to ${KEEP_MAX}.`);
  if (typeof change.folder === 'string') checkFolder(change.folder, estimateBackup((await deps.database.status()).bytes));
  const { tenantId } = actor;
  const timezone = await deps.zoneOf(tenantId);
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(BACKUP_SCHEDULES, { id: SCHEDULE_ID });
    if (!row) throw new Error('the first tenant has a schedule');
    const next: BackupScheduleRow = {
      ...row,
      is_on: change.isOn === undefined ? row.is_on : Number(change.isOn),
      folder: change.folder === undefined ? row.folder : change.folder,
      time: change.time ?? row.time,
      keep: change.keep ?? row.keep,
      updated_at: isoTime(Date.now()),
    };
    next.due_ms = next.is_on === 1 ? nextTime(timezone, next.time, Date.now()) : null;
    const { is_on, folder, time, keep, due_ms, updated_at } = next;
    await work.update(BACKUP_SCHEDULES, { id: SCHEDULE_ID }, { is_on, folder, time, keep, due_ms, updated_at });
    const [before, after] = [toSchedule(deps, row, timezone), toSchedule(deps, next, timezone)];
    deps.audit(work, {
      actor,
      action: 'backup_schedule.updated',
      resource: 'system/backup',
      before: { ...before },
      after: { ...after },
    });
    work.afterCommit(() => deps.scheduler.wake(SCHEDULE_JOB, tenantId));
    return after;
  });
}

/** Returns the row of a requested backup. */
export function newBackup(tenantId: string, origin: BackupRow['origin'], actor: string): BackupRow {
  const nowMs = realNow();
  return {
    tenant_id: tenantId,
    id: newId('bkp', nowMs),
    status: 'waiting',
    origin,
    actor,
    station: null,
    folder: null,
    name: null,
    bytes: null,
    transactions: null,
    row_count: null,
    message: null,
    check_status: 'none',
    checked_at: null,
    check_message: null,
    findings: null,
    created_at: isoTime(nowMs),
    finished_at: null,
    ...dueAt(nowMs),
  };
}

/** Returns true if a backup is waiting or being made. */
export async function isUnderWay(read: Read): Promise<boolean> {
  const backups = queriesOn(BACKUPS).selectFrom('backups').select('id').where('tenant_id', '=', TENANT);
  return (await read.row(backups.where('status', 'in', [lit('waiting'), lit('running')]).limit(1))) !== null;
}

/** Job that requests the daily backup when it is due, in real time: moving the test clock must not fill a disk. */
export function scheduleJob(deps: Dependencies): Job<BackupScheduleRow> {
  return {
    name: SCHEDULE_JOB,
    table: BACKUP_SCHEDULES,
    clock: 'real',
    concurrency: 1,
    leaseMs: LEASE_MS,
    longestWaitMs: 26 * 3_600_000,
    async run({ tenant_id: tenantId, fence, time, due_ms, is_on }) {
      const timezone = await deps.zoneOf(tenantId);
      const dueMs = due_ms ?? 0;
      const isTime = is_on === 1 && nextTime(timezone, time, dueMs - 1) === dueMs;
      await deps.database.unitOfWork.transaction(tenantId, async (work) => {
        const next = is_on === 1 ? nextTime(timezone, time, Date.now()) : null;
        const isOwnClaim = (await work.update(BACKUP_SCHEDULES, { id: SCHEDULE_ID, fence }, released(next))) === 1;
        if (!isOwnClaim || !isTime || (await isUnderWay(work))) return;
        work.insert(BACKUPS, newBackup(tenantId, 'schedule', 'service'));
        work.afterCommit(() => deps.scheduler.wake(BACKUP_JOB, tenantId));
      });
      return isTime ? 'asked' : 'skipped';
    },
  };
}
