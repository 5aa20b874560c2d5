/** Longest time for which a group of writes waits for others. */
const GATHER_MS = 20;
/** The same while clients connect. */
const GATHER_CLIENTS_MS = 250;
/** Callers of a group that continue in one turn of the event loop. */
const SLICE = 32;

/** Decides how long a group of writes waits for others that it is committed with. A write that is alone does not wait. */
export class Gathering {
  readonly #nowMs: () => number;
  #isExpecting = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Announces a client that has just connected; see `Database.expectWrites`. */
  expectWrites(): void {
    this.#isExpecting = true;
  }

  /** Waits while each turn of the event loop adds writes or a client, until the group has `sizeMax` writes or has waited long enough. */
  async waitFor(size: () => number, sizeMax: number): Promise<void> {
    const startedMs = this.#nowMs();
    let known = 1;
    while (size() < sizeMax) {
      const limitMs = this.#isExpecting ? GATHER_CLIENTS_MS : GATHER_MS;
      const isGrowing = this.#isExpecting || size() > known;
      if (!isGrowing || this.#nowMs() - startedMs > limitMs) return;
      this.#isExpecting = false;
      known = size();
      await new Promise(setImmediate);
    }
  }
}

/**
 * Lets the callers of a committed group continue, a few in each turn of the event loop, so that other requests are answered in between. Resolves when the last
 * of them may continue.
 */
export async function inSlices<Caller>(group: readonly Caller[], resume: (caller: Caller) => void): Promise<void> {
  for (let from = 0; from < group.length; from += SLICE) {
    if (from > 0) await new Promise(setImmediate);
    for (const caller of group.slice(from, from + SLICE)) resume(caller);
  }
}
