import type { PageRequest } from '#core/database';
import { type Actor, parseDate } from '#core/kernel';
import { askFor, compareJob } from './comparisons.ts';
import { type By, type Dependencies, scopeFor } from './dependencies.ts';
import { type ImportInput, importFile } from './import.ts';
import { type Day, days, type ItemKind, items, lastReport, type Report, reportOf, runs, todayOf } from './read.ts';
import { resolve } from './resolve.ts';
import { run, type Wanted } from './run.ts';
import { COMPARISONS, IMPORT_LINES, IMPORTS, ITEMS, RUNS } from './schema.ts';
import { removeLeftovers } from './temporary-folder.ts';

export type { Imported } from './import.ts';
export type { Mapping } from './mapping.ts';
export { type Day, ITEM_KINDS, type ItemKind, type Report } from './read.ts';
export type { Item, Run } from './report.ts';
export { DISCREPANCY_TYPES } from './schema.ts';
export { type Spooled, spool } from './upload-file.ts';

export const TABLES = [RUNS, ITEMS, IMPORTS, IMPORT_LINES, COMPARISONS];

/** Comparison of our settlements with those of processors (specification 2.8, 4.13; decisions 9, 11). */
export function createReconciliation(deps: Dependencies) {
  async function compare(actor: Actor, wanted: Wanted): Promise<Report> {
    return reportOf(deps, actor, await run(deps, actor, wanted));
  }

  async function report(actor: Actor, of: { readonly date?: string; readonly merchantId?: string }): Promise<Report> {
    const scope = await scopeFor(deps, actor, of.merchantId);
    const date = of.date === undefined ? todayOf(deps, actor, scope) : parseDate(of.date, 'date');
    const last = await lastReport(deps, actor, scope, date);
    if (last.report) return last.report;
    return compare(actor, { ...of, date, ...(last.importId === null ? {} : { importId: last.importId }) });
  }

  void removeLeftovers();
  deps.scheduler.register(compareJob(deps, report));
  return {
    /** The last run of a date, today when none is named; runs it where there is none, or where more was settled for the date since. */
    report,
    /** Compares a date with the gateway's report, or with an imported file, and keeps the run. */
    run: (actor: Actor, wanted: Wanted): Promise<Report> => compare(actor, { ...wanted, date: parseDate(wanted.date, 'date') }),
    runs: (actor: By, of: { readonly merchantId?: string; readonly date?: string }, at: PageRequest) => runs(deps, actor, of, at),
    items: (actor: By, runId: string, kind: ItemKind, at: PageRequest) => items(deps, actor, runId, kind, at),
    /** Returns every day of a month with its state. Settled days that were not compared are compared soon, and published as a change. */
    async days(actor: By, of: { readonly month?: string; readonly merchantId?: string }): Promise<Day[]> {
      const found = await days(deps, actor, of);
      await askFor(deps, actor, of.merchantId, found);
      return found;
    },
    resolve: (actor: Actor, id: string, note: string) => resolve(deps, actor, id, note),
    importFile: (actor: Actor, input: ImportInput) => importFile(deps, actor, input),
  };
}
