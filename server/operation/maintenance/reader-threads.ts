import type { HeavyReads } from '#core/database';
import { ServiceError } from '#core/kernel';
import { AnsweringThread, ThreadEnded } from './answering-thread.ts';
import type { ReadAnswer, ReadTask } from './reader-worker.ts';
import { scriptIn } from './task-thread.ts';

/** Time without a read after which the thread ends. */
const IDLE_MS = 60_000;
/** Time after which a read fails, the same as that of a statement on PostgreSQL. */
const TIMEOUT_MS = 30_000;
/** Two, so that a short read does not wait for a long one. The second thread starts when the first one is busy. */
const THREADS = 2;
/** Reads that may wait in a thread. */
const WAITING_MAX = 32;

export interface ReaderLimits {
  readonly idleMs?: number;
  readonly timeoutMs?: number;
  readonly waitingMax?: number;
  readonly threads?: number;
}

/** Threads that run heavy reads of one SQLite file, each one after another. */
export class ReaderThreads implements HeavyReads {
  readonly #file: string;
  readonly #threads: readonly AnsweringThread<ReadTask, ReadAnswer>[];
  readonly #timeoutMs: number;
  readonly #waitingMax: number;

  /** `folder` contains the scripts of the threads. */
  constructor(folder: string, file: string, limits: ReaderLimits = {}) {
    const { idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS, waitingMax = WAITING_MAX, threads = THREADS } = limits;
    this.#file = file;
    this.#threads = Array.from({ length: threads }, () => new AnsweringThread(scriptIn(folder, 'reader-worker'), idleMs));
    this.#timeoutMs = timeoutMs;
    this.#waitingMax = waitingMax;
  }

  async read(sql: string, values: ReadTask['values']): Promise<unknown[]> {
    const thread = this.#threads.reduce((idlest, other) => (other.waiting < idlest.waiting ? other : idlest));
    if (thread.waiting >= this.#waitingMax) throw busy('too many reads wait');
    const answer = await this.#ask(thread, { file: this.#file, sql, values });
    if ('rows' in answer) return answer.rows;
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  }

  /** A read whose thread ends is repeated once in a new one, because it changed nothing. */
  async #ask(thread: AnsweringThread<ReadTask, ReadAnswer>, task: ReadTask): Promise<ReadAnswer> {
    let hasTimedOut = false;
    // SQLite cannot be interrupted from here, so the thread is abandoned. The reads behind this one are repeated in a new thread.
    const timer = setTimeout(() => {
      hasTimedOut = true;
      void thread.end();
    }, this.#timeoutMs);
    try {
      return await thread.ask(task).catch((error: unknown) => {
        if (hasTimedOut || !(error instanceof ThreadEnded)) throw error;
        return thread.ask(task);
      });
    } catch (error) {
      throw busy(hasTimedOut ? 'the read took too long' : 'the thread of reads has failed', error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

const busy = (reason: string, cause?: unknown) =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The database is busy with other reads. Nothing was changed. Try again.', {
    cause: new Error(reason, { cause }),
  });
