import type { PageOf } from '#core/database';
import { type Actor, parseDate } from '#core/kernel';
import { askFor, compareJob } from './comparisons.ts';
import { type ImportInput, importFile } from './import.ts';
import { type By, type Needs, scopeFor } from './needs.ts';
import { type Day, days, type ItemKind, items, lastReport, type Report, reportOf, runs, todayOf } from './read.ts';
import { resolve } from './resolve.ts';
import { run, type Wanted } from './run.ts';
import { COMPARISONS, IMPORT_LINES, IMPORTS, ITEMS, RUNS } from './schema.ts';
import { removeLeftovers } from './temporary.ts';

export type { Imported } from './import.ts';
export type { Mapping } from './mapping.ts';
export { type Day, ITEM_KINDS, type ItemKind, type Report } from './read.ts';
export type { Item, Run } from './report.ts';
export { DISCREPANCY_TYPES } from './schema.ts';
export { type Spooled, spool } from './spool.ts';

export const TABLES = [RUNS, ITEMS, IMPORTS, IMPORT_LINES, COMPARISONS];

/** Where what we settled is held against what others say of it (specification 2.8, 4.13; decisions 9, 11). */
export function createReconciliation(on: Needs) {
  async function compare(by: Actor, wanted: Wanted): Promise<Report> {
    return reportOf(on, by, await run(on, by, wanted));
  }

  async function report(by: Actor, of: { readonly date?: string; readonly merchantId?: string }): Promise<Report> {
    const scope = await scopeFor(on, by, of.merchantId);
    const date = of.date === undefined ? todayOf(on, by, scope) : parseDate(of.date, 'date');
    const last = await lastReport(on, by, scope, date);
    if (last.report) return last.report;
    return compare(by, { ...of, date, ...(last.importId === null ? {} : { importId: last.importId }) });
  }

  void removeLeftovers();
  on.scheduler.register(compareJob(on, report));
  return {
    /** The last run of a date, today when none is named; runs it where there is none, or where more was settled for the date since. */
    report,
    /** Compares a date with the gateway's report, or with an imported file, and keeps the run. */
    run: (by: Actor, wanted: Wanted): Promise<Report> => compare(by, { ...wanted, date: parseDate(wanted.date, 'date') }),
    runs: (by: By, of: { readonly merchantId?: string; readonly date?: string }, at: PageOf) => runs(on, by, of, at),
    items: (by: By, runId: string, kind: ItemKind, at: PageOf) => items(on, by, runId, kind, at),
    /** Every day of a month with how it stands; those that are settled and not compared yet are compared soon afterwards, and told as a change. */
    async days(by: By, of: { readonly month?: string; readonly merchantId?: string }): Promise<Day[]> {
      const found = await days(on, by, of);
      await askFor(on, by, of.merchantId, found);
      return found;
    },
    resolve: (by: Actor, id: string, note: string) => resolve(on, by, id, note),
    importFile: (by: Actor, input: ImportInput) => importFile(on, by, input),
  };
}
