import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from '#renderer/base/client';
import type { Channel } from '#shared/channels';

const pathParams = (id: string, gwId: string) => ({ params: { path: { id, gwId } } });

/** Supported processors. They change only with the version of the service. */
export const gatewayTypesQuery = queryOptions({
  queryKey: ['gateway-types'],
  queryFn: () => takeData(api.GET('/api/v1/gateway-types')),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Body for a gateway; missing fields stay unchanged, or get a default. */
export interface GatewayBody {
  readonly name?: string;
  readonly status?: 'active' | 'disabled';
  readonly priority?: number;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly mode?: 'test' | 'live';
  /** Null for the processor's own host. */
  readonly origin?: string | null;
  readonly currency?: string;
  readonly timezone?: string;
  readonly cutoffTime?: string;
  readonly captureHoldMinutes?: number;
  /** Null for all channels that the account takes. */
  readonly channels?: Channel[] | null;
}

/** Adds a gateway. The processor checks it first, which may take a minute. */
export const addGateway = (id: string, body: GatewayBody & { type: string; name: string }, signal: AbortSignal) =>
  takeData(api.POST('/api/v1/merchants/{id}/gateways', { params: { path: { id } }, body, signal }));

/** Changes a gateway. If its account changes, the processor checks it first, which may take a minute. */
export const changeGateway = (id: string, gwId: string, body: GatewayBody, signal?: AbortSignal) =>
  takeData(api.PUT('/api/v1/merchants/{id}/gateways/{gwId}', { ...pathParams(id, gwId), body, signal }));

/** Requests another check of the account by the processor. */
export const checkGateway = (id: string, gwId: string) =>
  takeData(api.POST('/api/v1/merchants/{id}/gateways/{gwId}/check', pathParams(id, gwId)));

export const removeGateway = (id: string, gwId: string) =>
  takeData(api.DELETE('/api/v1/merchants/{id}/gateways/{gwId}', pathParams(id, gwId)));
