import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { ServiceError } from '#core/kernel';
import { DeferredWrites } from './deferred-writes.ts';
import { databaseError, isDiskFull, isSqliteBusy, isSqliteIoFault, LostRace, UniqueViolation, unavailable } from './errors.ts';
import { Gathering, inSlices } from './gathering.ts';
import { type HeavyReads, HeavyReadsOf } from './heavy-reads.ts';
import { Integrity, leaveCleanStopMark, quickCheck, startError, takeCleanStopMark } from './integrity/index.ts';
import { runMigrations } from './migrate.ts';
import { NO_PRESENCE } from './presence.ts';
import { NO_SIGNALS } from './signals.ts';
import { BUSY_TIMEOUT_MS, type LogOptions, SqliteLog } from './sqlite-log.ts';
import { SqliteBatch, SqliteConnection, SqliteRead, SqliteWork, writeDeferred } from './sqlite-session.ts';
import { MIGRATIONS_TABLE, type Migration, pendingMigrations } from './versions.ts';
import type { Database, Read, UnitOfWork, Work, Writer } from './work.ts';

/** Oldest SQLite without the WAL-reset race that can corrupt the file. */
const SQLITE_VERSION_FLOOR = [3, 53, 0] as const;
const BUSY_RETRY_MS = 100;
const BUSY_GIVE_UP_MS = 5_000;
const GROUP_SIZE_MAX = 256;
/** Size of a file whose pages of 4 KiB reach number 262,145. */
const LARGE_FILE_BYTES = 2 ** 30;
const CACHE_KIB = 16_384;
const CACHE_OF_LARGE_FILE_KIB = 65_536;

export interface SqliteOptions extends LogOptions {
  readonly migrations: readonly Migration[];
  /** Time that a write waits for another program to release the file; five seconds by default. */
  readonly lockTimeoutMs?: number;
  /** Shared by the files of one installation; a new one by default. */
  readonly integrity?: Integrity;
  /**
   * Checks a large file that was not closed properly, and returns SQLite's description of its first fault or null. By default, the file is checked in
   * this thread, which does nothing else until the check is complete.
   */
  readonly checkLargeFile?: (file: string, bytes: number) => Promise<string | null>;
  /** Called before the schema of an existing file is migrated, which takes long for a large file. */
  readonly onMigration?: (file: string, bytes: number) => Promise<void>;
  /** Opens the threads for heavy reads of a file; without it, they run in this thread. */
  readonly heavyReads?: (file: string) => HeavyReads;
  /** Size from which a file has heavy reads; 256 MB by default. */
  readonly heavyReadsBytes?: number;
  /** Size from which the check of a file is long; 100 MB by default. */
  readonly longCheckBytes?: number;
}

/** Work on a database file that delays its opening. */
export interface StartStep {
  readonly kind: 'check' | 'update';
  /** Size of the file. */
  readonly bytes: number;
}

/** Size of a file that is checked within about a second. */
export const LONG_CHECK_BYTES = 100_000_000;

