import type { Writer } from '#core/database';
import type { PaymentEvent } from '#shared/webhook-events';
import type { EventRow } from './schema.ts';

/** Something that happened, as it is told to receivers: its type and the data that the type declares. */
export type NewEvent = PaymentEvent & {
  readonly tenantId: string;
  readonly merchantId: string;
  /** What it happened to: events of one resource are delivered in the order of their making. */
  readonly resourceId: string;
  /** The tenant's time. */
  readonly atMs: number;
};

/** Writes an event and its deliveries in the unit of work of the change that it tells of: both are kept, or neither. */
export type Emit = (into: Writer, event: NewEvent) => void;

/** In which way a delivery failed, and words for a person. */
export interface DeliveryError {
  readonly kind: 'status' | 'redirect' | 'timeout' | 'connection' | 'tls' | 'dns' | 'blocked';
  readonly message: string;
}

/** What of an event goes into its bytes. */
export type Told = Omit<EventRow, 'type' | 'resource_id'>;

/**
 * The bytes of an event as they are sent and signed, the same at every attempt: what was stored is put in as it is. `type` is the name under
 * which the endpoint registered it.
 */
export function renderBody(event: Told, type: string): string {
  const head = JSON.stringify({ id: event.id, type, createdAt: event.created_at }).slice(0, -1);
  const tail = JSON.stringify({
    tenantId: event.tenant_id,
    merchantId: event.merchant_id || null,
    ...(event.test === 1 ? { test: true } : {}),
  });
  return `${head},"data":${event.data},${tail.slice(1)}`;
}
