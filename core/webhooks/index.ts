import type { PageRequest, Read } from '#core/database';
import type { Actor } from '#core/kernel';
import { SecretBox } from './attempt.ts';
import { deliverJob } from './deliver.ts';
import { type DeliveryFilter, deliveriesOf, getDelivery, listDeliveries, redeliver, redeliverFailed, testEndpoint } from './deliveries.ts';
import type { Dependencies } from './dependencies.ts';
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
import { webhookHealth } from './health.ts';
import { ATTEMPTS, DELIVERIES, ENDPOINTS, type EndpointStatus, EVENTS, SUBSCRIPTIONS } from './schema.ts';

export type { Delivery, DeliveryFilter } from './deliveries.ts';
export type { Endpoint, EndpointChange } from './endpoints.ts';
export type { Emit } from './event.ts';

export { createTransport } from './transport.ts';

export const TABLES = [EVENTS, ENDPOINTS, SUBSCRIPTIONS, DELIVERIES, ATTEMPTS];

/** Webhook events, endpoints and deliveries (specification 2.7, 4.11, 6; decisions 8). */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: Dependencies) {
  const secrets = new SecretBox(deps);
  deps.scheduler.register(deliverJob(deps, secrets));
  const emitEvent: Emit = (writer, event) => emit(deps, writer, event);
  return {
    emit: emitEvent,
    publishActivity: activityPublisher(deps),
    createEndpoint: (actor: Actor, input: NewEndpoint) => createEndpoint(deps, actor, input),
    listEndpoints: (actor: Actor, filter: { readonly status?: EndpointStatus }, at: PageRequest) => listEndpoints(deps, actor, filter, at),
    getEndpoint: (actor: Actor, id: string) => getEndpoint(deps, actor, id),
    updateEndpoint: (actor: Actor, id: string, change: EndpointChange) => updateEndpoint(deps, actor, id, change),
    deleteEndpoint: (actor: Actor, id: string) => deleteEndpoint(deps, actor, id),
    rotateSecret: (actor: Actor, id: string) => rotateSecret(deps, actor, id),
    testEndpoint: (actor: Actor, id: string, eventType: string) => testEndpoint(deps, secrets, actor, id, eventType),
    listDeliveries: (actor: Actor, endpointId: string, filter: DeliveryFilter, at: PageRequest) =>
      listDeliveries(deps, actor, endpointId, filter, at),
    getDelivery: (actor: Actor, endpointId: string, deliveryId: string) => getDelivery(deps, actor, endpointId, deliveryId),
    redeliver: (actor: Actor, endpointId: string, deliveryId: string) => redeliver(deps, secrets, actor, endpointId, deliveryId),
    redeliverFailed: (actor: Actor, endpointId: string, since: string) => redeliverFailed(deps, actor, endpointId, since),
    deliveriesOf: (actor: Actor, resourceId: string) => deliveriesOf(deps, actor, resourceId),
    /** Returns the health of deliveries, with failing receivers. */
    health: (actor: Actor) => webhookHealth(deps, actor),
  };
}

/** Returns the ID of a tenant's newest event; empty if there is none. */
export async function newestEvent(read: Read): Promise<string> {
  const [event] = await read.find(EVENTS, { tenant_id: read.tenantId ?? '' }, { orderBy: [['id', 'desc']], limit: 1 });
  return event?.id ?? '';
}
