import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime, later, realNow, serviceActor } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { entryHash } from '#core/records/audit';
import { BackupRefused } from './backup-refused.ts';
import { BACKUP_JOB, computerName, type Dependencies, SCHEDULE_ID, serverOf } from './dependencies.ts';
import type { Findings } from './examine.ts';
import { checkFolder, isOurName, newName, removePartials } from './folder.ts';
import { folderOf } from './schedule.ts';
import { BACKUP_SCHEDULES, BACKUPS, type BackupRow } from './schema.ts';

/**
 * Lease, long enough for the largest backup. If a server stops, its lease ends after this time; on a single computer, the next start
 * releases it.
 */
const LEASE_MS = 2 * 3_600_000;
/** Delay before a check that only another computer can do is looked at again. */
const LEFT_TO_OTHERS_MS = 60_000;
/** Number of failed backups that stay on the list. */
const FAILED_KEPT = 20;
const MAGIC = 'PAYDESK BACKUP';

type BackupChanges = Partial<Omit<BackupRow, 'tenant_id' | 'id' | 'fence'>>;

/** Job that makes a backup and rehearses its restore, or rehearses an existing one. */
export function backupJob(deps: Dependencies): Job<BackupRow> {
  /**
   * Changes the row if this job still holds it, writes the audit entry of `action`, and deletes `rowsToDelete`, in one commit. Returns
   * false if another job holds it.
   */
  async function updateRow(row: BackupRow, set: BackupChanges, action?: string, rowsToDelete: readonly BackupRow[] = []): Promise<boolean> {
    const { tenant_id: tenantId, id, fence, actor } = row;
    return deps.database.unitOfWork.transaction(tenantId, async (work) => {
      if ((await work.update(BACKUPS, { id, fence }, set)) !== 1) return false;
      if (action !== undefined) {
        const { name, bytes, transactions, message, check_status: check, check_message: checkMessage } = set;
        const after = { name: name ?? row.name, bytes, transactions, message, check, checkMessage };
        deps.audit(work, { actor: { ...serviceActor(tenantId), name: actor }, action, resource: `system/backup/${id}`, after });
      }
      for (const each of rowsToDelete) await work.delete(BACKUPS, { id: each.id });
      const names = rowsToDelete.filter(({ status }) => status === 'made').map(({ name }) => name);
      if (names.length > 0)
        deps.audit(work, { actor: serviceActor(tenantId), action: 'backup.removed', resource: 'system/backup', before: { names } });
      return true;
    });
  }

  /** Throws the damage of the database. A damaged database cannot record a failed backup, so the scheduler reports it. */
  function assertIntact(): void {
    const { damage } = deps.database.health();
    if (damage) throw damage;
  }

  async function makeBackup(row: BackupRow): Promise<BackupRow | null> {
    const server = serverOf(deps);
    const schedule = await deps.database.read(row.tenant_id).one(BACKUP_SCHEDULES, { id: SCHEDULE_ID });
    const folder = folderOf(deps, schedule?.folder ?? null);
    await updateRow(row, { status: 'running', station: computerName() });
    try {
      await server.checkIntegrity();
      assertIntact();
      // The thread measures the rows and checks the room for them.
      checkFolder(folder, 0);
      removePartials(folder);
      const createdAt = new Date();
      const name = newName(folder, createdAt);
      const result = await server.run({
        kind: 'make',
        from: server.from,
        tables: deps.tables,
        masterKey: await deps.masterKey(),
        to: join(folder, name),
        createdAt: createdAt.toISOString(),
        version: server.version,
      });
      const set: BackupChanges = {
        status: 'made',
        folder,
        name,
        bytes: result.bytes,
        transactions: result.transactions,
        row_count: result.rows,
        finished_at: isoTime(Date.now()),
        check_status: 'running',
      };
      if (await updateRow(row, set, 'backup.made')) return { ...row, ...set };
      rmSync(join(folder, name), { force: true });
      return null;
    } catch (error) {
      if (error instanceof BackupRefused && error.reason === 'database-damaged') await server.checkIntegrity();
      assertIntact();
      const message = messageOf(error);
      deps.report('A backup failed', { id: row.id, folder, cause: error });
      await updateRow(row, { status: 'failed', message, finished_at: isoTime(Date.now()), ...released(null) }, 'backup.failed');
      return null;
    }
  }

  async function rehearseRestore(row: BackupRow): Promise<void> {
    const server = serverOf(deps);
    const file = join(row.folder ?? '', row.name ?? '');
    const finished = { checked_at: isoTime(Date.now()), ...released(null) };
    try {
      if (!isOnThisComputer(row))
        throw new BackupRefused('failed', `The backup is not in its folder on this computer (${computerName()}).`);
      const findings = await server.run({ kind: 'check', file, masterKey: await deps.masterKey(), folder: server.dataDir });
      const fault = findings.fault ?? (await faultOfLiveLog(findings));
      const result = { check_status: fault === null ? ('good' as const) : ('bad' as const), check_message: fault };
      const rowsToDelete = fault === null ? await removeOldFiles(row) : [];
      await updateRow(
        row,
        { ...finished, ...result, findings: JSON.stringify({ ...findings, heads: undefined }) },
        'backup.checked',
        rowsToDelete,
      );
      if (fault !== null) deps.report('A backup cannot be restored', { id: row.id, fault });
    } catch (error) {
      deps.report('A backup could not be verified', { id: row.id, cause: error });
      await updateRow(row, { ...finished, check_status: 'bad', check_message: messageOf(error), findings: null }, 'backup.checked');
    }
  }

  /**
   * Returns the fault of a live audit log. A log that was reset as a whole is consistent, but no longer contains the entry that the backup
   * recorded.
   */
  async function faultOfLiveLog({ heads }: Findings): Promise<string | null> {
    for (const { tenant_id: tenantId, n, hash } of heads) {
      // The check of the archive verifies an archived entry.
      if (n < (await deps.archivedEntries(tenantId))) continue;
      if ((await entryHash(deps.database.read(tenantId), n)) !== hash)
        return `The audit log of ${tenantId} no longer contains what this backup recorded: entry ${n} differs.`;
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
    const madeHere = { status: 'made', folder: folder ?? '', station: computerName() } as const;
    const completed = await read.find(BACKUPS, madeHere, { orderBy: [['id', 'desc']] });
    const failed = await read.find(BACKUPS, { status: 'failed' }, { orderBy: [['id', 'desc']] });
    const old = completed.slice(keep).filter(({ due_ms }) => due_ms === null);
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
    concurrency: 1,
    leaseMs: LEASE_MS,
    longestWaitMs: 3_600_000,
    async run(row) {
      if (row.status === 'made' && row.station !== computerName() && !isOnThisComputer(row)) {
        await updateRow(row, released(later(realNow(), LEFT_TO_OTHERS_MS)));
        return 'skipped';
      }
      const backup = row.status === 'made' ? row : await makeBackup(row);
      if (backup === null) return 'failed';
      if (row.status === 'made') await updateRow(row, { check_status: 'running' });
      await rehearseRestore(backup);
      return 'done';
    },
  };
}

/** Returns true if the file of a backup is available on this computer: it made the backup, or it shares the folder. */
export const isOnThisComputer = ({ folder, name }: Pick<BackupRow, 'folder' | 'name'>) => existsSync(join(folder ?? '', name ?? ''));

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

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
