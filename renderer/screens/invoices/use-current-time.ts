import { useTenantNow, useToday } from '#renderer/session/tenant-clock';

const REFRESH_MS = 60_000;

export interface CurrentTime {
  /** Day in the merchant's calendar, YYYY-MM-DD. */
  readonly today: string;
  readonly nowMs: number;
}

/** Returns the current time of the tenant, including its test clock. */
export function useCurrentTime(): CurrentTime {
  return { today: useToday(), nowMs: useTenantNow(REFRESH_MS) };
}
