import BetterSqlite3 from 'better-sqlite3';

const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 16_384;

/** A connection of another thread that only reads. */
export class SqliteReader {
  readonly #handle: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();

  constructor(file: string) {
    this.#handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    this.#handle.pragma('query_only = ON');
    this.#handle.pragma(`cache_size = -${CACHE_KIB}`);
    this.#handle.pragma('temp_store = MEMORY');
  }

  /** Returns the rows of a statement with `?` parameters. */
  all(sql: string, values: readonly unknown[]): unknown[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#handle.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement.all(...values);
  }
}
