import type pg from 'pg';
import type { ServerConfig } from './connections/index.ts';

/**
 * Short messages between the servers of a database, at most 7,000 bytes. A message may be lost with its connection, so anything that must not be
 * lost is stored in tables.
 */
export interface Signals {
  /** Sends a message to the other servers. */
  publish(message: string): Promise<void>;
  /**
   * Receives the messages of other servers until the returned function is called. `onMissed` is called after a lost connection is restored,
   * because messages may have been lost.
   */
  subscribe(onMessage: (message: string) => void, onMissed: () => void): () => void;
}

/** Signals of a database that only one process uses: there is no other server. */
export const NO_SIGNALS: Signals = { publish: async () => {}, subscribe: () => () => {} };

/** Changes of cached rows among the processes of one server. */
export interface CacheChanges {
  /** Reports that the row of a key has changed; all rows for null. */
  publish(cache: string, key: string | null): void;
  /** Receives the changes of other processes. */
  subscribe(cache: string, onChange: (key: string | null) => void): void;
}

const CHANNEL = 'paydesk';
const RECONNECT_MIN_MS = 200;
const RECONNECT_MAX_MS = 2_000;
/** Interval of the checks that detect a dead connection. */
const CONNECTION_CHECK_EVERY_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 5_000;

interface SignalDependencies {
  readonly config: ServerConfig;
  /** Refuses a connection whose schema this program does not know. */
  readonly admit: (client: pg.Client) => Promise<void>;
  readonly query: (sql: string, values: unknown[]) => Promise<unknown>;
}

/** Payload of a notification. Servers of other versions read it too, so its field names must stay. */
interface Notification {
  /** Identifies the sender, so that a server ignores its own messages. */
  readonly from: number;
  readonly word: string;
}

/** Messages by LISTEN and NOTIFY, on a separate connection that is restored when it is lost. */
export class PostgresSignals implements Signals {
  readonly #deps: SignalDependencies;
  readonly #subscribers = new Set<{ onMessage: (message: string) => void; onMissed: () => void }>();
  #client: pg.Client | null = null;
  #checkTimer: NodeJS.Timeout | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #reconnectDelayMs = RECONNECT_MIN_MS;
  #wasLost = false;
  #isClosed = false;
  readonly #senderId = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

  constructor(deps: SignalDependencies) {
    this.#deps = deps;
  }

  async publish(message: string): Promise<void> {
    await this.#deps.query('SELECT pg_notify($1, $2)', [
      CHANNEL,
      JSON.stringify({ from: this.#senderId, word: message } satisfies Notification),
    ]);
  }

  subscribe(onMessage: (message: string) => void, onMissed: () => void): () => void {
    const subscriber = { onMessage, onMissed };
    this.#subscribers.add(subscriber);
    if (this.#subscribers.size === 1) void this.#connect();
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size === 0) this.#disconnect();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#subscribers.clear();
    this.#disconnect();
  }

  async #connect(): Promise<void> {
    if (this.#isClosed || this.#subscribers.size === 0 || this.#client) return;
    const { Client, ...config } = this.#deps.config;
    const client = new Client({ ...config, query_timeout: RESPONSE_TIMEOUT_MS });
    this.#client = client;
    client.on('error', () => this.#handleLostConnection(client));
    client.on('end', () => this.#handleLostConnection(client));
    client.on('notification', ({ payload = '' }) => this.#receive(payload));
    try {
      await client.connect();
      await this.#deps.admit(client);
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      return this.#handleLostConnection(client);
    }
    if (this.#client !== client) return;
    this.#reconnectDelayMs = RECONNECT_MIN_MS;
    this.#checkTimer = setInterval(
      () => void client.query('SELECT 1').catch(() => this.#handleLostConnection(client)),
      CONNECTION_CHECK_EVERY_MS,
    );
    this.#checkTimer.unref();
    if (this.#wasLost) for (const { onMissed } of this.#subscribers) onMissed();
    this.#wasLost = false;
  }

  /** Delivers a message. Every client of the database can send on the channel, so messages of another format are ignored. */
  #receive(payload: string): void {
    try {
      const { from, word } = JSON.parse(payload) as Notification;
      if (from !== this.#senderId) for (const { onMessage } of this.#subscribers) onMessage(word);
    } catch {
      return;
    }
  }

  #handleLostConnection(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#disconnect();
    this.#wasLost = true;
    if (this.#isClosed || this.#subscribers.size === 0) return;
    this.#reconnectTimer = setTimeout(() => void this.#connect(), this.#reconnectDelayMs);
    this.#reconnectTimer.unref();
    this.#reconnectDelayMs = Math.min(this.#reconnectDelayMs * 2, RECONNECT_MAX_MS);
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = null;
    clearInterval(this.#checkTimer);
    clearTimeout(this.#reconnectTimer);
    void client?.end().catch(() => {});
  }
}
