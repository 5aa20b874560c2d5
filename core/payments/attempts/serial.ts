/**
 * Lets operations on one thing pass one after the other within this process, so that of two rivals the second meets the state that the
 * first left and gets that state's own refusal. Servers that share a database are kept apart by the row's `busy_attempt` instead.
 */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, body: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key);
    const mine = (before ?? Promise.resolve()).then(body, body);
    const tail = mine.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
