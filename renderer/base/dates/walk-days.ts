import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Moves the focus between the elements with `data-date` of a month by arrow keys, Home and End. */
export function walkDays(event: KeyboardEvent<HTMLElement>): void {
  const days = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-date]')];
  const at = days.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  const next = event.key === 'Home' ? days[0] : event.key === 'End' ? days.at(-1) : step === undefined ? undefined : days[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
