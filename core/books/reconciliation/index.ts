import type { Read } from '#core/database';
import { type Actor, bind, type Caller, parseDate } from '#core/kernel';
import { compareJob, requestComparisons, settlementClosed } from './comparisons.ts';
import { type Dependencies, type Scope, scopeFor } from './dependencies.ts';
import { importFile } from './import.ts';
import { days, daysOfMonth, items, lastReport, openDiscrepancies, reportOf, runs, todayOf } from './read.ts';
import type { Reconciliation, ReconciliationDay } from './records.ts';
import { reopen, resolve } from './resolve.ts';
import { type ComparisonInput, removeIncompleteRuns, run } from './run.ts';
import { COMPARISONS, IMPORT_LINES, IMPORTS, ITEMS, RUNS } from './schema.ts';
import { removeLeftovers } from './temporary-folder.ts';
import { unfinishedImportsJob } from './unfinished-imports.ts';

export type { Mapping } from './mapping.ts';
export { ITEM_KINDS, type ItemKind } from './read.ts';
export { READABLE_RUNS } from './read-model.ts';
export { Discrepancy, Reconciliation, ReconciliationDay, ReconciliationImport, ReconciliationItem, ReconciliationRun } from './records.ts';
export { encodingOf, storeUpload, type UploadedFile } from './upload-file.ts';

export const TABLES = [RUNS, ITEMS, IMPORTS, IMPORT_LINES, COMPARISONS];

/** Comparison of our settlements with those of processors. */
export function createReconciliation(deps: Dependencies) {
  async function compare(actor: Actor, input: ComparisonInput, isRequested = false): Promise<Reconciliation> {
    return reportOf(deps, actor, await run(deps, actor, input, isRequested));
  }

  /** Reports in progress by tenant, scope and date, so that a reader and the service do not compare a day twice. */
  const running = new Map<string, Promise<unknown>>();

  async function report(actor: Actor, input: { readonly date?: string; readonly merchantId?: string }): Promise<Reconciliation> {
    const scope = await scopeFor(deps, actor, input.merchantId);
    const date = input.date === undefined ? todayOf(deps, actor, scope) : parseDate(input.date, 'date');
    const key = `${actor.tenantId}/${scope.scope}/${date}`;
    const previous = running.get(key);
    const next = (previous ?? Promise.resolve()).then(() => readOrCompare(actor, input, scope, date));
    const settled = next.catch(() => undefined);
    running.set(key, settled);
    try {
      return await next;
    } finally {
      if (running.get(key) === settled) running.delete(key);
    }
  }

  async function readOrCompare(actor: Actor, input: { readonly merchantId?: string }, scope: Scope, date: string): Promise<Reconciliation> {
    const last = await lastReport(deps, actor, scope, date);
    if (last.report) return last.report;
    return compare(actor, { ...input, date, ...(last.importId === null ? {} : { importId: last.importId }) });
  }

  void removeLeftovers();
  deps.scheduler.register(compareJob(deps, report));
  deps.scheduler.register(unfinishedImportsJob(deps));
  return {
    /**
     * Returns the last run of a date, by default today. Compares the date first if there is no run, or if its settlements have changed
     * since.
     */
    report,
    /** Compares a date with the gateway's report or an imported file, and stores the run. */
    run: (actor: Actor, input: ComparisonInput): Promise<Reconciliation> =>
      compare(actor, { ...input, date: parseDate(input.date, 'date') }, true),
    ...bind(deps, { runs, items }),
    /** Returns every day of a month with its state. Settled days that were not compared are compared soon, and published as a change. */
    async days(actor: Caller, input: { readonly month?: string; readonly merchantId?: string }): Promise<ReconciliationDay[]> {
      const found = await days(deps, actor, input);
      await requestComparisons(deps, actor, input.merchantId, found);
      return found;
    },
    ...bind(deps, { openDiscrepancies, settlementClosed, cleanUp: removeIncompleteRuns }),
    /** Returns the days of a month of one merchant, as a unit of work or a read sees them. */
    daysIn: (read: Read, { month, merchantId }: { readonly month: string; readonly merchantId: string }) =>
      daysOfMonth(read, merchantId, month),
    ...bind(deps, { resolve, reopen, importFile }),
  };
}
