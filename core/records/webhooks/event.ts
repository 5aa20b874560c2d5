import type { Writer } from '#core/database';
import type { Money } from '#core/kernel';
import type { PaymentEvent } from '#shared/webhook-events';
import type { EventRow } from './schema.ts';

/** Data of an event, in which an amount may be `Money`; it is sent as a number in major units. */
type DataOf<Sent> = { readonly [Field in keyof Sent]: number extends Sent[Field] ? Sent[Field] | Money : Sent[Field] };

/** The type of an event, with the data that the type declares. */
export type TypedEvent = {
  [Type in PaymentEvent['type']]: { readonly type: Type; readonly data: DataOf<Extract<PaymentEvent, { type: Type }>['data']> };
}[PaymentEvent['type']];

/** A new event. */
export type NewEvent = TypedEvent & {
  readonly tenantId: string;
  readonly merchantId: string;
  /** Subject of the event: events of one resource are delivered in the order of their creation. */
  readonly resourceId: string;
  /** The tenant's time. */
  readonly atMs: number;
};

/** Writes an event and its deliveries in the unit of work of its cause, so that they are committed together. */
export type Emit = (writer: Writer, event: NewEvent) => void;

/** Kind of a delivery failure, with a readable message. */
export interface DeliveryError {
  readonly kind: 'status' | 'redirect' | 'timeout' | 'connection' | 'tls' | 'dns' | 'blocked';
  readonly message: string;
}

/** Fields of an event that its body contains. */
export type EventBody = Omit<EventRow, 'type' | 'resource_id' | 'n'>;

/**
 * Returns the body of an event as it is sent and signed. It is the same for every attempt, because stored JSON is inserted unchanged. `type` is
 * the name under which the endpoint registered the event type.
 */
export function renderBody(event: EventBody, type: string): string {
  const head = JSON.stringify({ id: event.id, type, createdAt: event.created_at }).slice(0, -1);
  const tail = JSON.stringify({
    tenantId: event.tenant_id,
    merchantId: event.merchant_id || null,
    ...(event.test === 1 ? { test: true } : {}),
  });
  return `${head},"data":${event.data},${tail.slice(1)}`;
}
