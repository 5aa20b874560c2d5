import { parentPort } from 'node:worker_threads';
import { LogCopy } from '#core/database/integrity';
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

const copies = new Map<string, LogCopy>();

function answerTo({ file }: LogTask): LogAnswer {
  try {
    const copy = copies.get(file) ?? new LogCopy(file);
    copies.set(file, copy);
    copy.run();
    return { error: null };
  } catch (error) {
    // After an error, the state of the connection may differ from the file.
    copies.get(file)?.close();
    copies.delete(file);
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

// Without a parent thread the file is loaded only for its types.
if (parentPort !== null) {
  const port = parentPort;
  reportReady();
  port.on('message', (task: LogTask) => port.postMessage(answerTo(task)));
}
