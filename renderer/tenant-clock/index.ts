import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, queryClient, takeData } from '#renderer/client';
import { dayIn } from '#renderer/dates';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session';
import { useNow } from '#renderer/ui';

const TODAY_LOOK_MS = 60_000;

/** How far the tenant's time is ahead of this machine's, in milliseconds. */
const clockQuery = queryOptions({
  queryKey: ['tenant-clock'],
  queryFn: async () => Date.parse((await takeData(api.GET('/api/v1/sandbox/clock'))).now) - Date.now(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Takes a time that the service just told for the tenant's present. */
export function setTenantTime(now: string): void {
  queryClient.setQueryData(clockQuery.queryKey, Date.parse(now) - Date.now());
}

/** The tenant's present, which a sandbox's test clock may have set ahead; moves on by itself. */
export function useTenantNow(everyMs: number): number {
  const { data = 0 } = useAhead();
  return useNow(true, everyMs) + data;
}

/** Today by the merchant's calendar, YYYY-MM-DD. */
export function useToday(): string {
  const { timezone } = useMerchant();
  return dayIn(timezone, useTenantNow(TODAY_LOOK_MS));
}

/** Whether the tenant's present is known, as well as it can be: until then a screen would take the machine's day for it. */
export function useIsTenantNowKnown(): boolean {
  const { isLoading } = useAhead();
  return !isLoading;
}

function useAhead() {
  const may = useMay();
  const isSandbox = useIsSandbox();
  return useQuery({ ...clockQuery, enabled: isSandbox && may('settings:read') });
}
