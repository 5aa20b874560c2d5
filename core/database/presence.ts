import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { ServerConfig } from './connections/index.ts';
import type { Params } from './statements.ts';

/** Class of the advisory locks that running servers hold; an arbitrary number that no other program uses. */
const PRESENCE_LOCK = 7_290_554;
/** Class of the advisory locks of functions that only one server runs at a time; an arbitrary number as well. */
const FUNCTION_LOCK = 7_290_556;
const LOCK_AGAIN_MS = 50;
/** Server numbers are chosen at random, so that a number is rarely used again soon. */
const NUMBER_MAX = 8_191;
const CHECK_EVERY_MS = 500;
const RESPONSE_TIMEOUT_MS = 2_000;
const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 1_000;

const TRY_LOCK = 'SELECT pg_try_advisory_lock($1, $2) AS locked, pg_backend_pid() AS pid';
const LOCKS = `SELECT objid::int AS number, pid FROM pg_locks WHERE locktype = 'advisory' AND classid = ${PRESENCE_LOCK} AND objsubid = 2 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Statements of a unit of work. */
interface Queries {
  all<Row>(sql: string, params?: Params): Promise<Row[]>;
}

/** Observer of the running servers of a database. */
interface PresenceObserver {
  /** Returns true if a server with this number holds claims, so that the number must not be used again. */
  hasClaims(number: number): Promise<boolean>;
  /** Called twice a second with the numbers of the running servers; `isFirst` after each (re)connection. */
  observe(running: ReadonlySet<number>, isFirst: boolean): Promise<void>;
}

/**
 * Presence of this server among the servers of its database. A running server holds a session-level advisory lock on its number. PostgreSQL
 * releases the lock when the process ends, and keeps it while the process is only slow (docs/decisions/0039).
 */
export interface Presence {
  /** Number of this server; 0 while it has none. */
  readonly number: number;
  /** Registers this server and observes the others. A lost connection is restored, with the same number. */
  start(observer: PresenceObserver): Promise<void>;
  /** Returns true if no server with this number runs. Until the end of the unit of work, no server can register with it. */
  isGone(work: Queries, number: number): Promise<boolean>;
  /**
   * Runs a function while no other server runs one with this name. The lock is released when this server ends or its connection is lost. Within a server,
   * calls with one name must follow each other.
   */
  alone<Result>(name: string, body: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Presence for a database that only one process uses: there is no other server. */
export const NO_PRESENCE: Presence = {
  number: 0,
  start: async () => {},
  isGone: async () => false,
  alone: (_, body) => body(),
  stop: async () => {},
};

interface Dependencies {
  readonly config: ServerConfig;
  /** Refuses a connection whose schema this program does not know. */
  readonly admit: (client: pg.Client) => Promise<void>;
}

export class PostgresPresence implements Presence {
  readonly #deps: Dependencies;
  #observer: PresenceObserver | null = null;
  #client: pg.Client | null = null;
  /** Connections without an answer. They may still hold the lock, so they stay open until another connection works. */
  readonly #unanswered: pg.Client[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reconnectDelayMs = RECONNECT_MIN_MS;
  #checking: Promise<void> = Promise.resolve();
  #pid = 0;
  #isFirst = true;
  number = 0;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async start(observer: PresenceObserver): Promise<void> {
    this.#observer = observer;
    this.#checking = this.#check();
    await this.#checking;
  }

  async isGone(work: Queries, number: number): Promise<boolean> {
    const [row] = await work.all<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${PRESENCE_LOCK}, CAST(:number AS int)) AS free`, {
      number,
    });
    return row?.free === true;
  }

  async alone<Result>(name: string, body: () => Promise<Result>): Promise<Result> {
    let holder = await this.#lockFunction(name);
    // A server that has not started, or has stopped, has no connection for locks.
    while (holder === null && this.#observer !== null) {
      await pause(LOCK_AGAIN_MS);
      holder = await this.#lockFunction(name);
    }
    try {
      return await body();
    } finally {
      await holder?.query('SELECT pg_advisory_unlock($1, hashtext($2))', [FUNCTION_LOCK, name]).catch(() => {});
    }
  }

  /** Returns the connection that holds the lock of a function; null if another server has it, or the database does not answer. */
  async #lockFunction(name: string): Promise<pg.Client | null> {
    const client = this.#client;
    const locked = await client
      ?.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS locked', [FUNCTION_LOCK, name])
      .catch(() => null);
    return locked?.rows[0]?.locked ? client : null;
  }

  async stop(): Promise<void> {
    this.#observer = null;
    clearTimeout(this.#timer);
    await this.#checking;
    void this.#client?.end().catch(() => {});
    this.#client = null;
    this.#endUnanswered();
    this.number = 0;
  }

  /** Registers if necessary, reads the running servers and schedules the next check. */
  async #check(): Promise<void> {
    let delayMs = CHECK_EVERY_MS;
    try {
      const client = this.#client ?? (await this.#connect());
      const locks = (await client.query<{ number: number; pid: number }>(LOCKS)).rows;
      if (await this.#isRegistered(client, locks)) {
        this.#endUnanswered();
        await this.#observe(new Set(locks.map(({ number }) => number)));
      }
      this.#reconnectDelayMs = RECONNECT_MIN_MS;
    } catch {
      if (this.#client) this.#unanswered.push(this.#client);
      this.#client = null;
      delayMs = this.#reconnectDelayMs;
      this.#reconnectDelayMs = Math.min(this.#reconnectDelayMs * 2, RECONNECT_MAX_MS);
    }
    if (this.#observer === null) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check();
    }, delayMs);
    this.#timer.unref();
  }

  /** Calls the observer. Its failure must not end the connection, whose lock shows that this server runs. */
  async #observe(running: ReadonlySet<number>): Promise<void> {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    await this.#observer?.observe(running, isFirst).catch(() => {
      this.#isFirst = true;
    });
  }

  async #connect(): Promise<pg.Client> {
    const { Client, ...config } = this.#deps.config;
    const client = new Client({ ...config, query_timeout: RESPONSE_TIMEOUT_MS });
    this.#client = client;
    this.#isFirst = true;
    await client.connect();
    await this.#deps.admit(client);
    return client;
  }

  /** Takes the lock of this server's number, or chooses another number if a different server holds it. */
  async #isRegistered(client: pg.Client, locks: readonly { number: number; pid: number }[]): Promise<boolean> {
    const holder = locks.find(({ number }) => number === this.number);
    if (this.number !== 0 && holder !== undefined) {
      // A session of this server that PostgreSQL has not ended yet still shows that the server runs.
      if (holder.pid === this.#pid) return true;
      this.number = 0;
    }
    if (this.number !== 0 && (await this.#lock(client, this.number))) return true;
    this.number = 0;
    for (let tries = 0; tries < 100 && this.#observer !== null; tries += 1) {
      const number = 1 + Math.floor(Math.random() * NUMBER_MAX);
      if (locks.some((lock) => lock.number === number) || (await this.#observer.hasClaims(number))) continue;
      if (!(await this.#lock(client, number))) continue;
      this.number = number;
      return true;
    }
    return false;
  }

  async #lock(client: pg.Client, number: number): Promise<boolean> {
    const { rows } = await client.query<{ locked: boolean; pid: number }>(TRY_LOCK, [PRESENCE_LOCK, number]);
    if (!rows[0]?.locked) return false;
    this.#pid = rows[0].pid;
    return true;
  }

  #endUnanswered(): void {
    for (const client of this.#unanswered.splice(0)) void client.end().catch(() => {});
  }
}
