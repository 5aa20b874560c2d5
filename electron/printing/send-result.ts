/** Result of sending bytes to a printer. `isPartial`: some of it may have been printed. */
export type SendResult = { readonly sent: true } | { readonly sent: false; readonly problem: string; readonly isPartial: boolean };

export const SENT: SendResult = { sent: true };

/** Returns the result of a job of which nothing reached the printer. */
export function notSent(problem: string): SendResult {
  return { sent: false, problem, isPartial: false };
}

/** Returns the result of a job that may have been printed in part. */
export function possiblySent(problem: string): SendResult {
  return { sent: false, problem: `${problem} Part of it may have been printed. Check the printer before you try again.`, isPartial: true };
}
