import type { KeyboardEvent, MouseEvent } from 'react';

/** What a button within a row listens to: its click, and the keys that press it, stay its own. */
export function notToTheRow(run: () => void) {
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
