import type { Database } from '#core/database';
import { isoTime } from '#core/kernel';

/** Remembers since when the database does not answer, without the database. Times are real time. */
export class DatabaseWatch {
  readonly #database: Pick<Database, 'ping' | 'health'>;
  #downSinceMs: number | null = null;

  constructor(database: Pick<Database, 'ping' | 'health'>) {
    this.#database = database;
  }

  /** Returns the time since which the database takes no changes; null if it does. */
  async downSince(): Promise<string | null> {
    const answers = await this.#database.ping().then(
      () => true,
      () => false,
    );
    const isUp = answers && this.#database.health().damage === null;
    if (isUp) this.#downSinceMs = null;
    else this.#downSinceMs ??= Date.now();
    return this.#downSinceMs === null ? null : isoTime(this.#downSinceMs);
  }
}
