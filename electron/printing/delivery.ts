/** Result of sending bytes to a printer. `isPartial`: some of it may have been printed. */
export type Delivery = { readonly sent: true } | { readonly sent: false; readonly problem: string; readonly isPartial: boolean };

export const SENT: Delivery = { sent: true };

/** Nothing reached the printer. */
export function notSent(problem: string): Delivery {
  return { sent: false, problem, isPartial: false };
}

/** Something may have reached the printer. */
export function inDoubt(problem: string): Delivery {
  return { sent: false, problem: `${problem} It may have printed in part: look before you try again.`, isPartial: true };
}
