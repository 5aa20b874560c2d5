import { closeSync, fsyncSync, openSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { assert } from '#core/kernel';
import { copyInto, type Opened, type Target } from './lines.ts';
import { PARTS, type Part, type TableHead } from './rows.ts';
import { changesFor, migrateFile, type Schemas } from './schemas.ts';

/** File of each part. */
export type Files = Readonly<Record<Part, string>>;

/** Writes rows to a file without a journal, because the file is deleted after any failure. */
class FileTarget {
  readonly handle: BetterSqlite3.Database;
  readonly #indexes: readonly { readonly name: string; readonly sql: string }[];
  #insert: BetterSqlite3.Statement | null = null;

  constructor(file: string) {
    this.handle = new BetterSqlite3(file);
    // Without it, SQLite rejects this journal mode and writes everything to its log as well, which needs nearly twice the space.
    this.handle.unsafeMode();
    assert(this.handle.pragma('journal_mode = OFF', { simple: true }) === 'off', 'a file that is being filled has no journal');
    this.handle.pragma('synchronous = OFF');
    this.handle.pragma('temp_store = MEMORY');
    // Creating the indexes after the rows is several times faster.
    this.#indexes = this.handle.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all() as [];
    for (const { name } of this.#indexes) this.handle.exec(`DROP INDEX "${name}"`);
    this.handle.exec('BEGIN');
  }

  begin({ table, columns }: TableHead): void {
    const names = columns.map((column) => `"${column}"`).join(', ');
    this.#insert = this.handle.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  }

  rows(rows: readonly string[]): void {
    for (const row of rows) this.#insert?.run(...(JSON.parse(row) as (string | number | null)[]));
  }

  finish(): void {
    this.handle.exec('COMMIT');
    for (const { sql } of this.#indexes) this.handle.exec(sql);
  }
}

/** Fills new files with the contents of a backup and migrates them to the present schema. Returns the number of rows. */
export async function fillFiles(files: Files, opened: Opened, schemas: Schemas): Promise<number> {
  const changes = changesFor(schemas, opened.manifest.migrations);
  for (const part of PARTS) await migrateFile(files[part], changes[part]);
  const targets = new Map<Part, FileTarget>();
  let open: FileTarget | undefined;
  const target: Target = {
    begin(head) {
      open = targets.get(head.part);
      open?.begin(head);
    },
    rows: (rows) => open?.rows(rows),
  };
  let rows: number;
  try {
    for (const part of PARTS) targets.set(part, new FileTarget(files[part]));
    rows = await copyInto(target, opened);
    for (const each of targets.values()) each.finish();
  } finally {
    for (const { handle } of targets.values()) handle.close();
  }
  for (const part of PARTS) await migrateFile(files[part], schemas[part]);
  return rows;
}

/** Flushes a file to disk. */
export function flush(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
