import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '#core/backup';
import { databaseUrlOf, type ServerOptions } from '../compose.ts';

/** A file that exists while `--demo` fills an empty database. If it exists at a start, the sample data are incomplete. */
const MARKER = 'demo-begun';
/** Endings of the files of a SQLite database. */
const ENDINGS = ['', '-wal', '-shm'];

const markerIn = (dataDir: string) => join(dataDir, MARKER);

/**
 * Prepares a start after one that was interrupted while `--demo` filled an empty database. With `--demo`, SQLite files are deleted, so that
 * the sample data are created again. Nothing else can be in them, because the server accepted no request. A start without `--demo` keeps
 * the incomplete data.
 */
export async function discardUnfinishedDemo(options: ServerOptions): Promise<void> {
  const { dataDir, demo } = options;
  if (!existsSync(markerIn(dataDir))) return;
  // Other workstations may use a PostgreSQL database.
  if (demo && (await databaseUrlOf(options)) !== undefined) return;
  if (demo) for (const file of Object.values(filesIn(dataDir))) for (const ending of ENDINGS) rmSync(file + ending, { force: true });
  rmSync(markerIn(dataDir));
}

/** Runs `fill` on an empty database, and marks the data directory as incomplete until it ends. */
export async function markedAsUnfinished<Result>(dataDir: string, fill: () => Promise<Result>): Promise<Result> {
  writeFileSync(markerIn(dataDir), '', { mode: 0o600 });
  const result = await fill();
  rmSync(markerIn(dataDir));
  return result;
}

/** @throws Error if the database that is not empty contains incomplete sample data. */
export function checkFinished(dataDir: string): void {
  if (!existsSync(markerIn(dataDir))) return;
  throw new Error(
    'An earlier start with --demo ended before the sample data were complete. Empty the PostgreSQL database and start again, or start without --demo to keep the incomplete data.',
  );
}
