import { useCallback, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { DOUBLE_PRESS_MS, handleEnter, handleOtherKey, INITIAL_ENTER_STATE, recordResult } from './enter-guard.ts';

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
