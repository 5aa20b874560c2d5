import type { Read } from '#core/database';
import { type Actor, bind, realNow, ServiceError } from '#core/kernel';
import { ARCHIVE_JOB, checkAccess, computerName, type Dependencies, isOnThisComputer, serverOf } from './dependencies.ts';
import { archivedEvent, archivedEventPage } from './events.ts';
import { archiveJob } from './job.ts';
import { type ArchivedYear, archivedBlocks, archivedChain, archivedPage, archivedYears } from './read.ts';
import type { Archive, ArchiveOverview } from './records.ts';
import { ARCHIVE_SETTINGS, ARCHIVED_FRAMES, ARCHIVES, type ArchiveRow } from './schema.ts';
import { changeSettings, findUnfinished, lockSettings, newArchive, nextYear, settingsJob, settingsRow, toSettings } from './settings.ts';

export { Archive, ArchiveSettings, ShownArchiveOverview } from './records.ts';

export const TABLES = [ARCHIVE_SETTINGS, ARCHIVES, ARCHIVED_FRAMES];

/** Archives of old audit entries and webhook events in sealed files (decision records 149 and 153). */
export type Archives = ReturnType<typeof createArchives>;

const archiveRows = (read: Read) => read.find(ARCHIVES, {}, { orderBy: [['id', 'desc']] });

export function createArchives(deps: Dependencies) {
  const { database, scheduler } = deps;
  let isStopping = false;
  scheduler.register(settingsJob(deps));
  scheduler.register(archiveJob(deps, () => isStopping));

  return {
    async overview(actor: Actor): Promise<ArchiveOverview> {
      await checkAccess(deps, actor);
      const read = database.read(actor.tenantId);
      const settings = await settingsRow(read, actor.tenantId);
      const rows = await archiveRows(read);
      // From the same read as the list, so that both agree.
      const unfinished = rows.find(({ status }) => status !== 'made' && status !== 'failed');
      return {
        ...toSettings(deps, settings),
        nextYear: unfinished?.year ?? (await nextYear(deps, settings.keep_years)),
        isUnderWay: unfinished !== undefined && unfinished.status !== 'stopped',
        archives: rows.map(toArchive),
      };
    },
    /** Returns the archives, newest first. */
    async all(actor: Actor): Promise<Archive[]> {
      await checkAccess(deps, actor);
      return (await archiveRows(database.read(actor.tenantId))).map(toArchive);
    },
    ...bind(deps, { change: changeSettings, events: archivedEventPage, event: archivedEvent, auditPage: archivedPage }),
    ...bind(deps, { auditBlocks: archivedBlocks, chain: archivedChain }),
    /**
     * Requests the archive of the next year, or the rest of one that was stopped. It is made after the response. @throws ServiceError
     * RESOURCE_CONFLICT while another one is being made, or if nothing is old enough.
     */
    async begin(actor: Actor): Promise<Archive> {
      await checkAccess(deps, actor);
      serverOf(deps);
      const { tenantId } = actor;
      const { keep_years: keepYears } = await settingsRow(database.read(tenantId), tenantId);
      const year = await nextYear(deps, keepYears);
      return database.unitOfWork.transaction(tenantId, async (work) => {
        await lockSettings(work, tenantId);
        const unfinished = await findUnfinished(work);
        if (unfinished && unfinished.status !== 'stopped')
          throw new ServiceError('RESOURCE_CONFLICT', 'An archive is already being created.');
        if (!unfinished && year === null)
          throw new ServiceError('RESOURCE_CONFLICT', `Nothing is from a year that ended at least ${keepYears} years ago.`);
        const row = unfinished
          ? { ...unfinished, status: 'deleting' as const, message: null, due_ms: realNow() }
          : newArchive(tenantId, year as number, actor.name);
        if (unfinished) await work.update(ARCHIVES, { id: row.id }, { status: row.status, message: row.message, due_ms: row.due_ms });
        else work.insert(ARCHIVES, row);
        deps.audit.record(work, { actor, action: 'archive.asked', resource: `system/archive/${row.id}`, after: { year: row.year } });
        work.afterCommit(() => scheduler.wake(ARCHIVE_JOB, tenantId));
        return toArchive(row);
      });
    },
    /**
     * Requests a check of an archive: of its file, its rows, and that they continue the archive before. It runs after the response.
     * @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT if it is not complete, or its file is on another computer.
     */
    async check(actor: Actor, archiveId: string): Promise<Archive> {
      await checkAccess(deps, actor);
      return database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const row = await work.lockOne(ARCHIVES, { id: archiveId });
        if (!row) throw new ServiceError('NOT_FOUND', `No archive with ID ${archiveId}.`);
        if (row.status !== 'made' || row.due_ms !== null)
          throw new ServiceError('RESOURCE_CONFLICT', 'Another operation on this archive is already running, or it is not complete.');
        if (row.station !== computerName() && !isOnThisComputer(row))
          throw new ServiceError('RESOURCE_CONFLICT', `This archive is on ${row.station}. Check it there.`);
        const set = { check_status: 'waiting', due_ms: realNow() } as const;
        await work.update(ARCHIVES, { id: archiveId }, set);
        deps.audit.record(work, { actor, action: 'archive.check_asked', resource: `system/archive/${archiveId}` });
        work.afterCommit(() => scheduler.wake(ARCHIVE_JOB, actor.tenantId));
        return toArchive({ ...row, ...set });
      });
    },
    /** Archived years of the caller's audit log. */
    years: (actor: Actor): Promise<ArchivedYear[]> => archivedYears(deps, actor, 'audit'),
    /** Archived years of the caller's event history. */
    eventYears: (actor: Actor): Promise<ArchivedYear[]> => archivedYears(deps, actor, 'events'),
    /** Ends a running archive between two steps. It continues at the next start. */
    stop(): void {
      isStopping = true;
    },
  };
}

function toArchive(row: ArchiveRow): Archive {
  const { id, year, status, actor, station, folder, name, bytes, entries, events, sha256, message, created_at, finished_at } = row;
  return {
    archiveId: id,
    year,
    status,
    actor,
    station,
    folder,
    name,
    bytes,
    entries,
    events,
    sha256,
    message,
    createdAt: created_at,
    finishedAt: finished_at,
    check: { status: row.check_status, at: row.checked_at, message: row.check_message },
  };
}
