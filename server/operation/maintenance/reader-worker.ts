import { parentPort } from 'node:worker_threads';
import { SqliteReader } from '#core/database/integrity';
import { reportReady } from './task-thread.ts';

/** Message to the thread that reads a file. */
export interface ReadTask {
  readonly file: string;
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** The thread's answer to a message, in the order of the messages. */
export type ReadAnswer =
  | { readonly rows: unknown[] }
  /** An error of SQLite. */
  | { readonly error: { readonly message: string; readonly code: string | undefined } };

let reader: SqliteReader | null = null;

function answerTo({ file, sql, values }: ReadTask): ReadAnswer {
  try {
    reader ??= new SqliteReader(file);
    return { rows: reader.all(sql, values) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { error: { message, code } };
  }
}

// Without a parent thread the file is loaded only for its types.
if (parentPort !== null) {
  const port = parentPort;
  reportReady();
  port.on('message', (task: ReadTask) => port.postMessage(answerTo(task)));
}
