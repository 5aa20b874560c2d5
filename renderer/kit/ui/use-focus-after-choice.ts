import { type SyntheticEvent, useEffect, useRef, useState } from 'react';

/** Handlers of a `TextField` with `select`. */
interface ChoiceHandlers {
  readonly onOpen: () => void;
  readonly onClose: (event: SyntheticEvent) => void;
}

/**
 * Moves the focus from a select to its next field after a choice, also if the choice stays the same. Esc leaves the focus on the select. A handler of
 * the choice itself is too early: the list returns the focus to the select when it closes.
 */
export function useFocusAfterChoice(focusNext: () => void): ChoiceHandlers {
  const [isOpen, setOpen] = useState(false);
  const isChosen = useRef(false);
  const latest = useRef(focusNext);
  latest.current = focusNext;
  useEffect(() => {
    if (isOpen || !isChosen.current) return;
    isChosen.current = false;
    latest.current();
  }, [isOpen]);
  return {
    onOpen: () => setOpen(true),
    onClose: (event) => {
      isChosen.current = !('key' in event && event.key === 'Escape');
      setOpen(false);
    },
  };
}
