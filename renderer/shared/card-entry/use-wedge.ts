import { useEffect, useRef } from 'react';
import type { SwipedCard } from './track.ts';
import { quietAfter, WEDGE_IDLE, type WedgeStep, wedgeKey, wedgeQuiet } from './wedge.ts';

/** Handlers of card swipes. */
interface WedgeListener {
  readonly onSwipe: (card: SwipedCard) => void;
  /** Called with the text of the stripe if it is complete and has no card number, else with null. */
  readonly onBadRead: (stripe: string | null) => void;
}

/**
 * Catches card swipes at the window before any field or shortcut gets a key, whatever has the focus. Keys that turn out not to be a swipe
 * are inserted into the field that had the focus.
 */
export function useWedge(listener: WedgeListener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(
    () => listenAtWindow({ onSwipe: (card) => latest.current.onSwipe(card), onBadRead: (stripe) => latest.current.onBadRead(stripe) }),
    [],
  );
}

function listenAtWindow(listener: WedgeListener): () => void {
  let state = WEDGE_IDLE;
  let target: Element | null = null;
  let quiet: number | undefined;

  const take = (step: WedgeStep, focused: Element | null) => {
    const holdsNow = step.state.kind === 'holding';
    if (step.replay) typeInto(target, step.replay);
    if (holdsNow && (state.kind !== 'holding' || step.replay)) target = focused;
    state = step.state;
    clearTimeout(quiet);
    if (holdsNow) {
      const end = () => take(wedgeQuiet(state, performance.now()), document.activeElement);
      quiet = window.setTimeout(end, quietAfter(state, isField(target)));
    }
    if (step.swiped) listener.onSwipe(step.swiped);
    if (step.badRead) listener.onBadRead(step.stripe ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = wedgeKey(state, { key: event.key, at: event.timeStamp, command: event.ctrlKey || event.altKey || event.metaKey });
    take(step, document.activeElement);
    if (!step.swallow) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    clearTimeout(quiet);
    window.removeEventListener('keydown', onKeyDown, { capture: true });
  };
}

/** Returns true for a field into which a person can type. */
function isField(target: Element | null): target is HTMLInputElement | HTMLTextAreaElement {
  return (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && !target.readOnly && !target.disabled;
}

function typeInto(target: Element | null, text: string): void {
  if (!isField(target)) return;
  target.setRangeText(text, target.selectionStart ?? target.value.length, target.selectionEnd ?? target.value.length, 'end');
  target.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
