import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChainPoint } from '#core/audit';
import { checkFolder, toBackupRefused } from '#core/backup';
import { isoTime, later, realNow, serviceActor } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { ARCHIVE_JOB, computerName, type Dependencies, folderOf, isOnThisComputer, pathOf, serverOf } from './dependencies.ts';
import { framesOf, hashOfFile, missingFile, type NewFrame, rowsOf, writeArchive } from './file.ts';
import { recordedArchives } from './read.ts';
import { ARCHIVED_FRAMES, ARCHIVES, type ArchivedFrameRow, type ArchiveRow } from './schema.ts';
import { newArchive, nextYear, settingsRow } from './settings.ts';

/** Lease, long enough for the largest archive. The claims of a killed server are released within seconds. */
const LEASE_MS = 2 * 3_600_000;
/** Delay before an archive whose file only another computer has is looked at again. */
const LEFT_TO_OTHERS_MS = 60_000;
/** Entries that one commit deletes, and the pause after it, in which payments are committed. */
const DELETED_AT_A_TIME = 500;
const PAUSE_MS = 20;
const FRAME_ROWS_AT_A_TIME = 200;
const NAME_LETTERS = 8;
const FIRST_LETTER = 'a'.charCodeAt(0);
const LETTERS = 26;

/** Returns eight random letters. With digits, a name could look like a card number, which the audit log masks. */
const randomLetters = () => Array.from(randomBytes(NAME_LETTERS), (byte) => String.fromCharCode(FIRST_LETTER + (byte % LETTERS))).join('');

type ArchiveChanges = Partial<Omit<ArchiveRow, 'tenant_id' | 'id' | 'fence'>>;

/** Thrown between two steps if the server stops. */
class Stopping extends Error {}
/** Thrown if another server has claimed the row. */
class LostClaim extends Error {}

/**
 * Job that makes an archive in steps, each of which may be repeated: it writes the file, reads it back, records it, and only then deletes the
 * entries from the database. It also checks archives.
 */
