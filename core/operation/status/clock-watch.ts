import { isoTime } from '#core/kernel';

/** Smallest reported step. Smaller steps occur when a clock is synchronized. */
const STEP_MS = 2_000;
const CHECK_EVERY_MS = 10_000;

interface ClockStep {
  /** Negative if the clock was set back. */
  readonly byMs: number;
  readonly seenAt: string;
}

export interface Clocks {
  /** The computer's time. */
  readonly wall: () => number;
  /** Clock that cannot be set. */
  readonly steady: () => number;
}

const COMPUTER: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * Detects that the computer's clock is set back while the server runs, because later records would then appear earlier.
 * Jumps ahead are ignored: they also happen after sleep.
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
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks the clock and returns the last detected step back; null if there was none. */
  check(): ClockStep | null {
    const now = this.#clocks.wall();
    const offsetMs = now - this.#clocks.steady();
    const byMs = Math.round(offsetMs - this.#offsetMs);
    this.#offsetMs = offsetMs;
    if (byMs <= -STEP_MS) this.#step = { byMs, seenAt: isoTime(now) };
    return this.#step;
  }
}
