import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { queriesOn, TENANT } from '#core/database';
import { isoTime, later, realNow, serviceActor } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { ChainPoint } from '#core/records/audit';
import { checkFolder, toBackupRefused } from '#core/records/backup';
import { ARCHIVE_JOB, computerName, type Dependencies, folderOf, isOnThisComputer, pathOf, serverOf } from './dependencies.ts';
import { framesOf, hashOfFile, missingFile, type NewFrame, rowsOf, writeArchive } from './file.ts';
import { recordedArchives } from './read.ts';
import { ARCHIVED_FRAMES, ARCHIVES, type ArchivedFrameRow, type ArchiveRow, CONTENTS, type Contents } from './schema.ts';
import { newArchive, nextYear, settingsRow } from './settings.ts';
import { type ArchivedRow, sourcesOf } from './sources.ts';

/** Lease, long enough for the largest archive. The claims of a killed server are released within seconds. */
const LEASE_MS = 2 * 3_600_000;
/** Delay before an archive whose file only another computer has is looked at again. */
const LEFT_TO_OTHERS_MS = 60_000;
/** Pause after each commit that deletes rows, in which payments are committed. */
const PAUSE_MS = 20;
const FRAME_ROWS_AT_A_TIME = 200;
const NAME_LETTERS = 8;
const FIRST_LETTER = 'a'.charCodeAt(0);
const LETTERS = 26;

/** Returns eight random letters. With digits, a name could look like a card number, which the audit log masks. */
const randomLetters = () => Array.from(randomBytes(NAME_LETTERS), (byte) => String.fromCharCode(FIRST_LETTER + (byte % LETTERS))).join('');

/** Rows of one kind and tenant follow each other. */
const keyOf = ({ contents, tenant_id }: ArchivedFrameRow) => `${contents}/${tenant_id}`;

const framesOfOthers = (contents: Contents) =>
  queriesOn(ARCHIVED_FRAMES).selectFrom('archived_frames').selectAll().where('tenant_id', '=', TENANT).where('contents', '=', contents);

type ArchiveChanges = Partial<Omit<ArchiveRow, 'tenant_id' | 'id' | 'fence'>>;

/** Thrown between two steps if the server stops. */
class Stopping extends Error {}
/** Thrown if another server has claimed the row. */
class LostClaim extends Error {}

/**
 * Job that makes an archive in steps, each of which may be repeated: it writes the file, reads it back, records it, and only then deletes the
 * rows from the database. It also checks archives.
 */
