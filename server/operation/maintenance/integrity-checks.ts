import type { Integrity } from '#core/database/integrity';
import type { TaskThreads } from './backup-tasks.ts';

/** Integrity checks of an installation's SQLite files, one at a time, in a separate thread. */
export class IntegrityChecks {
  readonly #files: readonly string[];
  readonly #integrity: Integrity;
  readonly #findFaults: TaskThreads['findFaults'];
  readonly #report: (message: string, context: Record<string, unknown>) => void;
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;

  constructor(
    files: readonly string[],
    integrity: Integrity,
    findFaults: TaskThreads['findFaults'],
    report: (message: string, context: Record<string, unknown>) => void,
  ) {
    this.#files = files;
    this.#integrity = integrity;
    this.#findFaults = findFaults;
    this.#report = report;
  }

  /** Checks every file, or waits for the check that is running. Reports faults to the installation's Integrity and never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #check(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    try {
      for (const { file, detail } of await this.#findFaults(this.#files, this.#abort.signal)) {
        this.#report('The integrity check found damage', { file, detail });
        this.#integrity.report(file, detail);
      }
    } catch (cause) {
      if (!this.#abort.signal.aborted) this.#report('The integrity check failed', { cause });
    }
  }

  /** Ends a check that is running, and waits until it has closed the files. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }
}
