import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus in a form while the button that has it is disabled or removed, so that no key is lost, and returns it to a button that works
 * again: Enter repeats an attempt that failed. Returns the ref of the form's focusable element.
 */
export function useKeptFocus<Container extends HTMLElement>(): RefObject<Container | null> {
  const container = useRef<Container>(null);
  const waiting = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (active instanceof HTMLElement && active.matches(':disabled') && container.current?.contains(active)) {
      waiting.current = active;
      container.current.focus();
    } else if (active !== container.current) waiting.current = null;
    else if (waiting.current?.matches(':enabled')) waiting.current.focus();
  });
  return container;
}
