import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, queryClient, takeData } from '#renderer/base/client';
import { dayIn, setClockAhead } from '#renderer/base/dates';
import { useNow } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';

const TODAY_TICK_MS = 60_000;

/** Time that the tenant's clock is ahead of this computer's, in milliseconds. */
const clockQuery = queryOptions({
  queryKey: ['tenant-clock'],
  queryFn: async () => aheadAt((await takeData(api.GET('/api/v1/sandbox/clock'))).now),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Sets the tenant's current time to a time that the service returned. */
export function setTenantTime(now: string): void {
  queryClient.setQueryData(clockQuery.queryKey, aheadAt(now));
}

/** Returns the time that the tenant's clock is ahead, by its present time, and notes it for dates. */
function aheadAt(now: string): number {
  const aheadMs = Date.parse(now) - Date.now();
  setClockAhead(aheadMs);
  return aheadMs;
}

/** Returns the time that the tenant's clock is ahead of this computer's, in milliseconds. */
export function useTenantClockOffset(): number {
  const { data = 0 } = useClockOffset();
  return data;
}

/** Returns the current time of the tenant, which the test clock of a sandbox may have moved ahead; updated continuously. */
export function useTenantNow(everyMs: number): number {
  return useNow(true, everyMs) + useTenantClockOffset();
}

/** Returns today's date in the merchant's time zone, YYYY-MM-DD. */
export function useToday(): string {
  const { timezone } = useMerchant();
  return dayIn(timezone, useTenantNow(TODAY_TICK_MS));
}

/** Returns true once the tenant's time was fetched or the request failed; before that, a screen would show the computer's date. */
export function useIsTenantNowKnown(): boolean {
  const { isLoading } = useClockOffset();
  return !isLoading;
}

function useClockOffset() {
  const may = useMay();
  const isSandbox = useIsSandbox();
  return useQuery({ ...clockQuery, enabled: isSandbox && may('settings:read') });
}
