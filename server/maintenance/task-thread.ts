import { parentPort } from 'node:worker_threads';
import { loadSqlite } from '#core/platform/integrity';

/** First message of a thread, after which it may be terminated. */
export const READY = 'ready';

/** Loads the native module of SQLite and reports that the thread is ready. */
export function reportReady(): void {
  loadSqlite();
  parentPort?.postMessage(READY);
}
