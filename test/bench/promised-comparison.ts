import BetterSqlite3 from 'better-sqlite3';

const TABLE = 'reconciliation_items';

export interface PromisedComparison {
  /** Finds the differences and stores them, all in one commit. */
  readonly compare: () => void;
  readonly close: () => void;
}

/**
 * Returns the shortest program that keeps the promise of a comparison: it finds the differences by `findDifferences`, and stores as many rows as the
 * last comparison in `source` did, in the same table with the same indexes, durably. It writes to a new file at `path`, as the only program.
 */
export function openPromisedComparison(source: BetterSqlite3.Database, path: string, findDifferences: () => unknown): PromisedComparison {
  const schema = source.prepare('SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL').pluck().all(TABLE) as string[];
  const stored = source
    .prepare(
      `SELECT * FROM ${TABLE} WHERE run_id = (SELECT id FROM reconciliation_runs ORDER BY created_at DESC, id DESC LIMIT 1) ORDER BY id`,
    )
    .all() as Record<string, unknown>[];
  const [first] = stored;
  if (first === undefined) throw new Error('the last comparison stored no differences');
  const target = new BetterSqlite3(path);
  target.pragma('journal_mode = WAL');
  target.pragma('synchronous = FULL');
  for (const statement of schema) target.exec(statement);
  const columns = Object.keys(first);
  const insert = target.prepare(`INSERT INTO ${TABLE} (${columns}) VALUES (${columns.map((column) => `@${column}`)})`);
  let runs = 0;
  const store = target.transaction(() => {
    runs += 1;
    for (const row of stored) insert.run({ ...row, id: `${row.id}-${runs}`, run_id: `${row.run_id}-${runs}` });
  });
  return {
    compare() {
      findDifferences();
      store();
    },
    close: () => target.close(),
  };
}
