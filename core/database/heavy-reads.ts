import { statSync } from 'node:fs';
import type { StoredValue } from './table.ts';

/** Runs statements that read many rows of a SQLite file in other threads, so that the event loop is free meanwhile. */
export interface HeavyReads {
  /**
   * Returns the rows of a statement with `?` parameters. They contain everything that was committed before the call.
   * @throws SQLite's error, with its code; ServiceError SERVICE_UNAVAILABLE if the read takes too long or too many wait.
   */
  read(sql: string, values: readonly StoredValue[]): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Size from which a file is large. In a smaller one, no statement is heavy. */
const LARGE_FILE_BYTES = 256_000_000;
/** A file does not shrink and grows slowly, so its size is looked at once in this time. */
const LOOK_EVERY_MS = 60_000;

/** Decides by the size of a file whether its heavy reads run in other threads. */
export class HeavyReadsOf {
  readonly #file: string;
  readonly #reads: HeavyReads;
  readonly #largeBytes: number;
  #isLarge = false;
  #lookAtMs = 0;

  constructor(file: string, reads: HeavyReads, largeBytes = LARGE_FILE_BYTES) {
    this.#file = file;
    this.#reads = reads;
    this.#largeBytes = largeBytes;
  }

  /** Returns the threads if the file is large; otherwise null. */
  get ifLarge(): HeavyReads | null {
    if (!this.#isLarge && performance.now() >= this.#lookAtMs) {
      this.#isLarge = (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) >= this.#largeBytes;
      this.#lookAtMs = performance.now() + LOOK_EVERY_MS;
    }
    return this.#isLarge ? this.#reads : null;
  }

  close(): Promise<void> {
    return this.#reads.close();
  }
}
