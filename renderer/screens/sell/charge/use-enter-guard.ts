import { useCallback, useEffect, useMemo, useRef } from 'react';
import { answerCame, DOUBLE_STRIKE_MS, ENTER_AT_REST, strikeEnter, strikeOther } from './enter-guard.ts';

export interface EnterGuard {
  /** Does what an Enter asks for, unless it is one of a hammered series. */
  readonly strike: (event: { timeStamp: number; repeat: boolean }, act: () => void) => void;
  /** An answer has come: what is hammered on goes nowhere. */
  readonly answered: () => void;
}

/** Guards the Enter key of the form and the result. `isBusy` returns true while a charge is under way. */
export function useEnterGuard(isBusy: () => boolean): EnterGuard {
  const state = useRef(ENTER_AT_REST);
  const waiting = useRef<number | undefined>(undefined);

  useEffect(() => {
    const other = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Enter') state.current = strikeOther(state.current, isBusy());
    };
    window.addEventListener('keydown', other, { capture: true });
    return () => {
      clearTimeout(waiting.current);
      window.removeEventListener('keydown', other, { capture: true });
    };
  }, [isBusy]);

  const strike = useCallback<EnterGuard['strike']>(
    ({ timeStamp, repeat }, act) => {
      clearTimeout(waiting.current);
      const next = strikeEnter(state.current, timeStamp, isBusy() || repeat);
      state.current = next.state;
      if (next.verdict === 'go') act();
      if (next.verdict === 'wait') waiting.current = window.setTimeout(act, DOUBLE_STRIKE_MS);
    },
    [isBusy],
  );
  const answered = useCallback(() => {
    state.current = answerCame(state.current, performance.now());
  }, []);
  return useMemo(() => ({ strike, answered }), [strike, answered]);
}
