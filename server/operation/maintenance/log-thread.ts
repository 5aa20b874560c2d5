import { AnsweringThread } from './answering-thread.ts';
import type { LogAnswer, LogTask } from './log-worker.ts';
import { scriptIn } from './task-thread.ts';

/** Time without a copy after which the thread ends. Its start costs more processor time than a copy, and it keeps 10 MB of memory. */
const IDLE_MS = 60_000;

/** A thread that copies the logs of SQLite files. */
export class LogThread {
  readonly #thread: AnsweringThread<LogTask, LogAnswer>;

  /** `folder` contains the scripts of the threads. */
  constructor(folder: string, idleMs = IDLE_MS) {
    this.#thread = new AnsweringThread(scriptIn(folder, 'log-worker'), idleMs);
  }

  /** Resolves when the pages are copied that could be. @throws Error if the file cannot be read or written, or the server stops. */
  async copy(file: string): Promise<void> {
    const { error } = await this.#thread.ask({ file });
    if (error !== null) throw new Error(error);
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
