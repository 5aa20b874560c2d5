import { Worker } from 'node:worker_threads';
import { READY } from './task-thread.ts';

interface Pending<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Thrown to callers whose thread ended before it answered them. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/** A thread that answers one message after another. It starts with the first message, and ends when it had none for a while. */
export class AnsweringThread<Message, Answer> {
  readonly #script: string;
  readonly #idleMs: number;
  #stop: (() => Promise<void>) | null = null;
  #post: ((message: Message) => void) | null = null;
  #isStopped = false;
  /** Messages without an answer. */
  #pending: Pending<Answer>[] = [];
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(script: string, idleMs: number) {
    this.#script = script;
    this.#idleMs = idleMs;
  }

  /** Number of messages without an answer. */
  get waiting(): number {
    return this.#pending.length;
  }

  /** Returns the thread's answer. @throws ThreadEnded; Error if the thread fails or the server stops. */
  ask(message: Message): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(new Error('the server is stopping'));
      if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
      this.#pending.push({ resolve, reject });
      this.#post ??= this.#start();
      this.#post(message);
    });
  }

  #start(): (message: Message) => void {
    const worker = new Worker(this.#script, { execArgv: [] });
    worker.unref();
    const ready = new Promise((resume) => {
      worker.once('message', resume);
      worker.once('exit', resume);
    });
    let error: Error = new ThreadEnded('the thread has ended');
    // A thread that ends while it loads the native module of SQLite aborts the whole process.
    const stop = async () => {
      await ready;
      await worker.terminate();
    };
    this.#stop = stop;
    worker.on('message', (answer: Answer | typeof READY) => {
      if (answer !== READY && this.#stop === stop) this.#take(answer as Answer);
    });
    worker.once('error', (cause) => {
      error = new ThreadEnded(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    worker.once('exit', () => {
      if (this.#stop === stop) this.#forget(error);
    });
    return (message) => worker.postMessage(message);
  }

  #take(answer: Answer): void {
    this.#pending.shift()?.resolve(answer);
    if (this.#pending.length === 0) this.#idleTimer = setTimeout(() => void this.end(), this.#idleMs).unref();
  }

  #forget(error: Error): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#stop = null;
    this.#post = null;
    for (const one of pending) one.reject(error);
  }

  /** Ends the thread. Messages without an answer are rejected with ThreadEnded; a later message starts another thread. */
  async end(): Promise<void> {
    const stop = this.#stop;
    this.#forget(new ThreadEnded('the thread has ended'));
    await stop?.();
  }

  /** Ends the thread for good. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    await this.end();
  }
}
