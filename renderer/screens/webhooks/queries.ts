import { queryOptions } from '@tanstack/react-query';
import { api, type Delivery, keptQuery, queryClient, takeData, takePage } from '#renderer/base/client';

export const PAGE_SIZE = 50;
/** Maximum number of endpoints of a tenant, so that one page shows all. */
const ENDPOINTS_MAX = 100;

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'endpoints'],
  queryFn: () => takePage(api.GET('/api/v1/webhooks', { params: { query: { limit: ENDPOINTS_MAX } } })),
});

const pathParams = (id: string) => ({ params: { path: { id } } });
const deliveryParams = (id: string, deliveryId: string) => ({ params: { path: { id, deliveryId } } });

export function endpointQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'endpoint', id],
    queryFn: () => takeData(api.GET('/api/v1/webhooks/{id}', pathParams(id))),
  });
}

/** Filter of an endpoint's log. */
export interface LogFilter {
  readonly status?: Delivery['status'];
  readonly eventType?: string;
  readonly resourceId?: string;
}

export function deliveriesQuery(id: string, filter: LogFilter, page: number) {
  return keptQuery(['webhooks', 'deliveries', id, filter, page], (signal) =>
    takePage(
      api.GET('/api/v1/webhooks/{id}/deliveries', { params: { path: { id }, query: { ...filter, page, limit: PAGE_SIZE } }, signal }),
    ),
  );
}

export function deliveryQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'delivery', id, deliveryId],
    queryFn: () => takeData(api.GET('/api/v1/webhooks/{id}/deliveries/{deliveryId}', deliveryParams(id, deliveryId))),
    staleTime: 0,
  });
}

interface EndpointForm {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
}

/** `since` is the first day of the earlier events that are sent; without it none are. */
export function createEndpoint({ url, events, description, since }: EndpointForm & { readonly since?: string }) {
  const optional = { ...(description && { description }), ...(since && { catchUp: { fromDate: since } }) };
  return takeData(api.POST('/api/v1/webhooks', { body: { url, events: [...events], ...optional } }));
}

export function updateEndpoint(id: string, { url, events, description }: EndpointForm) {
  return takeData(
    api.PUT('/api/v1/webhooks/{id}', { ...pathParams(id), body: { url, events: [...events], description: description || null } }),
  );
}

export const setStatus = (id: string, status: 'active' | 'disabled') =>
  takeData(api.PUT('/api/v1/webhooks/{id}', { ...pathParams(id), body: { status } }));
export const deleteEndpoint = (id: string) => takeData(api.DELETE('/api/v1/webhooks/{id}', pathParams(id)));
export const rotateSecret = (id: string) => takeData(api.POST('/api/v1/webhooks/{id}/rotate-secret', pathParams(id)));
export const sendTest = (id: string, eventType: string) =>
  takeData(api.POST('/api/v1/webhooks/{id}/test', { ...pathParams(id), body: { eventType } }));
export const redeliver = (id: string, deliveryId: string) =>
  takeData(api.POST('/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', deliveryParams(id, deliveryId)));
export const redeliverFailed = (id: string, since: string) =>
  takeData(api.POST('/api/v1/webhooks/{id}/deliveries/redeliver-failed', { ...pathParams(id), body: { since } }));

export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });

/** Removes a deleted endpoint from the cache, so that it is not requested again. */
export function forgetEndpoint(id: string): void {
  queryClient.removeQueries({ queryKey: ['webhooks', 'endpoint', id] });
  queryClient.removeQueries({ queryKey: ['webhooks', 'deliveries', id] });
  void queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
}
