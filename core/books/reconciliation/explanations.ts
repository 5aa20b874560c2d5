import { listOf, lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { pause } from './dependencies.ts';
import { ITEMS, type ItemRow, RUNS, type RunRow } from './schema.ts';

const queries = queriesOn(RUNS, ITEMS);

/** Number of discrepancies, and of runs that contain them, looked up with one query. */
const BLOCK = 500;
const RUNS_PER_QUERY = 8;

type Source = Pick<RunRow, 'scope' | 'date' | 'source'>;
type Explanation = Pick<ItemRow, 'note' | 'resolved_by' | 'resolved_at'>;
type ItemKey = Pick<ItemRow, 'id' | 'run_id'>;

/**
 * Locks the first run of a date and source until the end of the unit of work. Explanations, their removals and new runs of the date follow one another,
 * so that a run does not repeat an explanation that is removed while it is compared.
 */
export async function lockDate(work: Work, { scope, date, source }: Source): Promise<void> {
  const [first] = await work.find(RUNS, { scope, date, source }, { orderBy: [['id', 'asc']], limit: 1 });
  if (first) await work.lockOne(RUNS, { id: first.id });
}

/** Returns the runs of a date and source with resolved discrepancies, newest first. */
export async function explainedRuns(read: Read, { scope, date, source }: Source): Promise<readonly string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('reconciliation_runs')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('scope', '=', scope)
      .where('date', '=', date)
      .where('source', '=', source)
      .whereRef('discrepancy_count', '>', 'open_count')
      .orderBy('id', 'desc'),
  );
  return rows.map(({ id }) => id);
}

/** Returns discrepancies with their latest explanation in earlier runs, whatever was compared in between. */
export async function withEarlierExplanations(read: Read, runs: readonly string[], items: readonly ItemRow[]): Promise<ItemRow[]> {
  const explanations = new Map<string, Explanation>();
  for (let start = 0; start < items.length; start += BLOCK) {
    let unexplained = items.slice(start, start + BLOCK).map(({ identity }) => identity);
    for (let offset = 0; offset < runs.length && unexplained.length > 0; offset += RUNS_PER_QUERY) {
      for (const row of await resolvedIn(read, runs.slice(offset, offset + RUNS_PER_QUERY), unexplained))
        explanations.set(row.identity, row);
      unexplained = unexplained.filter((identity) => !explanations.has(identity));
      await pause();
    }
  }
  return items.map((item) => {
    const explanation = explanations.get(item.identity);
    if (!explanation) return item;
    const { note, resolved_by, resolved_at } = explanation;
    return { ...item, status: 'resolved', note, resolved_by, resolved_at };
  });
}

/**
 * Compares the explanations of a new run with those of the earlier runs again, under the lock of the date. Returns its last discrepancies, which are not
 * written yet, and its number of open ones.
 */
export async function refreshExplanations(
  work: Work,
  run: RunRow,
  last: readonly ItemRow[],
): Promise<{ readonly last: readonly ItemRow[]; readonly openCount: number }> {
  await lockDate(work, run);
  const runs = await explainedRuns(work, run);
  const written =
    run.discrepancy_count > run.open_count
      ? await work.find(ITEMS, { run_id: run.id, status: 'resolved' }, { orderBy: [['id', 'asc']] })
      : [];
  const now = (items: readonly ItemRow[]) =>
    withEarlierExplanations(
      work,
      runs,
      items.map((item) => ({ ...item, ...OPEN })),
    );
  const present = await now(written);
  for (const [index, { id, status, note, resolved_by, resolved_at }] of present.entries()) {
    const before = written[index];
    if (before?.resolved_at === resolved_at && before.note === note) continue;
    await work.update(ITEMS, { id }, { status, note, resolved_by, resolved_at });
  }
  const lastNow = await now(last);
  const isOpen = ({ status }: ItemRow) => status === 'open';
  const reopened = present.filter(isOpen).length + lastNow.filter(isOpen).length - last.filter(isOpen).length;
  return { last: lastNow, openCount: run.open_count + reopened };
}

/** Returns the resolved discrepancies of the runs, oldest run first. */
async function resolvedIn(read: Read, runs: readonly string[], identities: readonly string[]) {
  return read.rows(
    queries
      .selectFrom('reconciliation_items')
      .select(['identity', 'note', 'resolved_by', 'resolved_at'])
      .where('tenant_id', '=', TENANT)
      .where('run_id', 'in', listOf(runs))
      .where('status', '=', lit('resolved'))
      .where('identity', 'in', listOf(identities))
      .orderBy('run_id'),
  );
}

/** Resolves the same discrepancy in later runs of its date and source, so that it is not open in the last one. */
export async function explainInLaterRuns(work: Work, run: RunRow, identity: string, set: Explanation): Promise<void> {
  for (const row of await sameItems(work, run, identity, 'open')) if (row.run_id > run.id) await explain(work, row, set);
}

/**
 * Reopens a resolved discrepancy in all runs of its date and source, because later runs repeat the explanation of any of them. Returns the IDs of
 * those it reopened.
 */
export async function reopenInAllRuns(work: Work, run: RunRow, identity: string): Promise<readonly string[]> {
  const reopened: string[] = [];
  for (const row of await sameItems(work, run, identity, 'resolved')) if (await setStatus(work, row, OPEN)) reopened.push(row.id);
  return reopened;
}

/** Returns the discrepancies of an identity and status in runs of the same date and source, oldest run first. */
async function sameItems(work: Work, { scope, date, source }: RunRow, identity: string, status: ItemRow['status']) {
  return work.rows(
    queries
      .selectFrom('reconciliation_runs as r')
      .innerJoin('reconciliation_items as i', (join) => join.onRef('i.tenant_id', '=', 'r.tenant_id').onRef('i.run_id', '=', 'r.id'))
      .select(['i.id', 'i.run_id'])
      .where('r.tenant_id', '=', TENANT)
      .where('r.scope', '=', scope)
      .where('r.date', '=', date)
      .where('r.source', '=', source)
      .where('i.identity', '=', identity)
      .where('i.status', '=', status)
      .orderBy('i.run_id')
      .orderBy('i.id'),
  );
}

const OPEN = { status: 'open', note: null, resolved_by: null, resolved_at: null } as const;

/** Resolves a discrepancy if it is still open, and lowers the number of open ones of its run. */
export const explain = (work: Work, row: ItemKey, set: Explanation): Promise<boolean> =>
  setStatus(work, row, { status: 'resolved', ...set });

/** Sets the status of a discrepancy if it has the other one, and counts it in its run. Returns false if it had the status. */
async function setStatus(work: Work, { id, run_id }: ItemKey, set: Explanation & Pick<ItemRow, 'status'>): Promise<boolean> {
  await work.lockOne(RUNS, { id: run_id });
  const isOpen = set.status === 'open';
  if ((await work.update(ITEMS, { id, status: isOpen ? 'resolved' : 'open' }, set)) === 0) return false;
  await work.execute(
    queries
      .updateTable('reconciliation_runs')
      .set(({ eb }) => ({ open_count: eb('open_count', isOpen ? '+' : '-', lit(1)) }))
      .where('tenant_id', '=', TENANT)
      .where('id', '=', run_id),
  );
  return true;
}