export function archiveJob(deps: Dependencies, isStopping: () => boolean): Job<ArchiveRow> {
  const { database } = deps;
  const sources = sourcesOf(deps);
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
      const { name, entries, events, sha256, message, check_status: checkStatus, check_message: checkMessage } = changed;
      const after =
        action === 'archive.checked' ? { year, name, check: checkStatus, checkMessage } : { year, name, entries, events, sha256, message };
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
    const name = `paydesk-${year}-${randomLetters()}.paydesk-archive`;
    const row = await update(claimed, { status: 'writing', station: computerName(), folder, name, message: null });
    const { version } = serverOf(deps);
    const tenantIds = await deps.tenants.ids();
    const input = { year, tenantIds, path: pathOf(row), key: deps.key, version, database: database.kind, sources, check };
    const written = await writeArchive(input).catch((error: unknown) => {
      removeFiles(row);
      // Only errors of the file system need an explanation.
      throw (error as NodeJS.ErrnoException).syscall === undefined ? error : toBackupRefused(error, 'The archive', folder);
    });
    await saveFrames(year, written.frames);
    const { counts, bytes, sha256 } = written;
    // If the answer to this commit is lost, the archive may be recorded, so that its file must stay.
    return update(row, { status: 'deleting', entries: counts.audit, events: counts.events, bytes, sha256 }, 'archive.made');
  }

  function removeFiles(row: ArchiveRow): void {
    for (const end of ['', '.partial']) rmSync(pathOf(row) + end, { force: true });
  }

  /** Saves the positions of the frames, tenant by tenant. Until the archive is recorded, nothing reads them. */
  async function saveFrames(year: number, frames: readonly NewFrame[]): Promise<void> {
    for (const tenantId of await deps.tenants.ids()) {
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

  /** Deletes the archived rows from the database, after the recorded file was verified. */
  async function deleteRows(row: ArchiveRow): Promise<ArchiveRow> {
    if (!isOnThisComputer(row)) throw missingFile(row.year, row.name);
    if ((await hashOfFile(pathOf(row))) !== row.sha256) throw new Error(`The file ${row.name} was changed after it was recorded.`);
    for (const contents of CONTENTS) {
      const source = sources[contents];
      for (const tenantId of await deps.tenants.ids()) {
        const last = (await framesOfTenant(tenantId, row.year, contents)).at(-1);
        if (last === undefined) continue;
        for (let isDone = false; !isDone; ) {
          check();
          isDone = await source.deleteUpTo(tenantId, last.last_n, source.deletedAtATime);
          await pause(PAUSE_MS);
        }
      }
    }
    const { tenant_id: tenantId, actor } = row;
    const year = await nextYear(deps, (await settingsRow(database.read(tenantId), tenantId)).keep_years);
    const following = year === null || year <= row.year ? undefined : newArchive(tenantId, year, actor);
    const set = { status: 'made', message: null, finished_at: isoTime(Date.now()), ...released(null) } as const;
    return update(row, set, undefined, following);
  }

  const framesOfTenant = (tenantId: string, year: number, contents: Contents) =>
    database.read(tenantId).find(ARCHIVED_FRAMES, { year, contents }, { orderBy: [['frame', 'asc']] });

  /** Returns true if rows of an archive are missing in the database. */
  async function hasDeletedRows({ year }: ArchiveRow): Promise<boolean> {
    for (const contents of CONTENTS) {
      for (const tenantId of await deps.tenants.ids()) {
        const [first] = await framesOfTenant(tenantId, year, contents);
        if (first && (await sources[contents].start(tenantId)).n >= first.first_n) return true;
      }
    }
    return false;
  }

  /** Allows changes of the rows of an archive that was not made. */
  async function release(): Promise<void> {
    for (const contents of CONTENTS) for (const tenantId of await deps.tenants.ids()) await sources[contents].release(tenantId);
  }

  /** Returns why an archive is not what was recorded; null if it is. */
  async function faultOf(row: ArchiveRow): Promise<string | null> {
    if ((await hashOfFile(pathOf(row))) !== row.sha256) return `The file ${row.name} was changed after it was recorded.`;
    const frames = new Map<number, ArchivedFrameRow>();
    const points = new Map<string, ChainPoint>();
    for (const contents of CONTENTS) {
      const { name, isFollowed, start } = sources[contents];
      for (const tenantId of await deps.tenants.ids()) {
        const own = await framesOfTenant(tenantId, row.year, contents);
        for (const frame of own) frames.set(frame.frame, frame);
        const [first, last] = [own[0], own.at(-1)];
        if (!first || !last) continue;
        const before = await pointBefore(first);
        if (!isFollowed(before, first)) return `The part of the ${name} of ${tenantId} does not follow the archive before.`;
        points.set(keyOf(first), before);
        const end = { n: last.last_n, hash: last.last_hash };
        const following = await firstFrameAfter(last);
        const live = await start(tenantId);
        const isContinued = following ? isFollowed(end, following) : live.n === end.n && live.hash === end.hash;
        if (!isContinued && row.status === 'made') return `The ${name} of ${tenantId} does not continue where this archive ends.`;
      }
    }
    for await (const { frame, lines } of framesOf(pathOf(row), deps.key, row.year)) {
      check();
      const recorded = frames.get(frame);
      const rows = rowsOf<ArchivedRow>(lines);
      if (!recorded || rows.some(({ tenant_id }) => tenant_id !== recorded.tenant_id)) return `Part ${frame} of the file is not recorded.`;
      const { name, breakOf, pointOf } = sources[recorded.contents];
      let last = points.get(keyOf(recorded)) as ChainPoint;
      for (const entry of rows) {
        const reason = breakOf(last, entry);
        if (reason !== null) return `The archived ${name} of ${recorded.tenant_id} is broken at ${entry.id}: ${reason}.`;
        last = pointOf(entry);
      }
      if (last.n !== recorded.last_n || last.hash !== recorded.last_hash) return `Part ${frame} of the file is not what was recorded.`;
      points.set(keyOf(recorded), last);
      frames.delete(frame);
    }
    return frames.size === 0 ? null : `${frames.size} parts of the file are missing.`;
  }

  /** Returns the end of the archives of earlier years. */
  async function pointBefore({ tenant_id, contents, year }: ArchivedFrameRow): Promise<ChainPoint> {
    const frames = framesOfOthers(contents).where('year', '<', year).orderBy('year', 'desc').orderBy('frame', 'desc');
    const last = await database.read(tenant_id).row(frames.limit(1));
    return last ? { n: last.last_n, hash: last.last_hash } : { n: 0, hash: '' };
  }

  /** Returns the beginning of the archives of later years. */
  async function firstFrameAfter({ tenant_id, contents, year }: ArchivedFrameRow): Promise<ArchivedFrameRow | null> {
    const recorded = (await recordedArchives(deps)).map((each) => each.year);
    const frames = framesOfOthers(contents).where('year', '>', year).where('year', 'in', recorded).orderBy('year').orderBy('frame');
    return database.read(tenant_id).row(frames.limit(1));
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
    await deleteRows(current);
    return 'done';
  }

  return {
    name: ARCHIVE_JOB,
    table: ARCHIVES,
    clock: 'real',
    concurrency: 1,
    leaseMs: LEASE_MS,
    longestWaitMs: 3_600_000,
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
        // Without deleted rows the year can be archived again, into another file.
        const set = (await hasDeletedRows(row)) ? { status: 'stopped' as const } : { status: 'failed' as const, sha256: null };
        // Before the update, so that both are repeated after a kill. Rows of a recorded file stay as they are until it is given up.
        if (row.status === 'writing') await release();
        await update(row, { ...failure, ...set }, 'archive.failed');
        if (row.status !== 'writing' && set.status === 'failed') await release();
        return 'failed';
      }
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
