import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from './api.ts';

/** As many as a merchant may have. */
const GATEWAYS_MAX = 20;

/** The gateways of a merchant, the most preferred first. */
export function gatewaysQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settings', merchantId, 'gateways'],
    queryFn: () =>
      takePage(api.GET('/api/v1/merchants/{id}/gateways', { params: { path: { id: merchantId }, query: { limit: GATEWAYS_MAX } } })),
  });
}

/** Whether the gateways of the merchants within reach answer, each merchant's most preferred first. */
export const gatewayHealthQuery = queryOptions({
  queryKey: ['settings', 'gateway-health'],
  queryFn: () => takeData(api.GET('/api/v1/gateways/health')),
});
