import { type Actor, bind } from '#core/kernel';
import { createEventArchiving } from './archiving.ts';
import { SecretBox } from './attempt.ts';
import { type CatchUpRequest, catchUpJob, getCatchUp, startCatchUp, stopCatchUp } from './catch-up.ts';
import { deliverJob } from './deliver.ts';
import { deliveriesOf, getDelivery, listDeliveries, redeliver, redeliverFailed, testEndpoint } from './deliveries.ts';
import type { Dependencies } from './dependencies.ts';
import { activityPublisher, emit } from './emit.ts';
import { createEndpoint, deleteEndpoint, getEndpoint, listEndpoints, readEndpoint, rotateSecret, updateEndpoint } from './endpoints.ts';
import type { Emit } from './event.ts';
import { openDeliveriesByTenant, webhookHealth } from './health.ts';
import { awaitEvents, getEvent, listEvents } from './history.ts';
import { receiverRequest } from './receiver.ts';
import { ATTEMPTS, CATCH_UPS, DELIVERIES, ENDPOINTS, EVENT_COUNTS, EVENT_HEADS, EVENT_STARTS, EVENTS, SUBSCRIPTIONS } from './schema.ts';
import { sendEvent } from './send-event.ts';

export type { ArchivedEventRow, EventArchiving } from './archiving.ts';
export type { CatchUpRequest } from './catch-up.ts';
export type { DeliveryFilter } from './deliveries.ts';
export type { EndpointChange } from './endpoints.ts';
export type { Emit, TypedEvent } from './event.ts';

import { SilentReceivers } from './silent-receivers.ts';

export { newestEventNumber } from './event-counts.ts';
export type { HistoryPage, HistoryRequest } from './history.ts';
export {
  CatchUp,
  Delivery,
  DeliveryDetail,
  Endpoint,
  EndpointWithSecret,
  EventDetail,
  HistoryEvent,
  ReceiverRequest,
} from './records.ts';

export { newWebhookSecret, signedHeaders, webhookSecretFrom } from './signature.ts';
export { createTransport } from './transport.ts';

export const TABLES = [EVENTS, EVENT_HEADS, EVENT_COUNTS, EVENT_STARTS, CATCH_UPS, ENDPOINTS, SUBSCRIPTIONS, DELIVERIES, ATTEMPTS];

/** Webhook events, endpoints and deliveries. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: Dependencies) {
  const sending = { ...deps, secretBox: new SecretBox(deps) };
  const silent = new SilentReceivers();
  const endpointOf = (actor: Actor, id: string) => readEndpoint(deps.database.read(actor.tenantId), actor, id);
  deps.scheduler.register(deliverJob(sending, silent));
  deps.scheduler.register(catchUpJob(deps));
  const emitEvent: Emit = (writer, event) => emit(deps, writer, event);
  return {
    emit: emitEvent,
    /** Begins a move of a tenant's clock, in which a receiver that does not answer is asked once. Returns the function that ends it. */
    beginMove: (tenantId: string) => silent.beginMove(tenantId),
    publishActivity: activityPublisher(deps),
    archiving: createEventArchiving(deps),
    ...bind(deps, { createEndpoint, listEndpoints, getEndpoint, updateEndpoint, deleteEndpoint, rotateSecret }),
    ...bind(sending, { testEndpoint, redeliver, sendEvent }),
    ...bind(deps, { listDeliveries, getDelivery }),
    ...bind(deps, { redeliverFailed, deliveriesOf, events: listEvents, awaitEvents, getEvent, receiverRequest }),
    startCatchUp: async (actor: Actor, endpointId: string, request: CatchUpRequest) =>
      startCatchUp(deps, actor, await endpointOf(actor, endpointId), request),
    getCatchUp: async (actor: Actor, endpointId: string) => getCatchUp(deps, actor, (await endpointOf(actor, endpointId)).id),
    stopCatchUp: async (actor: Actor, endpointId: string) => stopCatchUp(deps, actor, await endpointOf(actor, endpointId)),
    ...bind(deps, { health: webhookHealth, openDeliveries: openDeliveriesByTenant }),
  };
}
