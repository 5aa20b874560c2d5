import BetterSqlite3 from 'better-sqlite3';

/** Copies the pages of a file's write-ahead log to the file as far as it can without waiting for the writer and its readers. */
export function copyLogPages(file: string): void {
  const handle = new BetterSqlite3(file, { fileMustExist: true });
  try {
    handle.pragma('synchronous = FULL');
    handle.pragma('fullfsync = ON');
    handle.pragma('wal_checkpoint(PASSIVE)');
  } finally {
    handle.close();
  }
}
