import { Worker } from 'node:worker_threads';
import type { LogAnswer, LogTask } from './log-worker.ts';
import { READY, scriptIn } from './task-thread.ts';

/** Time without a copy after which the thread ends. Its start costs more processor time than a copy, and it keeps 10 MB of memory. */
const IDLE_MS = 60_000;

interface Copy {
  resolve(): void;
  reject(error: Error): void;
}

/** A thread that copies the logs of SQLite files. It starts with the first copy. */
export class LogThread {
  readonly #folder: string;
  readonly #idleMs: number;
  #stop: (() => Promise<void>) | null = null;
  #post: ((task: LogTask) => void) | null = null;
  #isStopped = false;
  /** Copies without an answer. */
  readonly #copies: Copy[] = [];
  #idleTimer: NodeJS.Timeout | null = null;

  /** `folder` contains the scripts of the threads. */
  constructor(folder: string, idleMs = IDLE_MS) {
    this.#folder = folder;
    this.#idleMs = idleMs;
  }

  /** Resolves when the pages are copied that could be. @throws Error if the file cannot be read or written, or the server stops. */
  copy(file: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(new Error('the server is stopping'));
      if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
      this.#copies.push({ resolve, reject });
      this.#post ??= this.#start();
      this.#post({ file });
    });
  }

  #start(): (task: LogTask) => void {
    const worker = new Worker(scriptIn(this.#folder, 'log-worker'), { execArgv: [] });
    worker.unref();
    const ready = new Promise((resume) => {
      worker.once('message', resume);
      worker.once('exit', resume);
    });
    let error = new Error('the server is stopping');
    // A thread that ends while it loads the native module of SQLite aborts the whole process.
    const stop = async () => {
      await ready;
      await worker.terminate();
    };
    this.#stop = stop;
    worker.on('message', (answer: LogAnswer | typeof READY) => {
      if (answer !== READY) this.#take(answer);
    });
    worker.once('error', (cause) => {
      error = cause instanceof Error ? cause : new Error(String(cause));
    });
    worker.once('exit', () => {
      if (this.#stop !== stop) return;
      this.#stop = null;
      this.#post = null;
      for (const copy of this.#copies.splice(0)) copy.reject(error);
    });
    return (task) => worker.postMessage(task);
  }

  #take({ error }: LogAnswer): void {
    const copy = this.#copies.shift();
    if (error === null) copy?.resolve();
    else copy?.reject(new Error(error));
    if (this.#copies.length === 0) this.#idleTimer = setTimeout(() => void this.#end(), this.#idleMs).unref();
  }

  /** Ends the thread. A copy that begins meanwhile starts another one. */
  async #end(): Promise<void> {
    const stop = this.#stop;
    this.#stop = null;
    this.#post = null;
    await stop?.();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    const stop = this.#stop;
    await stop?.();
  }
}
