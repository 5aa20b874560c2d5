import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, LostRace, type Table, type Work } from '#core/database';
import { realNow } from '#core/kernel';
import { type DueRow, databaseNow, type Job, type Scheduler } from '#core/platform/scheduling';

export { foreignReason } from './foreign-formats.ts';

/** Time by the database's clock that a request has for each block of a file. */
export const READING_LEASE_MS = 60_000;

/** Row of an import. It is due from its begin to its end, so that the job finds it if the request that reads the file fails or its server ends. */
interface ReadingRow extends DueRow {
  readonly status: string;
}

/** Unfinished imports of a capability. */
interface UnfinishedImports<Row extends ReadingRow> {
  readonly name: string;
  readonly table: Table<Row>;
  readonly concurrency: number;
  /** Removes a block of lines in a unit of work. `after` is the result of the block before, null for the first. Returns null after the last one. */
  readonly removeBlock: (work: Work, row: Row, after: string | null) => Promise<string | null>;
  /** Takes locks before the import is locked. */
  readonly lock?: (work: Work, row: Row) => Promise<unknown>;
}

/**
 * Job that removes imports that failed or whose server ended: their lines in blocks, and the row of the import with the last block. The request that read the
 * file adds nothing from then on.
 */
export function removalJob<Row extends ReadingRow>(
  { database }: { readonly database: Database },
  imports: UnfinishedImports<Row>,
): Job<Row> {
  const { name, table, concurrency, lock, removeBlock } = imports;
  const claims = claimsOf(table);
  const removeNext = async (row: Row, after: string | null): Promise<string | null> => {
    const { tenant_id, id, fence } = row;
    const lease_ms = (await databaseNow(database)) + READING_LEASE_MS;
    return database.unitOfWork.transaction(tenant_id, async (work) => {
      await lock?.(work, row);
      if ((await work.update(claims, { id, fence }, { status: 'removing', lease_ms })) === 0)
        throw new LostRace('the import was claimed by another run');
      const last = await removeBlock(work, row, after);
      if (last === null) await work.delete(claims, { id });
      return last;
    });
  };
  return {
    name,
    table,
    clock: 'real' as Job<Row>['clock'],
    concurrency,
    leaseMs: READING_LEASE_MS,
    longestWaitMs: 3_600_000,
    async run(row) {
      try {
        for (let after = await removeNext(row, null); after !== null; after = await removeNext(row, after)) await nextTurn();
        return 'removed';
      } catch (error) {
        // Another run has claimed the import, or it was removed with its owner.
        if (error instanceof LostRace) return 'skipped';
        throw error;
      }
    },
  };
}

/** Ends the claim of a failed import, or of a complete one without lines, and removes it. If that fails as well, the job does it when the lease ends. */
export async function abandonImport<Row extends ReadingRow>(
  { database, scheduler }: { readonly database: Database; readonly scheduler: Pick<Scheduler, 'runOne'> },
  { name, table }: Pick<UnfinishedImports<Row>, 'name' | 'table'>,
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

/** Returns the table as far as every import has its columns. */
const claimsOf = <Row extends ReadingRow>(table: Table<Row>) => table as unknown as Table<ReadingRow>;
