import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, keptQuery, take, takeData } from '#renderer/base/client';

export const PAGE_SIZE = 50;

/** The events before one, newest first; without it the newest ones. `archive` is a year of `archivedYearsQuery`. */
export function eventsQuery(types: string | undefined, archive: string | undefined, before: string | undefined) {
  const query = { limit: PAGE_SIZE, ...(types && { types }), ...(archive && { archive }), ...(before && { before }) };
  return keptQuery(['webhooks', 'events', types, archive, before], async (signal) => {
    const { data, pagination } = await take(api.GET('/api/v1/webhooks/events', { params: { query }, signal }));
    return { items: data.toReversed(), total: pagination.total, limit: PAGE_SIZE };
  });
}

/** Years whose events are in archives, newest first. */
export const archivedYearsQuery = queryOptions({
  queryKey: ['webhooks', 'archives'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/webhooks/events/archives', { signal })),
});

export function eventQuery(id: string, archive: string | undefined) {
  const query = archive === undefined ? {} : { archive };
  return queryOptions({
    queryKey: ['webhooks', 'event', id, archive],
    queryFn: () => takeData(api.GET('/api/v1/webhooks/events/{id}', { params: { path: { id }, query } })),
  });
}

/** The request that an endpoint would get for an event. It was signed when it was read first. */
export function eventRequestQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'event-request', id],
    queryFn: () => takeData(api.GET('/api/v1/webhooks/events/{id}/request', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const sendEvent = (endpointId: string, eventId: string) =>
  takeData(api.POST('/api/v1/webhooks/{id}/deliveries', { params: { path: { id: endpointId } }, body: { eventId } }));

/** The number of events of some types since the start of a day. */
export function eventCountQuery(types: readonly string[], from: string) {
  const query = { limit: 1, types: types.join(','), from };
  return queryOptions({
    queryKey: ['webhooks', 'event-count', types, from],
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/webhooks/events', { params: { query }, signal }))).pagination.total,
    enabled: from !== '' && types.length > 0,
    placeholderData: keepPreviousData,
  });
}

const ofEndpoint = (id: string) => ({ params: { path: { id } } });

export const startCatchUp = (id: string, fromDate: string) =>
  takeData(api.POST('/api/v1/webhooks/{id}/catch-up', { ...ofEndpoint(id), body: { fromDate } }));
export const stopCatchUp = (id: string) => takeData(api.DELETE('/api/v1/webhooks/{id}/catch-up', ofEndpoint(id)));
