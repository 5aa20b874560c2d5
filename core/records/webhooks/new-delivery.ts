import type { TenantTime } from '#core/kernel';
import type { DeliveryRow, EndpointRow, EventRow } from './schema.ts';

/**
 * Returns the row of a delivery that is not sent yet, as the history writes it for a subscribed endpoint: with the same ID, so that an endpoint has at
 * most one delivery of an event.
 */
export function newDelivery(
  event: Pick<EventRow, 'id' | 'n' | 'resource_id' | 'created_at'>,
  endpoint: Pick<EndpointRow, 'tenant_id' | 'id' | 'mark'>,
  eventType: string,
  dueMs: TenantTime | null,
): DeliveryRow {
  return {
    tenant_id: endpoint.tenant_id,
    id: `dlv_${event.id.slice(4, 28)}${endpoint.mark}`,
    endpoint_id: endpoint.id,
    event_id: event.id,
    event_type: eventType,
    resource_id: event.resource_id,
    position: event.n,
    test: 0,
    status: 'pending',
    attempt_count: 0,
    tries: 0,
    first_attempt_ms: null,
    last_attempt_at: null,
    response_status: null,
    duration_ms: null,
    error_kind: null,
    error_message: null,
    created_at: event.created_at,
    due_ms: dueMs,
    lease_ms: 0,
    fence: 0,
  };
}
