import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entryHash } from '#core/audit';
import { isoTime, later, realNow, serviceActor } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { BACKUP_JOB, type Dependencies, ownName, SCHEDULE_ID, stationOf } from './dependencies.ts';
import type { Findings } from './examine.ts';
import { checkFolder, isOurName, newName, removePartials } from './folder.ts';
import { BackupRefused } from './refused.ts';
import { folderOf } from './schedule.ts';
import { BACKUP_SCHEDULES, BACKUPS, type BackupRow } from './schema.ts';

/** Long enough for the largest; a station that died is known by it. On one machine its start frees what it had. */
const LEASE_MS = 2 * 3_600_000;
/** A check that only another machine can do is left to it, and looked at again this much later. */
const LEFT_TO_OTHERS_MS = 60_000;
/** Failures that stay on the list. */
const FAILED_KEPT = 20;
const MAGIC = 'PAYDESK BACKUP';

type Set = Partial<Omit<BackupRow, 'tenant_id' | 'id' | 'fence'>>;

/** Job that makes a backup and rehearses its restore, or rehearses an existing one (experience 2.18). */
export function backupJob(deps: Dependencies): Job<BackupRow> {
  /** Changes the row if this job still holds it, writes the audit entry of `action`, and deletes the rows of `gone`, in one commit. Returns false if another job holds it. */
  async function note(row: BackupRow, set: Set, action?: string, gone: readonly BackupRow[] = []): Promise<boolean> {
    const { tenant_id: tenantId, id, fence, actor } = row;
    return deps.database.unitOfWork.run(tenantId, async (work) => {
      if ((await work.update(BACKUPS, { id, fence }, set)) !== 1) return false;
      if (action !== undefined) {
        const { name, bytes, transactions, message, check_status: check, check_message: checkMessage } = set;
        const after = { name: name ?? row.name, bytes, transactions, message, check, checkMessage };
        deps.audit(work, { actor: { ...serviceActor(tenantId), name: actor }, action, resource: `system/backup/${id}`, after });
      }
      for (const each of gone) await work.delete(BACKUPS, { id: each.id });
      const names = gone.filter(({ status }) => status === 'made').map(({ name }) => name);
      if (names.length > 0)
        deps.audit(work, { actor: serviceActor(tenantId), action: 'backup.removed', resource: 'system/backup', before: { names } });
      return true;
    });
  }

  /** A damaged database takes no note of a backup that failed: the scheduler reports it. */
  function assertIntact(): void {
    const { damage } = deps.database.health();
    if (damage) throw damage;
  }

  async function makeIt(row: BackupRow): Promise<BackupRow | null> {
    const station = stationOf(deps);
    const schedule = await deps.database.read(row.tenant_id).one(BACKUP_SCHEDULES, { id: SCHEDULE_ID });
    const folder = folderOf(deps, schedule?.folder ?? null);
    await note(row, { status: 'running', station: ownName() });
    try {
      await station.checkIntegrity();
      assertIntact();
      // The thread measures the rows and checks the room for them.
      checkFolder(folder, 0);
      removePartials(folder);
      const createdAt = new Date();
      const name = newName(folder, createdAt);
      const made = await station.run({
        kind: 'make',
        from: station.from,
        tables: deps.tables,
        masterKey: await deps.masterKey(),
        to: join(folder, name),
        createdAt: createdAt.toISOString(),
        version: station.version,
      });
      const set: Set = {
        status: 'made',
        folder,
        name,
        bytes: made.bytes,
        transactions: made.transactions,
        row_count: made.rows,
        finished_at: isoTime(Date.now()),
        check_status: 'running',
      };
      if (await note(row, set, 'backup.made')) return { ...row, ...set };
      rmSync(join(folder, name), { force: true });
      return null;
    } catch (error) {
      if (error instanceof BackupRefused && error.reason === 'database-damaged') await station.checkIntegrity();
      assertIntact();
      const message = wordsOf(error);
      deps.report('A backup was not made', { id: row.id, folder, cause: error });
      await note(row, { status: 'failed', message, finished_at: isoTime(Date.now()), ...released(null) }, 'backup.failed');
      return null;
    }
  }

  async function checkIt(row: BackupRow): Promise<void> {
    const station = stationOf(deps);
    const file = join(row.folder ?? '', row.name ?? '');
    const done = { checked_at: isoTime(Date.now()), ...released(null) };
    try {
      if (!isHere(row)) throw new BackupRefused('failed', `The backup is not in its folder on this computer (${ownName()}).`);
      const findings = await station.run({ kind: 'check', file, masterKey: await deps.masterKey(), folder: station.dataDir });
      const fault = findings.fault ?? (await faultOfLiveLog(findings));
      const found = { check_status: fault === null ? ('good' as const) : ('bad' as const), check_message: fault };
      const gone = fault === null ? await removeOldFiles(row) : [];
      await note(row, { ...done, ...found, findings: JSON.stringify({ ...findings, heads: undefined }) }, 'backup.checked', gone);
      if (fault !== null) deps.report('A backup was found to be faulty', { id: row.id, fault });
    } catch (error) {
      deps.report('A backup could not be opened', { id: row.id, cause: error });
      await note(row, { ...done, check_status: 'bad', check_message: wordsOf(error), findings: null }, 'backup.checked');
    }
  }

  /** A log that was set back as a whole fits together; that it no longer holds what a backup has seen gives it away. */
  async function faultOfLiveLog({ heads }: Findings): Promise<string | null> {
    for (const { tenant_id: tenantId, n, hash } of heads) {
      if ((await entryHash(deps.database.read(tenantId), n)) !== hash)
        return `The audit log of ${tenantId} no longer holds what this backup has seen of it: entry ${n} is another.`;
    }
    return null;
  }

  /**
   * Removes the files of backups that the schedule no longer keeps: files that this job made, has a row of, and finds to be backups.
   * Returns the rows to delete: of these backups, and of old failed ones. A backup whose file cannot be removed keeps its row.
   */
  async function removeOldFiles({ tenant_id: tenantId, folder }: BackupRow): Promise<BackupRow[]> {
    const read = deps.database.read(tenantId);
    const keep = (await read.one(BACKUP_SCHEDULES, { id: SCHEDULE_ID }))?.keep ?? Number.POSITIVE_INFINITY;
    // Backups on other machines are counted and removed there.
    const mine = { status: 'made', folder: folder ?? '', station: ownName() } as const;
    const made = await read.find(BACKUPS, mine, { orderBy: [['id', 'desc']] });
    const failed = await read.find(BACKUPS, { status: 'failed' }, { orderBy: [['id', 'desc']] });
    const old = made.slice(keep).filter(({ due_ms }) => due_ms === null);
    const removed = old.filter((row) => {
      const path = join(row.folder ?? '', row.name ?? '');
      try {
        if (row.name !== null && isOurName(row.name) && isBackup(path)) rmSync(path);
        return true;
      } catch (cause) {
        deps.report('An old backup could not be removed', { id: row.id, path, cause });
        return false;
      }
    });
    return [...removed, ...failed.slice(FAILED_KEPT)];
  }

  return {
    name: BACKUP_JOB,
    table: BACKUPS,
    clock: 'real',
    atOnce: 1,
    leaseMs: LEASE_MS,
    async run(row) {
      if (row.status === 'made' && row.station !== ownName() && !isHere(row)) {
        await note(row, released(later(realNow(), LEFT_TO_OTHERS_MS)));
        return 'skipped';
      }
      const made = row.status === 'made' ? row : await makeIt(row);
      if (made === null) return 'failed';
      if (row.status === 'made') await note(row, { check_status: 'running' });
      await checkIt(made);
      return 'done';
    },
  };
}

/** Returns true if the file of a backup is available on this computer: it made the backup, or it shares the folder. */
export const isHere = ({ folder, name }: Pick<BackupRow, 'folder' | 'name'>) => existsSync(join(folder ?? '', name ?? ''));

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function isBackup(path: string): boolean {
  if (!existsSync(path)) return false;
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(MAGIC.length);
    return readSync(fd, start, 0, start.length, 0) === start.length && start.toString('latin1') === MAGIC;
  } finally {
    closeSync(fd);
  }
}
