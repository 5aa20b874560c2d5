import { join } from 'node:path';
import { lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Actor, addDays, dateIn, instantOn, isoTime, newId, type RealTime, realNow, realTime, ServiceError } from '#core/kernel';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import { checkFolder } from './folder.ts';
import { BACKUP_JOB, checkSees, type Needs, SCHEDULE_ID, SCHEDULE_JOB, stationOf } from './needs.ts';
import { estimateBackup } from './room.ts';
import { BACKUP_SCHEDULES, BACKUPS, type BackupRow, type BackupScheduleRow } from './schema.ts';

const DEFAULT_TIME = '03:00';
const DEFAULT_KEEP = 14;
const KEEP_MAX = 1_000;
const LEASE_MS = 60_000;

/** When backups are made by themselves, and where they go. */
export interface BackupSchedule {
  readonly isOn: boolean;
  readonly folder: string;
  /** HH:MM. */
  readonly time: string;
  /** In which `time` is read. */
  readonly timezone: string;
  /** So many are kept, older ones are removed. */
  readonly keep: number;
  readonly nextAt: string | null;
}

export interface ScheduleChange {
  readonly isOn?: boolean;
  /** null is the folder `backups` of the data directory. */
  readonly folder?: string | null;
  readonly time?: string;
  readonly keep?: number;
}

/** The first instant of a daily time after another one. */
export function nextTime(timeZone: string, time: string, afterMs: number): RealTime {
  const today = dateIn(timeZone, afterMs);
  const atToday = instantOn(timeZone, today, time);
  return realTime(atToday > afterMs ? atToday : instantOn(timeZone, addDays(today, 1), time));
}

/** Gives the first tenant of an installation its daily backup, in the unit of work that makes it. */
export async function beginBackups(work: Work, tenantId: string, nowMs: RealTime): Promise<void> {
  const known = await work.row(
    queriesOn(BACKUP_SCHEDULES).selectFrom('backup_schedules').select('id').where('tenant_id', '<>', tenantId).limit(1),
  );
  if (!known) work.insert(BACKUP_SCHEDULES, firstSchedule(tenantId, nowMs, nowMs));
}

/** The zone is not known while a tenant is being made: the job then finds that it is early, and sets itself right. */
function firstSchedule(tenantId: string, nowMs: number, dueMs: RealTime): BackupScheduleRow {
  const own = { is_on: 1, folder: null, time: DEFAULT_TIME, keep: DEFAULT_KEEP, updated_at: isoTime(nowMs) };
  return { tenant_id: tenantId, id: SCHEDULE_ID, ...own, ...dueAt(dueMs) };
}

/** Gives an installation of an earlier version its schedule. */
export async function ensureSchedule(on: Needs): Promise<void> {
  const first = await on.firstTenant();
  if (!first || !on.station || (await on.database.read(first.tenantId).one(BACKUP_SCHEDULES, { id: SCHEDULE_ID }))) return;
  const { tenantId } = first;
  await on.database.unitOfWork.run(tenantId, async (work) => {
    if (await work.lockOne(BACKUP_SCHEDULES, { id: SCHEDULE_ID })) return;
    work.insert(BACKUP_SCHEDULES, firstSchedule(tenantId, Date.now(), realNow()));
  });
}

export const folderOf = (on: Needs, folder: string | null) => folder ?? join(stationOf(on).dataDir, 'backups');

/** The schedule as it stands. */
export async function scheduleOf(on: Needs, tenantId: string): Promise<BackupSchedule> {
  const timezone = await on.zoneOf(tenantId);
  const row = await on.database.read(tenantId).one(BACKUP_SCHEDULES, { id: SCHEDULE_ID });
  return shown(on, row ?? { ...firstSchedule(tenantId, 0, realTime(0)), is_on: 0, due_ms: null }, timezone);
}

function shown(on: Needs, row: BackupScheduleRow, timezone: string): BackupSchedule {
  const { time, keep } = row;
  const isOn = row.is_on === 1;
  const nextAt = isOn ? isoTime(nextTime(timezone, time, Date.now())) : null;
  return { isOn, folder: folderOf(on, row.folder), time, timezone, keep, nextAt };
}

/** Changes what is given. VALIDATION_ERROR with `field` folder, time or keep. */
export async function changeSchedule(on: Needs, by: Actor, change: ScheduleChange): Promise<BackupSchedule> {
  await checkSees(on, by);
  const refuse = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });
  if (change.time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(change.time)) throw refuse('time', 'The time must be HH:MM.');
  if (change.keep !== undefined && !(Number.isInteger(change.keep) && change.keep >= 1 && change.keep <= KEEP_MAX))
    throw refuse('keep', `Keep 1 to ${KEEP_MAX} backups.`);
  if (typeof change.folder === 'string') checkFolder(change.folder, estimateBackup((await on.database.standing()).bytes));
  const { tenantId } = by;
  const timezone = await on.zoneOf(tenantId);
  await ensureSchedule(on);
  return on.database.unitOfWork.run(tenantId, async (work) => {
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
    const [before, after] = [shown(on, row, timezone), shown(on, next, timezone)];
    on.audit(work, { by, action: 'backup_schedule.updated', resource: 'system/backup', before: { ...before }, after: { ...after } });
    work.afterCommit(() => on.scheduler.wake(SCHEDULE_JOB));
    return after;
  });
}

/** A backup that is still to be made. */
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

/** Whether one waits or is being made. */
export async function isUnderWay(read: Read): Promise<boolean> {
  const backups = queriesOn(BACKUPS).selectFrom('backups').select('id').where('tenant_id', '=', TENANT);
  return (await read.row(backups.where('status', 'in', [lit('waiting'), lit('running')]).limit(1))) !== null;
}

/** Asks for the daily backup when its time has come; in real time, since a moved test clock is no reason to fill a disk. */
export function scheduleJob(on: Needs): Job<BackupScheduleRow> {
  return {
    name: SCHEDULE_JOB,
    table: BACKUP_SCHEDULES,
    clock: 'real',
    atOnce: 1,
    leaseMs: LEASE_MS,
    async run({ tenant_id: tenantId, fence, time, due_ms, is_on }) {
      const timezone = await on.zoneOf(tenantId);
      const dueMs = due_ms ?? 0;
      const isTime = is_on === 1 && nextTime(timezone, time, dueMs - 1) === dueMs;
      await on.database.unitOfWork.run(tenantId, async (work) => {
        const next = is_on === 1 ? nextTime(timezone, time, Date.now()) : null;
        const isMine = (await work.update(BACKUP_SCHEDULES, { id: SCHEDULE_ID, fence }, released(next))) === 1;
        if (!isMine || !isTime || (await isUnderWay(work))) return;
        work.insert(BACKUPS, newBackup(tenantId, 'schedule', 'service'));
        work.afterCommit(() => on.scheduler.wake(BACKUP_JOB));
      });
      return isTime ? 'asked' : 'skipped';
    },
  };
}