interface QueuedWrite {
  /** Runs the writes of a caller. A unit of work returns a promise; a batch is complete when the function returns. */
  readonly run: (connection: SqliteConnection, deferredWrites: DeferredWrites) => Promise<void> | void;
  /** A batch can be filled again from the start, so it may be tried without a savepoint. */
  readonly repeatable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function openWriter(file: string): BetterSqlite3.Database {
  mkdirSync(dirname(file), { recursive: true });
  const handle = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    handle.pragma('foreign_keys = ON');
    handle.pragma('journal_mode = WAL');
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/**
 * Returns the size of a page cache. When SQLite orders the pages of a split, it gives one of them the number 262,145 for a moment. In a smaller file, the
 * commit then looks for pages beyond the end of the file among all cached pages, so that a large cache makes commits slow.
 */
function cacheKib(file: string): number {
  return statSync(file).size < LARGE_FILE_BYTES ? CACHE_KIB : CACHE_OF_LARGE_FILE_KIB;
}

function checkVersion(handle: BetterSqlite3.Database): void {
  const version = String(handle.prepare('SELECT sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  const difference = SQLITE_VERSION_FLOOR.map((floor, index) => (parts[index] ?? 0) - floor).find((delta) => delta !== 0) ?? 0;
  if (difference < 0)
    throw new Error(`SQLite ${version} is older than ${SQLITE_VERSION_FLOOR.join('.')}, which Paydesk needs for safe write-ahead logging.`);
}

/** Returns the names of the applied migrations. */
function appliedMigrations(handle: BetterSqlite3.Database): string[] {
  const hasTable = handle.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(MIGRATIONS_TABLE);
  return hasTable ? (handle.prepare(`SELECT name FROM ${MIGRATIONS_TABLE}`).pluck().all() as string[]) : [];
}

/**
 * The only writer. Units of work queue; a flush opens BEGIN IMMEDIATE, runs each in its own savepoint and commits once. Callers continue
 * after the commit (group commit).
 */
class SqliteWriter implements UnitOfWork {
  readonly gathering = new Gathering();
  readonly log: SqliteLog;
  readonly #options: SqliteOptions & { readonly integrity: Integrity };
  #connection: SqliteConnection;
  #queue: QueuedWrite[] = [];
  #flushing: Promise<void> | null = null;
  #isSuspect = false;
  #isDiskFull = false;
  #isCommitting = false;

  constructor(handle: BetterSqlite3.Database, options: SqliteOptions & { readonly integrity: Integrity }) {
    this.#options = options;
    this.log = new SqliteLog(options, {
      connection: () => this.#connection,
      isSuspect: () => this.#isSuspect,
      isIdle: () => this.#flushing === null && this.#connection.handle.open,
      report: (error) => {
        this.#suspect(error);
        this.#connection.translate(error);
      },
    });
    this.#connection = this.#connect(handle);
  }

  #connect(handle: BetterSqlite3.Database): SqliteConnection {
    this.log.prepare(handle);
    handle.pragma('secure_delete = ON');
    handle.pragma(`cache_size = -${cacheKib(this.#options.file)}`);
    handle.pragma('temp_store = MEMORY');
    return new SqliteConnection(handle, this.#options);
  }

  transaction<Result>(tenantId: string | null, work: (work: Work) => Promise<Result>): Promise<Result> {
    let result: Result;
    let afterCommitCallbacks: readonly (() => void)[] = [];
    return this.#enqueue(false, async (connection, deferredWrites) => {
      const unit = new SqliteWork(connection, tenantId);
      result = await work(unit);
      deferredWrites.merge(unit.deferredWrites);
      afterCommitCallbacks = unit.afterCommitCallbacks;
    }).then(() => {
      for (const callback of afterCommitCallbacks) callback();
      return result;
    });
  }

  writeBatch(tenantId: string, fill: (batch: Writer) => void): Promise<void> {
    let afterCommitCallbacks: readonly (() => void)[] = [];
    return this.#enqueue(true, (connection, deferredWrites) => {
      const batch = new SqliteBatch(connection, tenantId, deferredWrites);
      fill(batch);
      afterCommitCallbacks = batch.afterCommitCallbacks;
    }).then(() => {
      for (const callback of afterCommitCallbacks) callback();
    });
  }

