import { LostRace, queriesOn, TENANT } from '#core/database';
import { realNow } from '#core/kernel';
import { databaseNow, type Job } from '#core/platform/scheduling';
import { type Dependencies, pause } from './dependencies.ts';
import { IMPORT_LINES, IMPORTS, type ImportRow } from './schema.ts';

const UNFINISHED_JOB = 'reconciliation.remove-unfinished-imports';
/** Time by the database's clock that a request has for each block of lines. */
export const READING_LEASE_MS = 60_000;
const REMOVE_BLOCK = 1_000;

/** Job that removes imports that failed or whose server ended, with their lines. */
export function unfinishedImportsJob(deps: Dependencies): Job<ImportRow> {
  return {
    name: UNFINISHED_JOB,
    table: IMPORTS,
    clock: 'real',
    concurrency: 1,
    leaseMs: READING_LEASE_MS,
    longestWaitMs: 3_600_000,
    async run(unfinished) {
      try {
        await removeImport(deps, unfinished);
        return 'removed';
      } catch (error) {
        // Another run has claimed the import.
        if (error instanceof LostRace) return 'skipped';
        throw error;
      }
    },
  };
}

/** Removes a claimed import in blocks, and its own row with the last one. Its reader adds nothing from then on. @throws LostRace. */
async function removeImport({ database }: Dependencies, { tenant_id, id, fence }: ImportRow): Promise<void> {
  const queries = queriesOn(IMPORT_LINES);
  const first = queries
    .selectFrom('settlement_import_lines')
    .select('line')
    .where('tenant_id', '=', TENANT)
    .where('import_id', '=', id)
    .orderBy('line')
    .limit(REMOVE_BLOCK);
  const removal = queries
    .deleteFrom('settlement_import_lines')
    .where('tenant_id', '=', TENANT)
    .where('import_id', '=', id)
    .where('line', 'in', first);
  for (let isMore = true; isMore; await pause()) {
    const lease_ms = (await databaseNow(database)) + READING_LEASE_MS;
    isMore = await database.unitOfWork.transaction(tenant_id, async (work) => {
      if ((await work.update(IMPORTS, { id, fence }, { status: 'removing', lease_ms })) === 0)
        throw new LostRace('the import was claimed by another run');
      if ((await work.execute(removal)) === REMOVE_BLOCK) return true;
      await work.delete(IMPORTS, { id });
      return false;
    });
  }
}

/** Removes an import that no request reads any more. An import that is claimed stays. */
export const removeIfFree = (deps: Dependencies, { tenant_id, id }: ImportRow): Promise<unknown> =>
  deps.scheduler.runOne(UNFINISHED_JOB, tenant_id, id);

/** Removes a failed import of this request, or a complete one without lines. If the removal fails, the job repeats it when the lease ends. */
export async function removeFailed(deps: Dependencies, failed: ImportRow): Promise<void> {
  const { tenant_id, id, fence } = failed;
  try {
    await deps.database.unitOfWork.transaction(tenant_id, (work) =>
      work.update(IMPORTS, { id, fence }, { status: 'removing', due_ms: realNow(), lease_ms: 0 }),
    );
    await removeIfFree(deps, failed);
  } catch {
    // The failure of the import is reported to the caller.
  }
}
