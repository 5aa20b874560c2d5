import type pg from 'pg';
import type { ServerConfig } from './connections/index.ts';

/** Short words between the stations of a database, at most 7,000 bytes. They may be lost with a connection; what matters is in tables. */
export interface Signals {
  /** Sends a message to the other servers. */
  say(word: string): Promise<void>;
  /**
   * Receives the messages of other servers until the returned function is called. `missed` is called after a lost connection is restored,
   * because messages may have been lost.
   */
  listen(heard: (word: string) => void, missed: () => void): () => void;
}

/** A database that one process has to itself needs no words. */
export const NO_SIGNALS: Signals = { say: async () => {}, listen: () => () => {} };

const CHANNEL = 'paydesk';
const RECONNECT_MIN_MS = 200;
const RECONNECT_MAX_MS = 2_000;
/** Interval of the checks that detect a dead connection. */
const ASK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;

interface SignalNeeds {
  readonly config: ServerConfig;
  /** Refuses a connection whose schema this program does not know. */
  readonly admit: (client: pg.Client) => Promise<void>;
  readonly say: (sql: string, values: unknown[]) => Promise<unknown>;
}

/** Identifies the sender, so that a server ignores its own messages. */
interface Spoken {
  readonly from: number;
  readonly word: string;
}

/** Messages by LISTEN and NOTIFY, on a separate connection that is restored when it is lost. */
export class PostgresSignals implements Signals {
  readonly #needs: SignalNeeds;
  readonly #ears = new Set<{ heard: (word: string) => void; missed: () => void }>();
  #client: pg.Client | null = null;
  #asking: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #wait = RECONNECT_MIN_MS;
  #wasLost = false;
  #isClosed = false;
  readonly #me = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

  constructor(needs: SignalNeeds) {
    this.#needs = needs;
  }

  async say(word: string): Promise<void> {
    await this.#needs.say('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify({ from: this.#me, word } satisfies Spoken)]);
  }

  listen(heard: (word: string) => void, missed: () => void): () => void {
    const ear = { heard, missed };
    this.#ears.add(ear);
    if (this.#ears.size === 1) void this.#connect();
    return () => {
      this.#ears.delete(ear);
      if (this.#ears.size === 0) this.#drop();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#ears.clear();
    this.#drop();
  }

  async #connect(): Promise<void> {
    if (this.#isClosed || this.#ears.size === 0 || this.#client) return;
    const { Client, ...config } = this.#needs.config;
    const client = new Client({ ...config, query_timeout: ANSWER_WITHIN_MS });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload = '' }) => this.#take(payload));
    try {
      await client.connect();
      await this.#needs.admit(client);
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      return this.#lost(client);
    }
    if (this.#client !== client) return;
    this.#wait = RECONNECT_MIN_MS;
    this.#asking = setInterval(() => void client.query('SELECT 1').catch(() => this.#lost(client)), ASK_EVERY_MS);
    this.#asking.unref();
    if (this.#wasLost) for (const { missed } of this.#ears) missed();
    this.#wasLost = false;
  }

  /** Every client of the database can send on the channel, so messages of another format are ignored. */
  #take(payload: string): void {
    try {
      const { from, word } = JSON.parse(payload) as Spoken;
      if (from !== this.#me) for (const { heard } of this.#ears) heard(word);
    } catch {
      return;
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#drop();
    this.#wasLost = true;
    if (this.#isClosed || this.#ears.size === 0) return;
    this.#again = setTimeout(() => void this.#connect(), this.#wait);
    this.#again.unref();
    this.#wait = Math.min(this.#wait * 2, RECONNECT_MAX_MS);
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    clearInterval(this.#asking);
    clearTimeout(this.#again);
    void client?.end().catch(() => {});
  }
}
