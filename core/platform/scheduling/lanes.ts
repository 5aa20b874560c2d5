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
 * How many rows of each lane may be at work. A lane begins with few places and gains with every answer. Where lanes are peers, a slow answer costs
 * nearly all of them, so that a dead peer holds few places and the others always find room; where they are tenants of one slow gateway, it is no
 * reason to ask less of it at once.
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

  /** Takes as many places of a lane as are free; the caller gives back what it does not fill. */
  take(key: string): number {
    const lane = this.#lanes.get(key) ?? { running: 0, places: Math.min(FIRST_PLACES, this.#laneAtOnce), more: false };
    this.#lanes.set(key, lane);
    lane.more = true;
    const room = Math.max(0, Math.min(this.#atOnce - this.running, lane.places - lane.running));
    lane.running += room;
    this.running += room;
    return room;
  }

  /** Gives back the places that a claim found no rows for. */
  unfilled(key: string, places: number): void {
    if (places > 0) this.#leave(key, places).more = false;
  }

  /** One row of the lane is done; true when it is worth claiming again at once. */
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
