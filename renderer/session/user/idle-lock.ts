import { useEffect } from 'react';
import { IDLE_LIMIT_MS, noteActivity } from '#renderer/base/client';
import { lock, useSession } from './session.ts';

const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const CHECK_INTERVAL_MS = 15_000;

/** Locks the screen after 15 minutes without input. It compares clock times, so that a computer is locked when it wakes from sleep. */
export function useIdleLock(): void {
  const isSignedIn = useSession(({ state }) => state.phase === 'signed-in');
  useEffect(() => {
    if (!isSignedIn) return;
    let activeAtMs = Date.now();
    const noteInput = () => {
      activeAtMs = Date.now();
    };
    const checkIdle = () => {
      if (Date.now() - activeAtMs >= IDLE_LIMIT_MS) lock('idle');
      else noteActivity(activeAtMs);
    };
    for (const eventName of ACTIVITY_EVENTS) addEventListener(eventName, noteInput, { capture: true, passive: true });
    document.addEventListener('visibilitychange', checkIdle);
    const timer = setInterval(checkIdle, CHECK_INTERVAL_MS);
    return () => {
      for (const eventName of ACTIVITY_EVENTS) removeEventListener(eventName, noteInput, { capture: true });
      document.removeEventListener('visibilitychange', checkIdle);
      clearInterval(timer);
    };
  }, [isSignedIn]);
}
