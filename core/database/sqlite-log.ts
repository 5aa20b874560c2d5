import { closeSync, openSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { type Disk, MeasuredDisk } from './disk.ts';
import { NotOnDisk, unconfirmedCommit } from './errors.ts';
import type { SqliteConnection } from './sqlite-session.ts';

/** Time to wait inside SQLite for the lock of another program. The rest of the wait uses a timer, because SQLite blocks the event loop. */
export const BUSY_TIMEOUT_MS = 50;
const PURGE_RETRY_MS = 1_000;
/** Pages in the log after which they are copied to the file. A group of sales changes 300 pages, many of them again and again; each is copied once. */
const COPIED_PAGES = 4_000;
/** Commits between two looks at the number of pages. A look takes 13 µs. */
const LOOK_EVERY_COMMITS = 16;
/** Pages in the log after which a commit copies them itself because the thread that copies the log has failed. */
const LATE_PAGES = 16_000;

/** Answer of SQLite to a copy of the log. */
interface LogPages {
  /** 1 if another connection prevented it. */
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

export interface LogOptions {
  readonly file: string;
  /** `FULL`, or `NORMAL` for data that can be recreated: with `NORMAL` a power cut may lose the last commits. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Copies the pages of a file's log to the file in a thread, so that no commit waits for it. By default a commit does so. */
  readonly copyLog?: (file: string) => Promise<void>;
  /** Measured by default. */
  readonly disk?: Disk;
}

/** The writer of a file, as its log sees it. */
interface LogWriter {
  connection(): SqliteConnection;
  /** True after an I/O error, until the connection was opened again. */
  isSuspect(): boolean;
  /** True if the connection is open and no write runs or waits. */
  isIdle(): boolean;
  /** Learns of an error that no caller waits for. */
  report(error: unknown): void;
}

/**
 * The write-ahead log of a SQLite file. A commit is complete when its pages in the log are on the disk. On a fast disk SQLite waits for this within COMMIT;
 * on a slow one, the log is flushed in a thread, so that the event loop is free (decision record 151). Later the pages are copied to the file.
 */
export class SqliteLog {
  readonly #options: LogOptions;
  readonly #disk: Disk;
  readonly #writer: LogWriter;
  /** Descriptor of the log's file. */
  #file: number | null = null;
  #isFlushedByCommit = true;
  /** True after a failed flush, until the disk has everything that was committed. */
  #isUnconfirmed = false;
  #flushing: Promise<NotOnDisk | null> | null = null;
  /** True if the log may contain bytes of deleted rows. True at first, because an earlier process may have left some. */
  #mustPurge = true;
  /** Set while the log could not be emptied. No other attempt starts before it fires. */
  #purgeTimer: NodeJS.Timeout | null = null;
  #commits = 0;
  #copying: Promise<void> | null = null;
  /** True after a copy, until the pages that were written meanwhile are copied too. */
  #mustFinishCopy = false;

  constructor(options: LogOptions, writer: LogWriter) {
    this.#options = options;
    this.#disk = options.disk ?? new MeasuredDisk();
    this.#writer = writer;
  }

  /** Sets how the connection writes its log. @throws Error if SQLite does not accept it. */
  prepare(handle: BetterSqlite3.Database): void {
    const { synchronous = 'FULL', copyLog } = this.#options;
    handle.pragma(`synchronous = ${synchronous}`);
    handle.pragma('fullfsync = ON');
    handle.pragma(`wal_autocheckpoint = ${copyLog ? 0 : COPIED_PAGES}`);
    this.#isFlushedByCommit = true;
    this.#closeFile();
    const set = handle.pragma('synchronous', { simple: true });
    const journal = handle.pragma('journal_mode', { simple: true });
    if (set !== (synchronous === 'FULL' ? 2 : 1) || journal !== 'wal') {
      throw new Error(
        `SQLite did not accept its durability settings (synchronous ${set}, journal ${journal}); Paydesk does not start without them.`,
      );
    }
  }

  /** Decides before a transaction how its commit will be flushed, which SQLite does not change within one. */
  chooseFlush(): void {
    if (this.#options.synchronous === 'NORMAL') return;
    const isFlushedByCommit = !this.#disk.isSlow;
    if (isFlushedByCommit === this.#isFlushedByCommit) return;
    this.#writer.connection().exec(`PRAGMA synchronous = ${isFlushedByCommit ? 'FULL' : 'NORMAL'}`);
    this.#isFlushedByCommit = isFlushedByCommit;
  }

  /** Commits the transaction. Resolves when it is on the disk. @throws ServiceError if the disk has not confirmed it, so that a power cut may undo it. */
  async commit(): Promise<void> {
    const startedMs = performance.now();
    this.#writer.connection().exec('COMMIT');
    if (this.#options.synchronous === 'NORMAL') return;
    if (this.#isFlushedByCommit) {
      this.#disk.commitTook(performance.now() - startedMs);
      return;
    }
    this.#flushing = this.#flush();
    const error = await this.#flushing;
    this.#flushing = null;
    if (error === null) return;
    this.#isUnconfirmed = true;
    throw unconfirmedCommit(error);
  }

  /** Returns true if the disk has everything that was committed. After a failed flush it writes the pages of the log once more, to the file. */
  confirm(): boolean {
    if (this.#isUnconfirmed) this.#isUnconfirmed = !this.#moveToFile();
    return !this.#isUnconfirmed;
  }

  async #flush(): Promise<NotOnDisk | null> {
    try {
      this.#file ??= openSync(`${this.#options.file}-wal`, 'r+');
      await this.#disk.flush(this.#file);
      return null;
    } catch (error) {
      return new NotOnDisk(error);
    }
  }

  /** A promise while a commit is visible to readers, but not on the disk yet; otherwise null. */
  get flushing(): Promise<unknown> | null {
    return this.#flushing;
  }

  /** Takes care of the log after a commit, when no transaction is open. */
  async afterCommit(): Promise<void> {
    this.#empty();
    const { copyLog, file } = this.#options;
    if (!copyLog || this.#copying || this.#writer.isSuspect()) return;
    if (this.#mustFinishCopy) {
      // SQLite writes the log from its start again only if all of it was copied between two commits.
      this.#mustFinishCopy = false;
      await this.#copy(copyLog(file));
    } else if (++this.#commits % LOOK_EVERY_COMMITS === 0 && this.#hasLongLog()) {
      this.#copying = this.#copy(copyLog(file)).then(() => {
        this.#copying = null;
        this.#mustFinishCopy = true;
      });
    }
  }

  /**
   * Waits for a copy by the thread. After a failure, commits copy the log themselves until the thread succeeds. Otherwise they never do: while a long read keeps
   * the pages in the log, they become so many that the event loop would wait long for their copy.
   */
  async #copy(copying: Promise<void>): Promise<void> {
    const pages = await copying.then(
      () => 0,
      () => LATE_PAGES,
    );
    const { handle } = this.#writer.connection();
    if (handle.open) handle.pragma(`wal_autocheckpoint = ${pages}`);
  }

  #hasLongLog(): boolean {
    try {
      const [pages] = this.#writer.connection().all('PRAGMA wal_checkpoint(NOOP)', {}) as LogPages[];
      return pages !== undefined && pages.log - pages.checkpointed >= COPIED_PAGES;
    } catch (error) {
      this.#writer.report(error);
      return false;
    }
  }

  /** Removes the bytes of deleted rows: with `secure_delete`, the main file holds zeros once the log, which still contains the rows, is emptied. */
  purge(): void {
    this.#mustPurge = true;
    setImmediate(() => this.#emptyWhenIdle());
  }

  /** During a commit, the end of that commit empties the log. */
  #emptyWhenIdle(): void {
    if (this.#writer.isIdle()) this.#empty();
  }

  /** Empties the log if deleted rows must be purged. If a reader holds the log, a timer tries again. */
  #empty(): void {
    // The next commit reopens a connection whose state is unknown, and empties the log then.
    if (!this.#mustPurge || this.#writer.isSuspect() || this.#purgeTimer !== null) return;
    this.#mustPurge = !this.#moveToFile();
    if (!this.#mustPurge) return;
    this.#purgeTimer = setTimeout(() => {
      this.#purgeTimer = null;
      this.#emptyWhenIdle();
    }, PURGE_RETRY_MS).unref();
  }

  /**
   * Copies the log to the file, waits for the disk, and empties the log. Returns false if it could not. Never waits for another connection, which would
   * block the event loop, and never throws, because the data is already committed.
   */
  #moveToFile(): boolean {
    const { handle } = this.#writer.connection();
    try {
      handle.pragma('busy_timeout = 0');
      const [result] = handle.pragma('wal_checkpoint(TRUNCATE)') as LogPages[];
      return result?.busy === 0;
    } catch (error) {
      this.#writer.report(error);
      return false;
    } finally {
      handle.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  #closeFile(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Moves the log to the file after the last transaction. */
  async close(): Promise<void> {
    if (this.#purgeTimer !== null) clearTimeout(this.#purgeTimer);
    await this.#copying;
    this.#closeFile();
    if (this.#writer.connection().handle.open) this.#moveToFile();
  }
}
