import { lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, later, newId, realNow, ServiceError } from '#core/kernel';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import { checkFolder } from '#core/records/backup';
import { ARCHIVE_JOB, checkAccess, type Dependencies, folderOf, SETTINGS_ID, SETTINGS_JOB } from './dependencies.ts';
import { yearOf } from './file.ts';
import { recordedArchives } from './read.ts';
import type { ArchiveSettings } from './records.ts';
import { ARCHIVE_SETTINGS, ARCHIVES, type ArchiveRow, type ArchiveSettingsRow } from './schema.ts';
import { sourcesOf } from './sources.ts';

const KEEP_MIN = 2;
const KEEP_MAX = 10;
const DEFAULT_KEEP = 3;
const LEASE_MS = 60_000;
const EVERY_MS = 24 * 3_600_000;

export interface ArchiveSettingsChange {
  readonly isOn?: boolean;
  readonly keepYears?: number;
  /** Null means the folder `archive` of the data directory. */
  readonly folder?: string | null;
}

const firstSettings = (tenantId: string): ArchiveSettingsRow => ({
  tenant_id: tenantId,
  id: SETTINGS_ID,
  is_on: 0,
  keep_years: DEFAULT_KEEP,
  folder: null,
  updated_at: isoTime(Date.now()),
  ...dueAt(null),
});

/** Returns the settings, locked until the end of the unit of work, so that archives are requested one after the other. */
export async function lockSettings(work: Work, tenantId: string): Promise<ArchiveSettingsRow> {
  await work.advisoryLock('archive-settings');
  const row = await work.lockOne(ARCHIVE_SETTINGS, { id: SETTINGS_ID });
  if (row) return row;
  const first = firstSettings(tenantId);
  work.insert(ARCHIVE_SETTINGS, first);
  return first;
}

export async function settingsRow(read: Read, tenantId: string): Promise<ArchiveSettingsRow> {
  return (await read.one(ARCHIVE_SETTINGS, { id: SETTINGS_ID })) ?? firstSettings(tenantId);
}

export const toSettings = (deps: Dependencies, row: ArchiveSettingsRow): ArchiveSettings => ({
  isOn: row.is_on === 1,
  keepYears: row.keep_years,
  folder: folderOf(deps, row.folder),
});

/** Changes the given fields. @throws ServiceError VALIDATION_ERROR on `folder` or `keepYears`. */
export async function changeSettings(deps: Dependencies, actor: Actor, change: ArchiveSettingsChange): Promise<ArchiveSettings> {
  await checkAccess(deps, actor);
  const { keepYears } = change;
  if (keepYears !== undefined && !(Number.isInteger(keepYears) && keepYears >= KEEP_MIN && keepYears <= KEEP_MAX))
    throw new ServiceError('VALIDATION_ERROR', `\`keepYears\` must be a number from ${KEEP_MIN} to ${KEEP_MAX}.`, { field: 'keepYears' });
  if (typeof change.folder === 'string') checkFolder(change.folder, 0, 'archive');
  const { tenantId } = actor;
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await lockSettings(work, tenantId);
    const is_on = change.isOn === undefined ? row.is_on : Number(change.isOn);
    const set = {
      is_on,
      keep_years: keepYears ?? row.keep_years,
      folder: change.folder === undefined ? row.folder : change.folder,
      updated_at: isoTime(Date.now()),
      due_ms: is_on === 1 ? realNow() : null,
    };
    await work.update(ARCHIVE_SETTINGS, { id: SETTINGS_ID }, set);
    const [before, after] = [toSettings(deps, row), toSettings(deps, { ...row, ...set })];
    const action = 'archive_settings.updated';
    deps.audit.record(work, { actor, action, resource: 'system/archive', before: { ...before }, after: { ...after } });
    work.afterCommit(() => deps.scheduler.wake(SETTINGS_JOB, tenantId));
    return after;
  });
}

/** Returns the next year to archive: the first one with entries that ended long enough ago and comes after all archived years. Null if there is none. */
export async function nextYear(deps: Dependencies, keepYears: number): Promise<number | null> {
  let first = Number.POSITIVE_INFINITY;
  for (const source of Object.values(sourcesOf(deps))) {
    for (const tenantId of await deps.tenants.ids()) {
      const oldest = await source.oldestAt(tenantId);
      if (oldest !== null) first = Math.min(first, yearOf(oldest));
    }
  }
  const [last] = await recordedArchives(deps);
  const year = Math.max(first, (last?.year ?? 0) + 1);
  return year < new Date().getUTCFullYear() - keepYears ? year : null;
}

/** Returns the archive that is being made, or whose entries could not all be deleted; null if there is none. No other one may begin before it ends. */
export function findUnfinished(read: Read): Promise<ArchiveRow | null> {
  const archives = queriesOn(ARCHIVES).selectFrom('archives').selectAll().where('tenant_id', '=', TENANT);
  return read.row(archives.where('status', 'in', [lit('waiting'), lit('writing'), lit('deleting'), lit('stopped')]).limit(1));
}

/** Returns the row of a requested archive. */
export function newArchive(tenantId: string, year: number, actor: string): ArchiveRow {
  const nowMs = realNow();
  return {
    tenant_id: tenantId,
    id: newId('arc', nowMs),
    year,
    status: 'waiting',
    actor,
    station: null,
    folder: null,
    name: null,
    sha256: null,
    bytes: null,
    entries: null,
    events: null,
    message: null,
    check_status: 'none',
    checked_at: null,
    check_message: null,
    created_at: isoTime(nowMs),
    finished_at: null,
    ...dueAt(nowMs),
  };
}

/** Job that requests the archive of the next year, once a day. */
export function settingsJob(deps: Dependencies): Job<ArchiveSettingsRow> {
  return {
    name: SETTINGS_JOB,
    table: ARCHIVE_SETTINGS,
    clock: 'real',
    concurrency: 1,
    leaseMs: LEASE_MS,
    longestWaitMs: EVERY_MS,
    async run({ tenant_id: tenantId, fence, is_on, keep_years }) {
      const year = is_on === 1 ? await nextYear(deps, keep_years) : null;
      await deps.database.unitOfWork.transaction(tenantId, async (work) => {
        await lockSettings(work, tenantId);
        const next = is_on === 1 ? later(realNow(), EVERY_MS) : null;
        const isOwnClaim = (await work.update(ARCHIVE_SETTINGS, { id: SETTINGS_ID, fence }, released(next))) === 1;
        if (!isOwnClaim || year === null || (await findUnfinished(work))) return;
        work.insert(ARCHIVES, newArchive(tenantId, year, 'service'));
        work.afterCommit(() => deps.scheduler.wake(ARCHIVE_JOB, tenantId));
      });
      return year === null ? 'skipped' : 'asked';
    },
  };
}