  #enqueue(repeatable: boolean, run: QueuedWrite['run']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ run, repeatable, resolve, reject });
      this.#flushing ??= new Promise((done) => {
        setImmediate(() => this.#flush().then(done));
      });
    });
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.gathering.waitFor(() => this.#queue.length, GROUP_SIZE_MAX);
      const group = this.#queue.splice(0, GROUP_SIZE_MAX);
      await this.#commit(group);
      if (this.#queue.length > 0) await new Promise(setImmediate);
    }
    this.#flushing = null;
  }

  async #commit(group: QueuedWrite[]): Promise<void> {
    const failed = new Map<QueuedWrite, unknown>();
    this.#isCommitting = true;
    try {
      this.#options.integrity.assertIntact();
      if (this.#isSuspect) this.#reopen();
      if (!(await this.#commitTogether(group))) await this.#commitWithSavepoints(group, failed);
    } catch (error) {
      this.#suspect(error);
      this.#isDiskFull ||= isDiskFull(error);
      this.#rollBack();
      for (const entry of group) entry.reject(failed.get(entry) ?? this.#toCallerError(error));
      return;
    } finally {
      this.#isCommitting = false;
    }
    this.#isDiskFull = [...failed.values()].some(isDiskFull);
    await inSlices(group, (entry) => {
      if (failed.has(entry)) entry.reject(failed.get(entry));
      else entry.resolve();
    });
    await this.log.afterCommit();
  }

  /** Number of writes that wait for the present commit. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** True after a write found the disk full, until a write succeeds. */
  get isDiskFull(): boolean {
    return this.#isDiskFull;
  }

  /**
   * Connection of the writer between transactions, on which committed rows can be read; null during a transaction and after an I/O error. Its pages stay
   * cached, while a connection that only reads loses all of its cached pages with every commit of another one.
   */
  get betweenTransactions(): SqliteConnection | null {
    return this.#isSuspect || this.#isCommitting ? null : this.#connection;
  }

  #suspect(error: unknown): void {
    this.#isSuspect ||= isSqliteIoFault(error) || isSqliteIoFault((error as { cause?: unknown }).cause);
  }

  #rollBack(): void {
    const { handle } = this.#connection;
    try {
      if (handle.open && handle.inTransaction) handle.exec('ROLLBACK');
    } catch (error) {
      this.#connection.translate(error);
      this.#isSuspect = true;
    }
  }

  /** Commits a group that consists of batches only, without savepoints. Returns false, with everything rolled back, if it contains a unit of work or a batch fails. */
  async #commitTogether(group: readonly QueuedWrite[]): Promise<boolean> {
    if (!group.every((entry) => entry.repeatable)) return false;
    await this.#begin();
    const deferredWrites = new DeferredWrites();
    try {
      for (const entry of group) entry.run(this.#connection, deferredWrites);
    } catch (error) {
      if (group.length === 1 || !this.#connection.handle.inTransaction) throw error;
      this.#connection.exec('ROLLBACK');
      return false;
    }
    writeDeferred(this.#connection, deferredWrites);
    await this.log.commit();
    return true;
  }

  /** Runs each entry in its own savepoint, so that a failing entry does not undo the others. */
  async #commitWithSavepoints(group: readonly QueuedWrite[], failed: Map<QueuedWrite, unknown>): Promise<void> {
    await this.#begin();
    const deferredWrites = new DeferredWrites();
    for (const entry of group) {
      this.#connection.exec('SAVEPOINT work');
      try {
        const deferredByEntry = new DeferredWrites();
        const running = entry.run(this.#connection, deferredByEntry);
        if (running) await running;
        this.#connection.exec('RELEASE work');
        deferredWrites.merge(deferredByEntry);
      } catch (error) {
        if (!this.#connection.handle.inTransaction) throw error;
        this.#connection.exec('ROLLBACK TO work');
        this.#connection.exec('RELEASE work');
        failed.set(entry, error);
      }
    }
    writeDeferred(this.#connection, deferredWrites);
    this.#options.integrity.assertIntact();
    await this.log.commit();
  }

  #toCallerError(error: unknown): unknown {
    const translated = this.#connection.translate(error);
    const isCoreError = error instanceof ServiceError || error instanceof UniqueViolation || error instanceof LostRace;
    return translated === error && !isCoreError ? databaseError(error) : translated;
  }

  async #begin(): Promise<void> {
    this.log.chooseFlush();
    const deadline = performance.now() + (this.#options.lockTimeoutMs ?? BUSY_GIVE_UP_MS);
    for (;;) {
      try {
        this.#connection.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isSqliteBusy(error)) throw error;
        if (performance.now() > deadline) throw unavailable(error);
        await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
      }
    }
  }

  /** Reopens and checks the file after an I/O error, because the state of the connection may differ from the file. */
  #reopen(): void {
    this.#connection.handle.close();
    this.#connection = this.#connect(openWriter(this.#options.file));
    const fault = quickCheck(this.#connection.handle);
    if (fault !== null) throw this.#options.integrity.report(this.#options.file, fault);
    if (!this.log.confirm()) throw unavailable(new Error('the disk does not confirm the log'));
    this.#isSuspect = false;
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.log.close();
    this.#connection.handle.close();
  }
}

/**
 * Opens the writer and migrates the schema. A file that was not closed properly is checked first.
 * @throws DamagedDatabase, and UnusableFile for every other error of SQLite.
 */
async function prepare({
  file,
  integrity,
  migrations,
  checkLargeFile,
  onMigration,
  longCheckBytes = LONG_CHECK_BYTES,
}: SqliteOptions & { readonly integrity: Integrity }): Promise<BetterSqlite3.Database> {
  let handle: BetterSqlite3.Database | undefined;
  try {
    const isUnchecked = existsSync(file) && !takeCleanStopMark(file);
    const bytes = isUnchecked ? statSync(file).size : 0;
    // SQLite would open a file without the right to write for reading, and fail at a later write, where its file is not known.
    if (existsSync(file)) accessSync(file, constants.W_OK);
    handle = openWriter(file);
    checkVersion(handle);
    const isLong = isUnchecked && bytes >= longCheckBytes && checkLargeFile !== undefined;
    const fault = isLong ? await checkLargeFile(file, bytes) : isUnchecked ? quickCheck(handle) : null;
    if (fault !== null) throw integrity.report(file, fault);
    const applied = appliedMigrations(handle);
    if (pendingMigrations(migrations, applied).length > 0) {
      if (applied.length > 0) await onMigration?.(file, statSync(file).size);
      await runMigrations(migrations, { type: 'better-sqlite3', driver: BetterSqlite3, database: file, timeout: BUSY_TIMEOUT_MS });
    }
    return handle;
  } catch (error) {
    handle?.close();
    throw startError(error, file, integrity);
  }
}

/**
 * Opens a SQLite database, creating and migrating it if needed: one writer, and a connection that reads while the writer has a transaction open.
 * @throws DamagedDatabase if the file is damaged.
 */
export async function openSqlite(given: SqliteOptions): Promise<Database> {
  const integrity = given.integrity ?? new Integrity();
  const options = { ...given, integrity };
  const writer = new SqliteWriter(await prepare(options), options);
  const reader = new BetterSqlite3(options.file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  reader.pragma('query_only = ON');
  reader.pragma(`cache_size = -${cacheKib(options.file)}`);
  const reading = new SqliteConnection(reader, options);
  const connectionNow = () => writer.betweenTransactions ?? reading;
  const heavyReads = options.heavyReads && new HeavyReadsOf(options.file, options.heavyReads(options.file), options.heavyReadsBytes);
  const committed = { connectionNow, flushing: () => writer.log.flushing, heavyReads: () => heavyReads?.ifLarge ?? null };
  const read = (tenantId: string | null): Read => new SqliteRead(committed, tenantId);
  return {
    kind: 'sqlite',
    presence: NO_PRESENCE,
    nowSql: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    unitOfWork: writer,
    signals: NO_SIGNALS,
    read,
    readAcrossTenants: () => read(null),
    purgeDeletedRows: async () => writer.log.purge(),
    expectWrites: () => writer.gathering.expectWrites(),
    status: async () => {
      const [size] = await read(null).all<{ bytes: number }>(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
      );
      return { bytes: size?.bytes ?? 0, servers: 1, nowMs: Date.now() };
    },
    replication: async () => null,
    waiting: () => writer.waiting,
    health: () => ({ damage: integrity.damage, isDiskFull: writer.isDiskFull }),
    ping: async () => void (await read(null).all('SELECT 1 AS one')),
    close: async () => {
      await heavyReads?.close();
      reader.close();
      await writer.close();
      if (integrity.damage === null) leaveCleanStopMark(options.file, integrity.installationId);
    },
  };
}
