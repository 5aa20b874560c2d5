import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from './api.ts';

/** Largest number of gateways of a merchant. */
const GATEWAYS_MAX = 20;

/** The gateways of a merchant, the most preferred first. */
export function gatewaysQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settings', merchantId, 'gateways'],
    queryFn: () =>
      takePage(api.GET('/api/v1/merchants/{id}/gateways', { params: { path: { id: merchantId }, query: { limit: GATEWAYS_MAX } } })),
  });
}

/** Health of the gateways of the accessible merchants, in each merchant's order of preference. */
export const gatewayHealthQuery = queryOptions({
  queryKey: ['settings', 'gateway-health'],
  queryFn: () => takeData(api.GET('/api/v1/gateways/health')),
});
