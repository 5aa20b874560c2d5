import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { filesIn } from '#core/records/backup';
import { type ServerOptions, unfinishedDemoIn } from '#server/operation';
import { databaseUrlOf } from '#server/operation/config';

/** Endings of the files of a SQLite database. */
const ENDINGS = ['', '-wal', '-shm', '.clean-stop'];

/**
 * Prepares a start after one that was interrupted while `--demo` filled an empty database. With `--demo`, SQLite files are deleted, so that
 * the sample data are created again. Nothing else can be in them, because the server accepted no request. A start without `--demo` keeps
 * the incomplete data. The mark stays until the database is open: without it, files that are missing beside the key would be damage.
 */
export async function discardUnfinishedDemo(options: ServerOptions): Promise<void> {
  const { dataDir, demo } = options;
  // Other workstations may use a PostgreSQL database.
  if (!demo || !existsSync(unfinishedDemoIn(dataDir)) || (await databaseUrlOf(options)) !== undefined) return;
  for (const file of Object.values(filesIn(dataDir))) for (const ending of ENDINGS) rmSync(file + ending, { force: true });
}

/** Keeps incomplete sample data for good. */
export function keepUnfinishedDemo(dataDir: string): void {
  rmSync(unfinishedDemoIn(dataDir), { force: true });
}

/** Runs `fill` on an empty database, and marks the data directory as incomplete until it ends. */
export async function markedAsUnfinished<Result>(dataDir: string, fill: () => Promise<Result>): Promise<Result> {
  writeFileSync(unfinishedDemoIn(dataDir), '', { mode: 0o600 });
  const result = await fill();
  rmSync(unfinishedDemoIn(dataDir));
  return result;
}

/** @throws Error if the database that is not empty contains incomplete sample data. */
export function checkFinished(dataDir: string): void {
  if (!existsSync(unfinishedDemoIn(dataDir))) return;
  throw new Error(
    'An earlier start with --demo ended before the sample data were complete. Empty the PostgreSQL database and start again, or start without --demo to keep the incomplete data.',
  );
}
