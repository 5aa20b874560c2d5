import { parentPort } from 'node:worker_threads';
import { copyLogPages } from '#core/database/integrity';
import { reportReady } from './task-thread.ts';

/** Message to the thread that copies logs. */
export interface LogTask {
  readonly file: string;
}

/** The thread's answer to a message, in the order of the messages. */
export interface LogAnswer {
  /** Null if the pages were copied. */
  readonly error: string | null;
}

function answerTo({ file }: LogTask): LogAnswer {
  try {
    copyLogPages(file);
    return { error: null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

// Without a parent thread the file is loaded only for its types.
if (parentPort !== null) {
  const port = parentPort;
  reportReady();
  port.on('message', (task: LogTask) => port.postMessage(answerTo(task)));
}
