/**
 * Tells an Enter that is meant from one that is hammered or held. A clerk who strikes Enter ten times charges once, and
 * the result stays on the screen; one who strikes it once, soon after the result has come, is obeyed.
 */
export interface EnterState {
  /** An Enter came while it could do nothing: until a pause, no further one counts. */
  readonly hammering: boolean;
  readonly lastAt: number;
  /** When the last answer came. */
  readonly answeredAt: number;
}

/** `wait` means: do it after DOUBLE_STRIKE_MS unless another Enter comes first. */
type EnterVerdict = 'go' | 'wait' | 'ignore';

export const DOUBLE_STRIKE_MS = 160;
const PAUSE_MS = 500;
/** How long after an answer an Enter may still be one of a series that was begun before it. */
const SETTLING_MS = 1000;

export const ENTER_AT_REST: EnterState = { hammering: false, lastAt: Number.NEGATIVE_INFINITY, answeredAt: Number.NEGATIVE_INFINITY };

/** Takes an Enter at `at` (ms); `busy` while a charge is under way. */
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
