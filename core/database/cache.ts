import type { Database } from './work.ts';

/** Lifetime of a cached value on PostgreSQL, where another server may change the row. On SQLite there is no other server. */
const SHARED_LIFETIME_MS = 1_000;

/** Cache of rows. A change that another server of the same database makes is seen after at most a second. */
export class Cache<Value> {
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { value: Value; untilMs: number }>();
  readonly #reading = new Map<string, Promise<Value | undefined>>();

  constructor(database: Pick<Database, 'kind'>) {
    this.#lifetimeMs = database.kind === 'sqlite' ? Number.POSITIVE_INFINITY : SHARED_LIFETIME_MS;
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

  set(key: string, value: Value): Value {
    this.#entries.set(key, { value, untilMs: performance.now() + this.#lifetimeMs });
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#reading.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#reading.clear();
  }
}
