import { queriesOn, TENANT, type Work } from '#core/database';
import { type ImportKind, removalJob } from '#core/platform/imports';
import type { Job } from '#core/platform/scheduling';
import type { Dependencies } from './dependencies.ts';
import { IMPORT_LINES, IMPORTS, type ImportRow } from './schema.ts';

export const SETTLEMENT_FILES: ImportKind<ImportRow> = {
  name: 'reconciliation.remove-unfinished-imports',
  table: IMPORTS,
  leaseMs: 60_000,
};
const REMOVE_BLOCK = 1_000;

/** Job that removes imports that failed or whose server ended, with their lines. */
export const unfinishedImportsJob = (deps: Dependencies): Job<ImportRow> =>
  removalJob(deps, { ...SETTLEMENT_FILES, concurrency: 1, removeBlock });

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
