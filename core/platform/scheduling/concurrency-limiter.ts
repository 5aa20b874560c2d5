/** Places that a lane has before anything is known of it. */
const FIRST_PLACES = 4;
/** Places left to a lane whose last work was slow. */
const SLOW_PLACES = 2;
const SLOW_MS = 1_000;

interface Lane {
  running: number;
  places: number;
  /** The last claim may have left more behind. */
  more: boolean;
}

/**
 * Limits the rows of each lane that run in parallel. A lane starts with few slots and gains one with every answer. If lanes are peers, a
 * slow answer costs nearly all of its slots, so that an unreachable peer does not block the others; if they are tenants of one slow
 * gateway, slots stay.
 */
export class Lanes {
  readonly #atOnce: number;
  readonly #laneAtOnce: number;
  readonly #arePeers: boolean;
  readonly #lanes = new Map<string, Lane>();
  running = 0;

  constructor(atOnce: number, laneAtOnce: number, arePeers: boolean) {
    this.#atOnce = atOnce;
    this.#laneAtOnce = laneAtOnce;
    this.#arePeers = arePeers;
  }

  /** Takes the free slots of a lane; the caller returns the ones that it does not use. */
  take(key: string): number {
    const lane = this.#lanes.get(key) ?? { running: 0, places: Math.min(FIRST_PLACES, this.#laneAtOnce), more: false };
    this.#lanes.set(key, lane);
    lane.more = true;
    const room = Math.max(0, Math.min(this.#atOnce - this.running, lane.places - lane.running));
    lane.running += room;
    this.running += room;
    return room;
  }

  /** Returns the slots for which a claim found no rows. */
  unfilled(key: string, places: number): void {
    if (places > 0) this.#leave(key, places).more = false;
  }

  /** Marks a row of the lane as done. Returns true if another claim is worthwhile. */
  done(key: string, tookMs: number): boolean {
    const lane = this.#leave(key, 1);
    lane.places = this.#arePeers && tookMs >= SLOW_MS ? SLOW_PLACES : Math.min(this.#laneAtOnce, lane.places + 2);
    if (lane.running === 0 && !lane.more) this.#lanes.delete(key);
    return lane.more && lane.running * 2 <= lane.places;
  }

  #leave(key: string, places: number): Lane {
    const lane = this.#lanes.get(key) ?? { running: places, places: FIRST_PLACES, more: false };
    lane.running -= places;
    this.running -= places;
    return lane;
  }
}
