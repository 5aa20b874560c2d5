import { useCallback, useEffect, useMemo, useRef } from 'react';
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
  const pendingPress = useRef<number | undefined>(undefined);

  useEffect(() => {
    const onOtherKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Enter') state.current = handleOtherKey(state.current, isBusy());
    };
    window.addEventListener('keydown', onOtherKey, { capture: true });
    return () => {
      clearTimeout(pendingPress.current);
      window.removeEventListener('keydown', onOtherKey, { capture: true });
    };
  }, [isBusy]);

  const press = useCallback<EnterGuard['press']>(
    ({ timeStamp, repeat }, act) => {
      clearTimeout(pendingPress.current);
      const next = handleEnter(state.current, timeStamp, isBusy() || repeat);
      state.current = next.state;
      if (next.decision === 'act') act();
      if (next.decision === 'wait') pendingPress.current = window.setTimeout(act, DOUBLE_PRESS_MS);
    },
    [isBusy],
  );
  const markResult = useCallback(() => {
    state.current = recordResult(state.current, performance.now());
  }, []);
  return useMemo(() => ({ press, recordResult: markResult }), [press, markResult]);
}
