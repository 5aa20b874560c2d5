/**
 * Serializes operations on one key within this process: the second caller sees the state left by the first, and gets the error for that
 * state. Servers that share a database use `pending_attempt` of the row instead.
 */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, body: () => Promise<Result>): Promise<Result> {
    const previous = this.#tails.get(key);
    const result = (previous ?? Promise.resolve()).then(body, body);
    const tail = result.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
