import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BackupRefused, type Refusal, type RunTask, type Task } from '#core/backup';
import type { TaskAnswer } from './backup-worker.ts';

/** Beside this file as it was written, or beside the bundle that it became part of. */
function workerFile(): string {
  const written = join(import.meta.dirname, 'backup-worker.ts');
  return existsSync(written) ? written : join(import.meta.dirname, 'backup-worker.js');
}

/** Threads for long work on whole databases, so that sales go on beside it. */
export class TaskThreads {
  readonly #script: string;
  readonly #workers = new Set<Worker>();
  #isStopped = false;

  /** `script` replaces the script beside this file. */
  constructor(script = workerFile()) {
    this.#script = script;
  }

  readonly run: RunTask = (task: Task) =>
    new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(new Error('the server is stopping'));
      const worker = new Worker(this.#script, { workerData: task, execArgv: [] });
      this.#workers.add(worker);
      worker.once('message', (answer: TaskAnswer) => {
        if ('result' in answer) resolve(answer.result as never);
        else if ('failed' in answer) reject(new Error(answer.failed));
        else reject(new BackupRefused(answer.refused.reason as Refusal, answer.refused.message, answer.refused.cause));
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        this.#workers.delete(worker);
        reject(new Error('the work was broken off'));
      });
    });

  /** Breaks off what is being done; what it was writing is removed later. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }
}
