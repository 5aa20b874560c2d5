import { useTenantNow, useToday } from '#renderer/tenant-clock';

const EVERY_MS = 60_000;

export interface Present {
  /** Day in the merchant's calendar, YYYY-MM-DD. */
  readonly today: string;
  readonly nowMs: number;
}

/** The tenant's present; a test clock that was set ahead counts. */
export function usePresent(): Present {
  return { today: useToday(), nowMs: useTenantNow(EVERY_MS) };
}
