import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '#core/kernel';
import type { DocumentAnswer, DocumentTask } from './document-worker.ts';

/** Limits of a thread, and of the tasks that wait for one. */
interface ThreadLimits {
  readonly timeMs: number;
  /** Heap and buffers of a thread. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Tasks of a tenant that run or wait. */
  readonly tasksOfTenant: number;
}

/** Returns the script in a folder: of the sources, or of a bundle. */
const scriptIn = (folder: string) => ['document-worker.ts', 'document-worker.js'].map((name) => join(folder, name)).find(existsSync) ?? '';
const LIMITS: ThreadLimits = { timeMs: 20_000, memoryBytes: 512 * 1_048_576, threads: 2, tasksOfTenant: 12 };
/** `details.reason` of a refused file. */
export const FILE_REFUSED = 'file_refused';
/** Interval of the checks of a thread's memory. */
const CHECK_MS = 50;
/**
 * V8 ends the whole process if a thread cannot allocate within its own limit, so that limit is far above the one that is checked
 * (decision record 159).
 */
const HEAP_HEADROOM = 3;

interface Waiting {
  readonly tenantId: string;
  start(): void;
}

/** Threads in which files of strangers are decoded: one file each, one thread per tenant at a time. A thread that exceeds its limits is ended. */
export class DocumentThreads {
  readonly #limits: ThreadLimits;
  #script = scriptIn(import.meta.dirname);
  readonly #running = new Set<string>();
  #waiting: Waiting[] = [];

  constructor(limits: Partial<ThreadLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Takes the script from another folder than that of this file. */
  takeScriptFrom(folder: string): void {
    this.#script = scriptIn(folder);
  }

  /**
   * Runs a task. @throws ServiceError VALIDATION_ERROR if the file is refused or its thread was ended, RATE_LIMIT_EXCEEDED if too many files
   * of the tenant wait.
   */
  async run<Result>(tenantId: string, task: DocumentTask): Promise<Result> {
    await this.#turn(tenantId);
    try {
      return (await this.#runThread(task)) as Result;
    } finally {
      this.#running.delete(tenantId);
      this.#startNext();
    }
  }

  #turn(tenantId: string): Promise<void> {
    const own = this.#waiting.filter((task) => task.tenantId === tenantId).length;
    if (own >= this.#limits.tasksOfTenant)
      throw new ServiceError('RATE_LIMIT_EXCEEDED', 'Too many files of this account are read at present. Send this one again later.', {
        field: 'file',
      });
    return new Promise((start) => {
      this.#waiting.push({ tenantId, start });
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running.size < this.#limits.threads) {
      const next = this.#waiting.find(({ tenantId }) => !this.#running.has(tenantId));
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((task) => task !== next);
      this.#running.add(next.tenantId);
      next.start();
    }
  }

  #runThread(task: DocumentTask): Promise<unknown> {
    const { timeMs, memoryBytes } = this.#limits;
    return new Promise((resolve, reject) => {
      const worker = new Worker(this.#script, {
        workerData: task,
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: (HEAP_HEADROOM * memoryBytes) / 1_048_576 },
      });
      let answer: DocumentAnswer | undefined;
      const timer = setTimeout(() => void worker.terminate(), timeMs);
      const memoryCheck = setInterval(() => {
        worker.getHeapStatistics().then(
          ({ used_heap_size: heap, external_memory: buffers }) => {
            if (heap + buffers > memoryBytes) void worker.terminate();
          },
          // The thread has ended.
          () => {},
        );
      }, CHECK_MS);
      worker.once('message', (message: DocumentAnswer) => {
        answer = message;
      });
      // The event `exit` follows.
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error);
      });
      worker.once('exit', () => {
        clearTimeout(timer);
        clearInterval(memoryCheck);
        if (answer !== undefined && 'result' in answer) resolve(answer.result);
        else reject(refusalOf(answer?.refused ?? TOO_EXPENSIVE));
      });
    });
  }
}

const TOO_EXPENSIVE =
  'The file needs too much time or memory to be read. Save it in a simpler form: a picture in a smaller size, or a PDF that is printed to a new PDF.';

const refusalOf = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: 'file', details: { reason: FILE_REFUSED } });
