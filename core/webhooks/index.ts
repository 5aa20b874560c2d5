import type { PageOf, Read } from '#core/database';
import type { Actor } from '#core/kernel';
import { SecretBox } from './attempt.ts';
import { deliverJob } from './deliver.ts';
import { type DeliveryFilter, deliveriesOf, getDelivery, listDeliveries, redeliver, redeliverFailed, testEndpoint } from './deliveries.ts';
import { activityPublisher, emit } from './emit.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointChange,
  getEndpoint,
  listEndpoints,
  type NewEndpoint,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts';
import type { Emit } from './event.ts';
import type { Needs } from './needs.ts';
import { ATTEMPTS, DELIVERIES, ENDPOINTS, type EndpointStatus, EVENTS, SUBSCRIPTIONS } from './schema.ts';
import { standing } from './standing.ts';

export type { Delivery, DeliveryFilter } from './deliveries.ts';
export type { Endpoint, EndpointChange } from './endpoints.ts';
export type { Emit } from './event.ts';

export { createTransport } from './transport.ts';

export const TABLES = [EVENTS, ENDPOINTS, SUBSCRIPTIONS, DELIVERIES, ATTEMPTS];

/** Events and the endpoints that they are delivered to (specification 2.7, 4.11, 6; decisions 8). */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(on: Needs) {
  const secrets = new SecretBox(on);
  on.scheduler.register(deliverJob(on, secrets));
  const emitEvent: Emit = (into, event) => emit(on, into, event);
  return {
    emit: emitEvent,
    publishActivity: activityPublisher(on),
    createEndpoint: (by: Actor, input: NewEndpoint) => createEndpoint(on, by, input),
    listEndpoints: (by: Actor, filter: { readonly status?: EndpointStatus }, at: PageOf) => listEndpoints(on, by, filter, at),
    getEndpoint: (by: Actor, id: string) => getEndpoint(on, by, id),
    updateEndpoint: (by: Actor, id: string, change: EndpointChange) => updateEndpoint(on, by, id, change),
    deleteEndpoint: (by: Actor, id: string) => deleteEndpoint(on, by, id),
    rotateSecret: (by: Actor, id: string) => rotateSecret(on, by, id),
    testEndpoint: (by: Actor, id: string, eventType: string) => testEndpoint(on, secrets, by, id, eventType),
    listDeliveries: (by: Actor, endpointId: string, filter: DeliveryFilter, at: PageOf) => listDeliveries(on, by, endpointId, filter, at),
    getDelivery: (by: Actor, endpointId: string, deliveryId: string) => getDelivery(on, by, endpointId, deliveryId),
    redeliver: (by: Actor, endpointId: string, deliveryId: string) => redeliver(on, secrets, by, endpointId, deliveryId),
    redeliverFailed: (by: Actor, endpointId: string, since: string) => redeliverFailed(on, by, endpointId, since),
    deliveriesOf: (by: Actor, resourceId: string) => deliveriesOf(on, by, resourceId),
    /** How deliveries stand, and which receivers fail. */
    standing: (by: Actor) => standing(on, by),
  };
}

/** Returns the id of a tenant's newest event; empty without any. */
export async function newestEvent(read: Read): Promise<string> {
  const [event] = await read.find(EVENTS, { tenant_id: read.tenantId ?? '' }, { orderBy: [['id', 'desc']], limit: 1 });
  return event?.id ?? '';
}
