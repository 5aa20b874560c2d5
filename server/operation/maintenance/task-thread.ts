import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { loadSqlite } from '#core/database/integrity';

/** First message of a thread, after which it may be terminated. */
export const READY = 'ready';

/** Loads the native module of SQLite and reports that the thread is ready. */
export function reportReady(): void {
  loadSqlite();
  parentPort?.postMessage(READY);
}

/** Returns the script of a thread: in the sources beside this file, or in the folder of a bundle. */
export function scriptIn(folder: string, name: string): string {
  const source = join(folder, `${name}.ts`);
  return existsSync(source) ? source : join(folder, `${name}.js`);
}
