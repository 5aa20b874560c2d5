import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, LostRace, type Work } from '#core/database';
import type { Job } from '#core/platform/scheduling';
import { claimsOf, type ImportKind, leaseEnd, type ReadingRow } from './lifecycle.ts';

/** Imports whose lines a job removes. */
interface RemovableImports<Row extends ReadingRow> extends ImportKind<Row> {
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
  imports: RemovableImports<Row>,
): Job<Row> {
  const { name, table, leaseMs, concurrency, lock, removeBlock } = imports;
  const claims = claimsOf(table);
  const removeNext = async (row: Row, after: string | null): Promise<string | null> => {
    const { tenant_id, id, fence } = row;
    const lease_ms = await leaseEnd(database, imports);
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
    leaseMs,
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
