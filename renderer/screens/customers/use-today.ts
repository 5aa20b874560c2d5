import { useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { dayIn } from './words.ts';

const EVERY_MS = 60_000;

/** Today by the merchant's calendar, YYYY-MM-DD; a test clock that was set ahead counts. */
export function useToday(): string {
  const { timezone } = useMerchant();
  return dayIn(timezone, useTenantNow(EVERY_MS));
}
