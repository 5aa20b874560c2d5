/**
 * Distinguishes a deliberate Enter from a repeated or held one. Ten quick presses charge once and leave the result on the screen; a single
 * press soon after the result works.
 */
export interface EnterState {
  /** True after an Enter that could do nothing. Further ones are ignored until a pause. */
  readonly isRepeating: boolean;
  readonly lastEnterAt: number;
  /** Time at which the last charge result appeared. */
  readonly resultAt: number;
}

/** `wait` acts after DOUBLE_PRESS_MS, or before the next other key, unless another Enter comes first. */
type EnterDecision = 'act' | 'wait' | 'ignore';

export const DOUBLE_PRESS_MS = 160;
const PAUSE_MS = 500;
/** Time after a result in which an Enter may still belong to an earlier series. */
const AFTER_RESULT_MS = 1000;

export const INITIAL_ENTER_STATE: EnterState = {
  isRepeating: false,
  lastEnterAt: Number.NEGATIVE_INFINITY,
  resultAt: Number.NEGATIVE_INFINITY,
};

/** Processes an Enter at `at` (ms). `isBusy` is true while a charge is pending. */
export function handleEnter(state: EnterState, at: number, isBusy: boolean): { state: EnterState; decision: EnterDecision } {
  const isAfterResult = at - state.resultAt < AFTER_RESULT_MS;
  const isSecondPress = isAfterResult && state.lastEnterAt > state.resultAt;
  const isRepeating = isBusy || ((state.isRepeating || isSecondPress) && at - state.lastEnterAt < PAUSE_MS);
  const decision = isRepeating ? 'ignore' : isAfterResult ? 'wait' : 'act';
  return { state: { ...state, isRepeating, lastEnterAt: at }, decision };
}

/** Resets the state: any other key shows that the clerk has seen the result. */
export function handleOtherKey(state: EnterState, isBusy: boolean): EnterState {
  return isBusy ? state : INITIAL_ENTER_STATE;
}

/** Records the time of a charge result. */
export function recordResult(state: EnterState, at: number): EnterState {
  return { ...state, resultAt: at };
}
