import { isoTime } from '#core/kernel';

/** Less is how clocks are kept right. */
const STEP_MS = 2_000;
const LOOK_EVERY_MS = 10_000;

interface ClockStep {
  /** Below zero the clock was set back. */
  readonly byMs: number;
  readonly seenAt: string;
}

export interface Clocks {
  /** The computer's time. */
  readonly wall: () => number;
  /** What nobody can set. */
  readonly steady: () => number;
}

const COMPUTER: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * Sees the computer's clock being set back under the running server (reliability 11): what comes later then seems to have been earlier. Ahead it also seems
 * to go when the computer slept, which is nobody's fault.
 */
export class ClockWatch {
  readonly #clocks: Clocks;
  #offsetMs: number;
  #step: ClockStep | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(clocks: Clocks = COMPUTER) {
    this.#clocks = clocks;
    this.#offsetMs = clocks.wall() - clocks.steady();
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The last time that the clock was seen set back; null where it was not. */
  look(): ClockStep | null {
    const now = this.#clocks.wall();
    const offsetMs = now - this.#clocks.steady();
    const byMs = Math.round(offsetMs - this.#offsetMs);
    this.#offsetMs = offsetMs;
    if (byMs <= -STEP_MS) this.#step = { byMs, seenAt: isoTime(now) };
    return this.#step;
  }
}
