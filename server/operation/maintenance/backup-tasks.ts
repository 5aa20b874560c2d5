import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { HeavyReads } from '#core/database';
import { type FileFault, findStructureFault } from '#core/database/integrity';
import { BackupRefused, type Refusal, type RunTask, type Task } from '#core/records/backup';
import type { TaskResult } from './backup-worker.ts';
import { type IntegrityTask, startCheckProcess } from './check-process.ts';
import { LogThread } from './log-thread.ts';
import { ReaderThreads } from './reader-threads.ts';
import { READY, scriptIn } from './task-thread.ts';

/** Size of a file that is checked in a thread, which costs less than a process. Each of its tables is checked within a second. */
const THREAD_BYTES_MAX = 64_000_000;

/** Worker threads for long tasks on whole databases, so that sales continue. */
export class TaskThreads {
  readonly #folder: string;
  readonly #threadBytesMax: number;
  /** Ends each running thread. */
  readonly #stops = new Set<() => Promise<unknown>>();
  readonly #logThread: LogThread;
  #isStopped = false;

  /** `folder` contains the scripts of the threads; by default the folder of this file. Larger files than `threadBytesMax` are checked in a process. */
  constructor(folder = import.meta.dirname, threadBytesMax = THREAD_BYTES_MAX) {
    this.#folder = folder;
    this.#threadBytesMax = threadBytesMax;
    this.#logThread = new LogThread(folder);
  }

  readonly run: RunTask = async (task: Task) => {
    const result = await this.#runWorker<TaskResult>('backup-worker', task);
    if ('result' in result) return result.result as never;
    if ('failed' in result) throw new Error(result.failed);
    throw new BackupRefused(result.refused.reason as Refusal, result.refused.message, result.refused.cause);
  };

  /** Checks SQLite files. The signal ends the check; its promise is rejected once the files are closed. */
  readonly findFaults = (files: readonly string[], signal: AbortSignal): Promise<FileFault[]> =>
    files.some((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > this.#threadBytesMax)
      ? this.#runProcess({ files }, signal)
      : this.#runWorker('integrity-worker', { files } satisfies IntegrityTask, signal);

  /** Returns SQLite's description of the first fault in the structure of a large file, or null. The signal ends the check. */
  readonly findStructureFault = async (file: string, signal?: AbortSignal): Promise<string | null> => {
    const inThisProcess = (error: unknown) => {
      if (this.#isStopped || signal?.aborted === true) throw error;
      return findStructureFault(file);
    };
    // A system without the means for another process still checks the file.
    const [fault] = await this.#runProcess({ files: [file], isQuick: true }, signal).catch(inThisProcess);
    return fault?.detail ?? null;
  };

  /** Copies the pages of a SQLite file's log to the file. */
  readonly copyLog = (file: string): Promise<void> => this.#logThread.copy(file);

  /** Opens the threads for heavy reads of a SQLite file, which start with the first of them. */
  readonly heavyReads = (file: string): HeavyReads => new ReaderThreads(this.#folder, file);

  async #runProcess(task: IntegrityTask, signal?: AbortSignal): Promise<FileFault[]> {
    if (this.#isStopped) throw new Error('the server is stopping');
    const { result, stop } = startCheckProcess(scriptIn(this.#folder, 'integrity-worker'), task);
    const end = async () => {
      stop();
      await result.catch(() => undefined);
    };
    const abort = () => void end();
    this.#stops.add(end);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      return await result;
    } finally {
      this.#stops.delete(end);
      signal?.removeEventListener('abort', abort);
    }
  }

  #runWorker<Answer>(name: string, data: unknown, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(new Error('the server is stopping'));
      const worker = new Worker(scriptIn(this.#folder, name), { workerData: data, execArgv: [] });
      const ready = new Promise((resume) => {
        worker.once('message', resume);
        worker.once('exit', resume);
      });
      // A thread that ends while it loads the native module of SQLite aborts the whole process.
      const stop = async () => {
        await ready;
        await worker.terminate();
      };
      const abort = () => void stop();
      this.#stops.add(stop);
      signal?.addEventListener('abort', abort);
      let result: { readonly value: Answer } | undefined;
      worker.on('message', (value: Answer | typeof READY) => {
        if (value !== READY) result = { value };
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        this.#stops.delete(stop);
        signal?.removeEventListener('abort', abort);
        if (result) resolve(result.value);
        else reject(new Error('the task was aborted'));
      });
    });
  }

  /** Aborts running tasks. Their partial files are removed later. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#logThread.stop(), ...[...this.#stops].map((stop) => stop())]);
  }
}
