import type { Read, Work } from '#core/database';
import { pause } from './needs.ts';
import { listOf } from './records.ts';
import { ITEMS, type ItemRow, RUNS, type RunRow } from './schema.ts';

/** Discrepancies that are looked up at once, and runs in which they are. */
const BLOCK = 500;
const RUNS_AT_ONCE = 8;

type Source = Pick<RunRow, 'scope' | 'date' | 'source'>;
type Explanation = Pick<ItemRow, 'note' | 'resolved_by' | 'resolved_at'>;

/** The runs of a date and source in which something was explained, newest first. */
export async function explainedRuns(read: Read, { scope, date, source }: Source): Promise<readonly string[]> {
  const rows = await read.all<{ id: string }>(
    `SELECT id FROM reconciliation_runs WHERE tenant_id = :tenantId AND scope = :scope AND date = :date AND source = :source
     AND discrepancy_count > open_count ORDER BY id DESC`,
    { scope, date, source },
  );
  return rows.map(({ id }) => id);
}

/** Discrepancies with the last explanation that the same ones have in earlier runs, whatever was compared between. */
export async function takenOver(read: Read, runs: readonly string[], items: readonly ItemRow[]): Promise<ItemRow[]> {
  const known = new Map<string, Explanation>();
  for (let at = 0; at < items.length; at += BLOCK) {
    let wanted = items.slice(at, at + BLOCK).map(({ identity }) => identity);
    for (let of = 0; of < runs.length && wanted.length > 0; of += RUNS_AT_ONCE) {
      for (const row of await resolvedIn(read, runs.slice(of, of + RUNS_AT_ONCE), wanted)) known.set(row.identity, row);
      wanted = wanted.filter((identity) => !known.has(identity));
      await pause();
    }
  }
  return items.map((item) => {
    const same = known.get(item.identity);
    if (!same) return item;
    const { note, resolved_by, resolved_at } = same;
    return { ...item, status: 'resolved', note, resolved_by, resolved_at };
  });
}

/** Those of the runs, the oldest run first. */
async function resolvedIn(read: Read, runs: readonly string[], identities: readonly string[]): Promise<ItemRow[]> {
  const { list, params } = listOf(identities);
  const ids = Object.fromEntries(runs.map((id, at) => [`run${at}`, id]));
  return read.all<ItemRow>(
    `SELECT identity, note, resolved_by, resolved_at FROM reconciliation_items
     WHERE tenant_id = :tenantId AND run_id IN (${Object.keys(ids)
       .map((name) => `:${name}`)
       .join(', ')}) AND status = 'resolved' AND identity IN (${list}) ORDER BY run_id`,
    { ...params, ...ids },
  );
}

/** Explains the same discrepancy in the runs of its date and source that were made since, so that it is not open in the last one. */
export async function explainLater(work: Work, run: RunRow, identity: string, set: Explanation): Promise<void> {
  const { id, scope, date, source } = run;
  const later = await work.all<{ id: string; run_id: string }>(
    `SELECT i.id, i.run_id FROM reconciliation_runs r JOIN reconciliation_items i ON i.tenant_id = r.tenant_id AND i.run_id = r.id
     WHERE r.tenant_id = :tenantId AND r.scope = :scope AND r.date = :date AND r.source = :source AND r.id > :id
     AND i.identity = :identity AND i.status = 'open' ORDER BY i.run_id, i.id`,
    { id, scope, date, source, identity },
  );
  for (const row of later) await explain(work, row, set);
}

/** Explains one discrepancy where it is still open, and counts it off its run. */
export async function explain(work: Work, { id, run_id }: Pick<ItemRow, 'id' | 'run_id'>, set: Explanation): Promise<void> {
  await work.lockOne(RUNS, { id: run_id });
  const explained = await work.update(ITEMS, { id, status: 'open' }, { status: 'resolved', ...set });
  if (explained === 1)
    await work.run('UPDATE reconciliation_runs SET open_count = open_count - 1 WHERE tenant_id = :tenantId AND id = :run_id', { run_id });
}
