import type { CacheChanges } from './signals.ts';
import type { Database } from './work.ts';

/** Lifetime of a cached value on PostgreSQL, where another server may change the row. On SQLite there is no other server. */
const SHARED_LIFETIME_MS = 1_000;

/**
 * Cache of rows. A change by another server of the same database is seen after at most a second, and a change by another process of the same server
 * within milliseconds.
 */
export class Cache<Value> {
  readonly #name: string;
  readonly #changes: CacheChanges | undefined;
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { value: Value; untilMs: number }>();
  readonly #reading = new Map<string, Promise<Value | undefined>>();

  constructor(database: Pick<Database, 'kind' | 'cacheChanges'>, name: string) {
    this.#name = name;
    this.#changes = database.cacheChanges;
    this.#lifetimeMs = database.kind === 'sqlite' ? Number.POSITIVE_INFINITY : SHARED_LIFETIME_MS;
    this.#changes?.subscribe(name, (key) => this.#expire(key));
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.untilMs > performance.now() ? entry.value : undefined;
  }

  /** Last known value, regardless of its age. */
  last(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /**
   * Returns the cached value, or else that of `read`. Parallel callers share one read, so that no older value follows a newer one. A value
   * that a change overtook is returned to its callers, but not cached.
   */
  async through<Read extends Value | undefined>(key: string, read: () => Promise<Read>): Promise<Value | Read> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const pendingRead = this.#reading.get(key);
    if (pendingRead) return pendingRead as Promise<Value | Read>;
    const reading = read();
    this.#reading.set(key, reading);
    const isLatest = () => this.#reading.get(key) === reading;
    try {
      const value = await reading;
      if (value !== undefined && isLatest()) this.set(key, value);
      return value;
    } finally {
      if (isLatest()) this.#reading.delete(key);
    }
  }

  /** Stores a value that this process has just changed. */
  change(key: string, value: Value): void {
    this.set(key, value);
    this.#changes?.publish(this.#name, key);
  }

  set(key: string, value: Value): Value {
    this.#entries.set(key, { value, untilMs: performance.now() + this.#lifetimeMs });
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#reading.delete(key);
    this.#changes?.publish(this.#name, key);
  }

  clear(): void {
    this.#entries.clear();
    this.#reading.clear();
    this.#changes?.publish(this.#name, null);
  }

  /** Ends the lifetime of values. `last()` still returns them. */
  #expire(key: string | null): void {
    for (const each of key === null ? [...this.#entries.keys(), ...this.#reading.keys()] : [key]) {
      const entry = this.#entries.get(each);
      if (entry) entry.untilMs = 0;
      this.#reading.delete(each);
    }
  }
}
