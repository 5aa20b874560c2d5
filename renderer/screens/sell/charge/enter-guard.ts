/**
 * Distinguishes a deliberate Enter from a repeated or held one. Ten quick presses charge once and leave the result on the screen; a single
 * press soon after the result works.
 */
export interface EnterState {
  /** An Enter came while it could do nothing: until a pause, no further one counts. */
  readonly hammering: boolean;
  readonly lastAt: number;
  /** Time of the last answer. */
  readonly answeredAt: number;
}

/** `wait` means: do it after DOUBLE_STRIKE_MS unless another Enter comes first. */
type EnterVerdict = 'go' | 'wait' | 'ignore';

export const DOUBLE_STRIKE_MS = 160;
const PAUSE_MS = 500;
/** Time after an answer in which an Enter may still belong to an earlier series. */
const SETTLING_MS = 1000;

export const ENTER_AT_REST: EnterState = { hammering: false, lastAt: Number.NEGATIVE_INFINITY, answeredAt: Number.NEGATIVE_INFINITY };

/** Processes an Enter at `at` (ms); `busy` while a charge is under way. */
export function strikeEnter(state: EnterState, at: number, busy: boolean): { state: EnterState; verdict: EnterVerdict } {
  const settling = at - state.answeredAt < SETTLING_MS;
  const second = settling && state.lastAt > state.answeredAt;
  const hammering = busy || ((state.hammering || second) && at - state.lastAt < PAUSE_MS);
  const verdict = hammering ? 'ignore' : settling ? 'wait' : 'go';
  return { state: { ...state, hammering, lastAt: at }, verdict };
}

/** Any other key shows that the clerk has seen where things stand. */
export function strikeOther(state: EnterState, busy: boolean): EnterState {
  return busy ? state : ENTER_AT_REST;
}

/** Notes that an answer has come. */
export function answerCame(state: EnterState, at: number): EnterState {
  return { ...state, answeredAt: at };
}
