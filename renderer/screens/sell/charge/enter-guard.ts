import { useCallback, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';

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

export interface EnterGuard {
  /** Runs the action of an Enter press, unless the press is one of a repeated series. */
  readonly press: (event: { timeStamp: number; repeat: boolean }, act: () => void) => void;
  /** Records that a charge result appeared, so that repeated presses meant for the form are ignored. */
  readonly recordResult: () => void;
}

/** Guards the Enter key of the form and the result. `isBusy` returns true while a charge is pending. */
export function useEnterGuard(isBusy: () => boolean): EnterGuard {
  const state = useRef(INITIAL_ENTER_STATE);
  const pendingPress = useRef<{ readonly timer: number; readonly act: () => void } | undefined>(undefined);
  /** Ends the wait of a press. Returns its action; undefined if none waits. */
  const takePending = useCallback(() => {
    const pending = pendingPress.current;
    clearTimeout(pending?.timer);
    pendingPress.current = undefined;
    return pending?.act;
  }, []);

  useEffect(() => {
    const onOtherKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Enter') return;
      // The press was a single one, and its action must not find what is typed after it.
      const act = takePending();
      if (act !== undefined) flushSync(act);
      state.current = handleOtherKey(state.current, isBusy());
    };
    window.addEventListener('keydown', onOtherKey, { capture: true });
    return () => {
      takePending();
      window.removeEventListener('keydown', onOtherKey, { capture: true });
    };
  }, [isBusy, takePending]);

  const press = useCallback<EnterGuard['press']>(
    ({ timeStamp, repeat }, act) => {
      takePending();
      const next = handleEnter(state.current, timeStamp, isBusy() || repeat);
      state.current = next.state;
      if (next.decision === 'act') act();
      if (next.decision === 'wait') pendingPress.current = { act, timer: window.setTimeout(() => takePending()?.(), DOUBLE_PRESS_MS) };
    },
    [isBusy, takePending],
  );
  const markResult = useCallback(() => {
    state.current = recordResult(state.current, performance.now());
  }, []);
  return useMemo(() => ({ press, recordResult: markResult }), [press, markResult]);
}
