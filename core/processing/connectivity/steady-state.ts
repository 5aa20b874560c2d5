/** State of the connection to the gateways of a merchant. */
export type ConnectivityState = 'online' | 'gateway-down' | 'offline';

/** The state as it is shown and published. It changes less often than the observations, so that a flapping line does not flicker. */
export interface SteadyState {
  readonly state: ConnectivityState;
  /** Start of the present outage or of the present time online; null if there was no outage yet. */
  readonly sinceMs: number | null;
  /** Another state that was observed without interruption since a time; it replaces the state after `holdMs`. */
  readonly candidate: { readonly state: ConnectivityState; readonly sinceMs: number } | null;
  /** Time for which another state must be observed. Each outage that follows soon after another one doubles it. */
  readonly holdMs: number;
}

export const FIRST_HOLD_MS = 10_000;
export const LONGEST_HOLD_MS = 120_000;
/** Time online after which the next outage starts with the first hold again. */
export const CALM_MS = 10 * 60_000;

export const NEVER_DOWN: SteadyState = { state: 'online', sinceMs: null, candidate: null, holdMs: FIRST_HOLD_MS };

/**
 * Returns the state after an observation. An outage counts immediately; every other change counts only after it was observed without
 * interruption for the hold.
 */
export function observe(steady: SteadyState, observed: ConnectivityState, atMs: number): SteadyState {
  if (observed === steady.state) return steady.candidate === null ? steady : { ...steady, candidate: null };
  if (steady.state === 'online') return { state: observed, sinceMs: atMs, candidate: null, holdMs: nextHold(steady, atMs) };
  const { candidate } = steady;
  // A clock that was set back starts the hold again.
  if (candidate?.state !== observed || candidate.sinceMs > atMs) return { ...steady, candidate: { state: observed, sinceMs: atMs } };
  if (atMs - candidate.sinceMs < steady.holdMs) return steady;
  // An outage whose kind changes is still the same outage.
  return { ...steady, state: observed, sinceMs: observed === 'online' ? atMs : steady.sinceMs, candidate: null };
}

function nextHold({ sinceMs, holdMs }: SteadyState, atMs: number): number {
  if (sinceMs === null || atMs - sinceMs >= CALM_MS) return FIRST_HOLD_MS;
  return Math.min(holdMs * 2, LONGEST_HOLD_MS);
}
