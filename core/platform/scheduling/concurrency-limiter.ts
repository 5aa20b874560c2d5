/** Slots of a lane before its speed is known. */
const INITIAL_SLOTS = 4;
/** Slots of a lane after a slow row. */
const SLOTS_AFTER_SLOW = 2;
const SLOW_MS = 1_000;

interface Lane {
  running: number;
  slots: number;
  /** True if the last claim may have left due rows. */
  mayHaveMore: boolean;
}

/**
 * Limits the rows of each lane that run in parallel. A lane starts with few slots and gains two with every fast row. If lanes are peers, such as
 * webhook endpoints, a slow row costs nearly all slots of its lane, so that an unreachable peer does not block the others. If lanes are tenants, which
 * may share one slow gateway, slow rows cost no slots.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  readonly #laneMax: number;
  readonly #arePeers: boolean;
  readonly #lanes = new Map<string, Lane>();
  running = 0;

  constructor(max: number, laneMax: number, arePeers: boolean) {
    this.#max = max;
    this.#laneMax = laneMax;
    this.#arePeers = arePeers;
  }

  /** True if no lane has a free slot, because the rows of all lanes use all slots. */
  get isFull(): boolean {
    return this.running >= this.#max;
  }

  /** Takes the free slots of a lane; the caller returns the ones that it does not use. */
  acquire(key: string): number {
    const lane = this.#lanes.get(key) ?? { running: 0, slots: Math.min(INITIAL_SLOTS, this.#laneMax), mayHaveMore: false };
    this.#lanes.set(key, lane);
    lane.mayHaveMore = true;
    const acquired = Math.max(0, Math.min(this.#max - this.running, lane.slots - lane.running));
    lane.running += acquired;
    this.running += acquired;
    return acquired;
  }

  /** Returns the slots for which a claim found no rows. */
  returnUnused(key: string, slots: number): void {
    if (slots > 0) this.#free(key, slots).mayHaveMore = false;
  }

  /** Marks a row of the lane as done. Returns true if another claim is worthwhile. */
  release(key: string, tookMs: number): boolean {
    const lane = this.#free(key, 1);
    lane.slots = this.#arePeers && tookMs >= SLOW_MS ? SLOTS_AFTER_SLOW : Math.min(this.#laneMax, lane.slots + 2);
    if (lane.running === 0 && !lane.mayHaveMore) this.#lanes.delete(key);
    return lane.mayHaveMore && lane.running * 2 <= lane.slots;
  }

  #free(key: string, slots: number): Lane {
    const lane = this.#lanes.get(key) ?? { running: slots, slots: INITIAL_SLOTS, mayHaveMore: false };
    lane.running -= slots;
    this.running -= slots;
    return lane;
  }
}
