import { onReset } from '#renderer/base/module-state';

let aheadMs = 0;
onReset(() => {
  aheadMs = 0;
});

/** Sets the time that the account's clock is ahead of this computer's, in milliseconds: a sandbox's test clock may have been moved. */
export function setClockAhead(ms: number): void {
  aheadMs = ms;
}

/** Returns the present year of the account's clock, YYYY. */
export const thisYear = (): string => new Date(Date.now() + aheadMs).toISOString().slice(0, 4);
