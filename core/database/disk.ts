import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';

/** Duration of a commit above which it should not block the event loop. On a fast disk, a flush in a thread costs more than it saves. */
const SLOW_COMMIT_MS = 5;
/** Slow commits in a row after which the disk counts as slow; a single one may have been large, or may have waited for a processor. */
const SLOW_COMMITS = 8;
/** Duration of a flush below which the disk counts as fast again. */
const FAST_FLUSH_MS = 2;

const flushFile = promisify(fdatasync);

/** The disk below a database file, as far as its speed is known. */
export interface Disk {
  /** True if commits should not wait for it in the main thread. */
  readonly isSlow: boolean;
  /** Learns how long a commit took that waited for the disk in the main thread. */
  commitTook(ms: number): void;
  /** Flushes an open file without blocking the event loop. Resolves when everything that was written to it is on the disk. @throws Error of the system. */
  flush(fileDescriptor: number): Promise<void>;
}

/** A disk whose speed is measured with each commit. */
export class MeasuredDisk implements Disk {
  readonly #flushFile: (fileDescriptor: number) => Promise<void>;
  readonly #nowMs: () => number;
  #slowCommits = 0;

  constructor(flush: (fileDescriptor: number) => Promise<void> = flushFile, nowMs: () => number = () => performance.now()) {
    this.#flushFile = flush;
    this.#nowMs = nowMs;
  }

  get isSlow(): boolean {
    return this.#slowCommits >= SLOW_COMMITS;
  }

  commitTook(ms: number): void {
    this.#slowCommits = ms > SLOW_COMMIT_MS ? this.#slowCommits + 1 : 0;
  }

  async flush(fileDescriptor: number): Promise<void> {
    const startedMs = this.#nowMs();
    await this.#flushFile(fileDescriptor);
    // The end of a flush may be noticed late, but never early, so a single fast one proves a fast disk.
    if (this.#nowMs() - startedMs < FAST_FLUSH_MS) this.#slowCommits = 0;
  }
}
