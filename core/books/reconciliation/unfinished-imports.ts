import { queriesOn, TENANT, type Work } from '#core/database';
import { abandonImport, removalJob } from '#core/platform/imports';
import type { Job } from '#core/platform/scheduling';
import type { Dependencies } from './dependencies.ts';
import { IMPORT_LINES, IMPORTS, type ImportRow } from './schema.ts';

const UNFINISHED = { name: 'reconciliation.remove-unfinished-imports', table: IMPORTS, concurrency: 1 };
const REMOVE_BLOCK = 1_000;

/** Job that removes imports that failed or whose server ended, with their lines. */
export const unfinishedImportsJob = (deps: Dependencies): Job<ImportRow> => removalJob(deps, { ...UNFINISHED, removeBlock });

/** Removes lines of an import. Returns null after the last ones. */
async function removeBlock(work: Work, { id }: ImportRow): Promise<string | null> {
  const queries = queriesOn(IMPORT_LINES);
  const first = queries
    .selectFrom('settlement_import_lines')
    .select('line')
    .where('tenant_id', '=', TENANT)
    .where('import_id', '=', id)
    .orderBy('line')
    .limit(REMOVE_BLOCK);
  const removed = await work.execute(
    queries.deleteFrom('settlement_import_lines').where('tenant_id', '=', TENANT).where('import_id', '=', id).where('line', 'in', first),
  );
  return removed === REMOVE_BLOCK ? id : null;
}

/** Removes an import that no request reads any more. An import that is claimed stays. */
export const removeIfFree = (deps: Dependencies, { tenant_id, id }: ImportRow): Promise<unknown> =>
  deps.scheduler.runOne(UNFINISHED.name, tenant_id, id);

/** Removes a failed import of this request, or a complete one without lines. */
export const removeFailed = (deps: Dependencies, failed: ImportRow): Promise<void> => abandonImport(deps, UNFINISHED, failed);
