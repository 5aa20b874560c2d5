import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type ConnectivityReport, takeData } from '#renderer/base/client';
import { useMay, useMerchant } from '#renderer/session/user';

/** Interval of checks online and in an outage. Changes are also published to open screens. */
const POLL_MS = 60_000;
const POLL_DOWN_MS = 3_000;

/** Connection to the gateways of a merchant, and what works now. */
function reachQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['connectivity', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/system/connectivity', { params: { query: { merchantId } } })),
    refetchInterval: ({ state }) => (isOutage(state.data) ? POLL_DOWN_MS : POLL_MS),
    refetchIntervalInBackground: true,
  });
}

/** Returns true while no gateway of the merchant takes payments. The health of the server covers an outage of the database. */
const isOutage = (reach: ConnectivityReport | undefined): boolean => reach?.state === 'gateway-down' || reach?.state === 'offline';

/** Returns the reach of the present merchant during an outage; null otherwise, and for users who may not see payments. */
export function useOutage(): ConnectivityReport | null {
  const may = useMay();
  const { merchantId } = useMerchant();
  const { data } = useQuery({ ...reachQuery(merchantId), enabled: may('transactions:read') });
  return data !== undefined && isOutage(data) ? data : null;
}
