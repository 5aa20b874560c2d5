import { useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { dayIn } from './words.ts';

const EVERY_MS = 60_000;

export interface Present {
  /** By the merchant's calendar, YYYY-MM-DD. */
  readonly today: string;
  readonly nowMs: number;
}

/** The tenant's present; a test clock that was set ahead counts. */
export function usePresent(): Present {
  const { timezone } = useMerchant();
  const nowMs = useTenantNow(EVERY_MS);
  return { today: dayIn(timezone, nowMs), nowMs };
}
