import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, queryClient, takeData } from '#renderer/client';
import { dayIn } from '#renderer/dates';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session';
import { useNow } from '#renderer/ui';

const TODAY_LOOK_MS = 60_000;

/** Time that the tenant's clock is ahead of this computer's, in milliseconds. */
const clockQuery = queryOptions({
  queryKey: ['tenant-clock'],
  queryFn: async () => Date.parse((await takeData(api.GET('/api/v1/sandbox/clock'))).now) - Date.now(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Uses a time that the service returned as the tenant's present time. */
export function setTenantTime(now: string): void {
  queryClient.setQueryData(clockQuery.queryKey, Date.parse(now) - Date.now());
}

/** Present time of the tenant, which a sandbox's test clock may have moved ahead; updated continuously. */
export function useTenantNow(everyMs: number): number {
  const { data = 0 } = useAhead();
  return useNow(true, everyMs) + data;
}

/** Today by the merchant's calendar, YYYY-MM-DD. */
export function useToday(): string {
  const { timezone } = useMerchant();
  return dayIn(timezone, useTenantNow(TODAY_LOOK_MS));
}

/** True once the tenant's time is known as well as possible; before, a screen would use the computer's day. */
export function useIsTenantNowKnown(): boolean {
  const { isLoading } = useAhead();
  return !isLoading;
}

function useAhead() {
  const may = useMay();
  const isSandbox = useIsSandbox();
  return useQuery({ ...clockQuery, enabled: isSandbox && may('settings:read') });
}
