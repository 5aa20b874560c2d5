import type { KeyboardEvent, MouseEvent } from 'react';

/** Event handlers of a button within a row: its click, and the keys that press it, do not reach the row. */
export function stopRowEvents(run: () => void) {
  return {
    onClick: (event: MouseEvent) => {
      event.stopPropagation();
      run();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
    },
  };
}
