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
  /** Clock that cannot be set. */
  readonly steady: () => number;
}

const COMPUTER: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * Detects that the computer's clock is set back while the server runs (reliability 11), because later records would then appear earlier.
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
