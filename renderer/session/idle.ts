import { useEffect } from 'react';
import { IDLE_LIMIT_MS, noteActivity } from '#renderer/client';
import { lock, useSession } from './session.ts';

const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const LOOK_EVERY_MS = 15_000;

/** Locks the screen after 15 minutes without a hand on mouse or keyboard. Goes by the clock, so that a machine that slept is locked as it wakes. */
export function useIdleLock(): void {
  const isSignedIn = useSession(({ state }) => state.phase === 'signed-in');
  useEffect(() => {
    if (!isSignedIn) return;
    let activeAtMs = Date.now();
    const live = () => {
      activeAtMs = Date.now();
    };
    const look = () => {
      if (Date.now() - activeAtMs >= IDLE_LIMIT_MS) lock('idle');
      else noteActivity(activeAtMs);
    };
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, live, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => {
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, live, { capture: true });
      document.removeEventListener('visibilitychange', look);
      clearInterval(timer);
    };
  }, [isSignedIn]);
}
