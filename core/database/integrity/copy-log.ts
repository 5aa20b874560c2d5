import BetterSqlite3 from 'better-sqlite3';

/**
 * A connection that copies the pages of a file's write-ahead log to the file. It is kept between copies: SQLite reads the whole schema on a new connection
 * before its first copy, which takes longer than the copy.
 */
export class LogCopy {
  readonly #handle: BetterSqlite3.Database;

  /** @throws Error if there is no such file. */
  constructor(file: string) {
    this.#handle = new BetterSqlite3(file, { fileMustExist: true });
    this.#handle.pragma('synchronous = FULL');
    this.#handle.pragma('fullfsync = ON');
  }

  /** Copies as many pages as possible without waiting for the writer and its readers. @throws Error if the file cannot be read or written. */
  run(): void {
    this.#handle.pragma('wal_checkpoint(PASSIVE)');
  }

  close(): void {
    this.#handle.close();
  }
}
