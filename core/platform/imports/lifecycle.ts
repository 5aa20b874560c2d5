import { setTimeout as wait } from 'node:timers/promises';
import { type Database, type GuardedUpdate, LostRace, type Table, type Work } from '#core/database';
import { assert, realNow, ServiceError } from '#core/kernel';
import { claimRow, type DueRow, databaseNow, released, type Scheduler } from '#core/platform/scheduling';

/** Longest time that an import waits for another one. */
const WAIT_MS = 10_000;
const CHECK_MS = 50;

/**
 * Row of an import. It is due from its begin to its end, so that a job finds it if the request that reads the file fails or its server ends. Until then
 * its lease keeps the job away.
 */
export interface ReadingRow extends DueRow {
  readonly status: string;
}

/** Imports of a capability. */
export interface ImportKind<Row extends ReadingRow> {
  /** Name of the job that removes unfinished imports. */
  readonly name: string;
  readonly table: Table<Row>;
  /** Time by the database's clock that a request has for each block of a file. */
  readonly leaseMs: number;
}

interface Dependencies {
  readonly database: Database;
  readonly scheduler: Pick<Scheduler, 'runOne'>;
}

/** Inserts an import and claims it for the request that reads its file. */
export async function beginImport<Row extends ReadingRow>(
  { database }: Pick<Dependencies, 'database'>,
  { table, leaseMs }: ImportKind<Row>,
  work: Work,
  row: Row,
): Promise<Row> {
  work.insert(table, row);
  const claimed = await claimRow(database, work, table, row.id, leaseMs);
  assert(claimed, 'a new import is free');
  return claimed;
}

/**
 * Returns the statement that stores the progress of a request and renews its lease. It fails if the job that removes unfinished imports has claimed the
 * import since.
 */
export const keepReading = <Row extends ReadingRow>(table: Table<Row>, ...progress: (keyof Row & string)[]): GuardedUpdate<Row> => ({
  table,
  where: ['tenant_id', 'id', 'fence'],
  set: ['lease_ms', ...progress],
  guard: "status = 'reading'",
});

/** Returns the end of a lease that begins now. */
export const leaseEnd = async (database: Database, { leaseMs }: { readonly leaseMs: number }): Promise<number> =>
  (await databaseNow(database)) + leaseMs;

/** Completes an import with its last values. @throws LostRace if it was removed as abandoned. */
export async function completeImport<Row extends ReadingRow>(
  work: Work,
  { table }: Pick<ImportKind<Row>, 'table'>,
  { id, fence }: Row,
  values: Partial<Row>,
): Promise<void> {
  const completed = { ...values, status: 'ready', ...released(null) };
  if ((await work.update(claimsOf(table), { id, fence, status: 'reading' }, completed)) === 0)
    throw new LostRace('the import was claimed by another run');
}

/** Runs a step of an import that has begun. If it fails, nothing of the import remains. @throws ServiceError RESOURCE_CONFLICT if the lease has ended. */
export async function orAbandon<Result>(step: () => Promise<Result>, abandon: () => Promise<void>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof LostRace)
      throw new ServiceError('RESOURCE_CONFLICT', 'The import stopped for too long and was removed. Send the file again.', {
        field: 'file',
      });
    await abandon();
    throw error;
  }
}

/** Ends the claim of a failed import, or of a complete one without lines, and removes it. If that fails as well, the job does it when the lease ends. */
export async function abandonImport<Row extends ReadingRow>(
  { database, scheduler }: Dependencies,
  { name, table }: Pick<ImportKind<Row>, 'name' | 'table'>,
  { tenant_id, id, fence }: Row,
): Promise<void> {
  const abandoned = { status: 'removing', lease_ms: 0, due_ms: realNow() };
  try {
    await database.unitOfWork.transaction(tenant_id, (work) => work.update(claimsOf(table), { id, fence }, abandoned));
    await scheduler.runOne(name, tenant_id, id);
  } catch {
    // The failure of the import is reported to the caller.
  }
}

/** An import that is not complete. */
interface Unfinished {
  readonly id: string;
  readonly status: string;
  readonly fingerprint: string;
  readonly lease_ms: number;
}

/**
 * Returns when no unfinished import is found: removes those whose request has ended, and waits for the others. @throws ServiceError RESOURCE_CONFLICT
 * with `details.importId` and `details.retryAfter` if one of them reads the same file, or after ten seconds.
 */
export async function awaitUnfinished<Row extends ReadingRow>(
  { database, scheduler }: Dependencies,
  { name }: Pick<ImportKind<Row>, 'name'>,
  { tenantId, fingerprint }: { readonly tenantId: string; readonly fingerprint: string },
  find: () => Promise<readonly Unfinished[]>,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += CHECK_MS) {
    let found = await find();
    for (const { id } of found) await scheduler.runOne(name, tenantId, id);
    if (found.length > 0) found = await find();
    const [first] = found;
    if (first === undefined) return;
    const same = found.find((each) => each.status === 'reading' && each.fingerprint === fingerprint);
    if (same !== undefined || waitedMs >= WAIT_MS) throw beingImported(same ?? first, fingerprint, await databaseNow(database));
    await wait(CHECK_MS);
  }
}

/** An import of a server that does not answer is removed when its lease ends; the file can then be sent again. */
function beingImported({ id, lease_ms, fingerprint }: Unfinished, own: string, nowMs: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((Number(lease_ms) - nowMs) / 1_000) + 1);
  const message =
    fingerprint === own
      ? `This file is being imported. If that fails, it can be sent again in ${retryAfter} seconds.`
      : 'Another file is being imported. Send this file again when that import is complete.';
  return new ServiceError('RESOURCE_CONFLICT', message, {
    field: 'file',
    details: { reason: 'importing', importId: id, status: 'reading', retryAfter },
  });
}

/** Returns the table as far as every import has its columns. */
export const claimsOf = <Row extends ReadingRow>(table: Table<Row>) => table as unknown as Table<ReadingRow>;