export function archiveJob(deps: Dependencies, isStopping: () => boolean): Job<ArchiveRow> {
  const { database } = deps;
  const { archiving } = deps.audit;
  const check = () => {
    if (isStopping()) throw new Stopping();
  };

  /** Changes the row and writes the audit entry of `action`, in one commit. @throws LostClaim. */
  async function update(row: ArchiveRow, set: ArchiveChanges, action?: string, next?: ArchiveRow): Promise<ArchiveRow> {
    const { tenant_id: tenantId, id, fence, actor, year } = row;
    const changed = { ...row, ...set };
    await database.unitOfWork.transaction(tenantId, async (work) => {
      if ((await work.update(ARCHIVES, { id, fence }, set)) !== 1) throw new LostClaim();
      if (next) {
        work.insert(ARCHIVES, next);
        work.afterCommit(() => deps.scheduler.wake(ARCHIVE_JOB, tenantId));
      }
      if (action === undefined) return;
      const { name, entries, sha256, message, check_status: checkStatus, check_message: checkMessage } = changed;
      const after =
        action === 'archive.checked' ? { year, name, check: checkStatus, checkMessage } : { year, name, entries, sha256, message };
      deps.audit.record(work, { actor: { ...serviceActor(tenantId), name: actor }, action, resource: `system/archive/${id}`, after });
    });
    return changed;
  }

  async function write(claimed: ArchiveRow): Promise<ArchiveRow> {
    const { year } = claimed;
    const folder = folderOf(deps, (await settingsRow(database.read(claimed.tenant_id), claimed.tenant_id)).folder);
    // The file of a server that was killed before it recorded the file.
    if (claimed.status === 'writing' && claimed.name !== null) removeFiles(claimed);
    checkFolder(folder, 0, 'archive');
    const name = `paydesk-audit-${year}-${randomLetters()}.paydesk-archive`;
    const row = await update(claimed, { status: 'writing', station: computerName(), folder, name, message: null });
    const { version } = serverOf(deps);
    const tenantIds = await deps.tenantIds();
    const input = { year, tenantIds, path: pathOf(row), key: deps.key, version, database: database.kind, archiving, check };
    const written = await writeArchive(input).catch((error: unknown) => {
      removeFiles(row);
      // Only errors of the file system need an explanation.
      throw (error as NodeJS.ErrnoException).syscall === undefined ? error : toBackupRefused(error, 'The archive', folder);
    });
    await saveFrames(year, written.frames);
    const { entries, bytes, sha256 } = written;
    // If the answer to this commit is lost, the archive may be recorded, so that its file must stay.
    return update(row, { status: 'deleting', entries, bytes, sha256 }, 'archive.made');
  }

  function removeFiles(row: ArchiveRow): void {
    for (const end of ['', '.partial']) rmSync(pathOf(row) + end, { force: true });
  }

  /** Saves the positions of the frames, tenant by tenant. Until the archive is recorded, nothing reads them. */
  async function saveFrames(year: number, frames: readonly NewFrame[]): Promise<void> {
    for (const tenantId of await deps.tenantIds()) {
      await database.unitOfWork.transaction(tenantId, async (work) => void (await work.delete(ARCHIVED_FRAMES, { year })));
      const own = frames.filter((frame) => frame.tenant_id === tenantId);
      for (let from = 0; from < own.length; from += FRAME_ROWS_AT_A_TIME) {
        check();
        const block = own.slice(from, from + FRAME_ROWS_AT_A_TIME);
        await database.unitOfWork.transaction(tenantId, async (work) => {
          for (const frame of block) work.insert(ARCHIVED_FRAMES, { ...frame, year });
        });
      }
    }
  }

  /** Deletes the archived entries from the database, after the recorded file was verified. */
  async function deleteEntries(row: ArchiveRow): Promise<ArchiveRow> {
    if (!isOnThisComputer(row)) throw missingFile(row.year, row.name);
    if ((await hashOfFile(pathOf(row))) !== row.sha256) throw new Error(`The file ${row.name} was changed after it was recorded.`);
    for (const tenantId of await deps.tenantIds()) {
      const last = (await framesOfTenant(tenantId, row.year)).at(-1);
      if (last === undefined) continue;
      for (let isDone = false; !isDone; ) {
        check();
        isDone = await archiving.deleteUpTo(tenantId, last.last_n, DELETED_AT_A_TIME);
        await pause(PAUSE_MS);
      }
    }
    const { tenant_id: tenantId, actor } = row;
    const year = await nextYear(deps, (await settingsRow(database.read(tenantId), tenantId)).keep_years);
    const following = year === null || year <= row.year ? undefined : newArchive(tenantId, year, actor);
    const set = { status: 'made', message: null, finished_at: isoTime(Date.now()), ...released(null) } as const;
    return update(row, set, undefined, following);
  }

  const framesOfTenant = (tenantId: string, year: number) =>
    database.read(tenantId).find(ARCHIVED_FRAMES, { year }, { orderBy: [['frame', 'asc']] });

  /** Returns true if entries of an archive are missing in the database. */
  async function hasDeletedEntries({ year }: ArchiveRow): Promise<boolean> {
    for (const tenantId of await deps.tenantIds()) {
      const [first] = await framesOfTenant(tenantId, year);
      if (first && (await archiving.start(tenantId)).n >= first.first_n) return true;
    }
    return false;
  }

  /** Returns why an archive is not what was recorded; null if it is. */
  async function faultOf(row: ArchiveRow): Promise<string | null> {
    if ((await hashOfFile(pathOf(row))) !== row.sha256) return `The file ${row.name} was changed after it was recorded.`;
    const frames = new Map<number, ArchivedFrameRow>();
    const starts = new Map<string, ChainPoint>();
    for (const tenantId of await deps.tenantIds()) {
      const own = await framesOfTenant(tenantId, row.year);
      for (const frame of own) frames.set(frame.frame, frame);
      const [first, last] = [own[0], own.at(-1)];
      if (!first || !last) continue;
      const before = await pointBefore(tenantId, row.year);
      if (before.n + 1 !== first.first_n || before.hash !== first.previous_hash)
        return `The entries of ${tenantId} do not follow those of the archive before.`;
      starts.set(tenantId, before);
      const following = await firstFrameAfter(tenantId, row.year);
      const start = await archiving.start(tenantId);
      const isFollowed = following
        ? following.first_n === last.last_n + 1 && following.previous_hash === last.last_hash
        : start.n === last.last_n && start.hash === last.last_hash;
      if (!isFollowed && row.status === 'made') return `The audit log of ${tenantId} does not continue where this archive ends.`;
    }
    for await (const { frame, lines } of framesOf(pathOf(row), deps.key, row.year)) {
      check();
      const recorded = frames.get(frame);
      const rows = rowsOf(lines);
      if (!recorded || rows.some(({ tenant_id }) => tenant_id !== recorded.tenant_id)) return `Part ${frame} of the file is not recorded.`;
      let last = starts.get(recorded.tenant_id) as ChainPoint;
      for (const entry of rows) {
        const reason = archiving.breakOf(last, entry);
        if (reason !== null) return `The archived log of ${recorded.tenant_id} is broken at entry ${entry.id}: ${reason}.`;
        last = entry;
      }
      if (last.n !== recorded.last_n || last.hash !== recorded.last_hash) return `Part ${frame} of the file is not what was recorded.`;
      starts.set(recorded.tenant_id, { n: last.n, hash: last.hash });
      frames.delete(frame);
    }
    return frames.size === 0 ? null : `${frames.size} parts of the file are missing.`;
  }

  /** Returns the last entry of the archives before a year. */
  async function pointBefore(tenantId: string, year: number): Promise<ChainPoint> {
    const older = await database.read(tenantId).find(
      ARCHIVED_FRAMES,
      {},
      {
        orderBy: [
          ['year', 'desc'],
          ['frame', 'desc'],
        ],
      },
    );
    const last = older.find((frame) => frame.year < year);
    return last ? { n: last.last_n, hash: last.last_hash } : { n: 0, hash: '' };
  }

  async function firstFrameAfter(tenantId: string, year: number): Promise<ArchivedFrameRow | undefined> {
    const recorded = new Set((await recordedArchives(deps)).map((each) => each.year));
    const all = await database.read(tenantId).find(
      ARCHIVED_FRAMES,
      {},
      {
        orderBy: [
          ['year', 'asc'],
          ['frame', 'asc'],
        ],
      },
    );
    return all.find((frame) => frame.year > year && recorded.has(frame.year));
  }

  async function runCheck(row: ArchiveRow): Promise<void> {
    const message = await faultOf(row).catch((error: unknown) => {
      if (error instanceof Stopping) throw error;
      return messageOf(error);
    });
    if (message !== null) deps.report('An archive is not valid', { id: row.id, message });
    const checked_at = isoTime(Date.now());
    await update(
      row,
      { check_status: message === null ? 'good' : 'bad', check_message: message, checked_at, ...released(null) },
      'archive.checked',
    );
  }

  async function runSteps(row: ArchiveRow): Promise<string> {
    let current = row;
    const isRecorded = row.status !== 'waiting' && row.status !== 'writing';
    if (isRecorded && row.station !== computerName() && !isOnThisComputer(row)) {
      await update(row, released(later(realNow(), LEFT_TO_OTHERS_MS)));
      return 'skipped';
    }
    if (row.status === 'made') {
      if (!isOnThisComputer(row)) throw missingFile(row.year, row.name);
      await runCheck(row);
      return 'checked';
    }
    if (!isRecorded) current = await write(row);
    await deleteEntries(current);
    return 'done';
  }

  return {
    name: ARCHIVE_JOB,
    table: ARCHIVES,
    clock: 'real',
    concurrency: 1,
    leaseMs: LEASE_MS,
    async run(claimed) {
      try {
        return await runSteps(claimed);
      } catch (error) {
        if (error instanceof LostClaim) return 'skipped';
        const row = (await database.read(claimed.tenant_id).one(ARCHIVES, { id: claimed.id, fence: claimed.fence })) ?? claimed;
        if (error instanceof Stopping) {
          await update(row, released(realNow()));
          return 'skipped';
        }
        if (row.status === 'made') {
          const check_message = messageOf(error);
          await update(row, { check_status: 'bad', check_message, checked_at: isoTime(Date.now()), ...released(null) }, 'archive.checked');
          return 'failed';
        }
        deps.report('An archive failed', { id: row.id, year: row.year, cause: error });
        const failure = { message: messageOf(error), finished_at: isoTime(Date.now()), ...released(null) };
        // Without deleted entries the year can be archived again, into another file.
        const set = (await hasDeletedEntries(row)) ? { status: 'stopped' as const } : { status: 'failed' as const, sha256: null };
        await update(row, { ...failure, ...set }, 'archive.failed');
        return 'failed';
      }
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
