import { type Actor, ServiceError } from '#core/kernel';
import { refuseArchived } from './archive-start.ts';
import type { SendingDependencies } from './attempt.ts';
import { sendNow } from './deliveries.ts';
import { readEndpoint } from './endpoints.ts';
import { eventNotFound, getEvent } from './history.ts';
import { newDelivery } from './new-delivery.ts';
import type { DeliveryDetail } from './records.ts';
import { DELIVERIES, type DeliveryRow, ENDPOINTS, type EndpointRow, EVENTS } from './schema.ts';
import { deliveredTypes } from './subscriptions.ts';

/**
 * Sends an event of the history to an endpoint immediately, whether or not it was sent before. An endpoint has one delivery of an event: a success
 * marks it as delivered; a failure changes neither its status nor its schedule, and a new delivery is then failed.
 * @throws ServiceError NOT_FOUND for the endpoint or the event; VALIDATION_ERROR on `eventId` if the endpoint does not receive the event;
 * RESOURCE_CONFLICT while the delivery is being sent.
 */
export async function sendEvent(deps: SendingDependencies, actor: Actor, endpointId: string, eventId: string): Promise<DeliveryDetail> {
  const endpoint = await readEndpoint(deps.database.read(actor.tenantId), actor, endpointId);
  const event = await getEvent(deps, actor, eventId);
  const eventType = deliveredTypes(endpoint).get(event.type);
  if (eventType === undefined) throw notReceived(`This endpoint does not receive ${event.type}. Add the type to its events first.`);
  if (endpoint.merchant_id !== null && endpoint.merchant_id !== event.merchantId)
    throw notReceived('This endpoint receives the events of another merchant.');
  const id = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    // Locked, so that a parallel request or a catch-up does not write the same delivery.
    const current: EndpointRow = (await work.lockOne(ENDPOINTS, { id: endpointId })) ?? endpoint;
    await refuseArchived(work, eventId);
    const row = await work.one(EVENTS, { id: eventId });
    if (row === null) throw eventNotFound(eventId);
    const delivery: DeliveryRow = { ...newDelivery(row, current, eventType, null), status: 'failed' };
    if ((await work.one(DELIVERIES, { id: delivery.id })) === null) work.insert(DELIVERIES, delivery);
    deps.audit(work, {
      actor,
      action: 'webhook.redelivered',
      resource: `webhooks/${endpointId}/deliveries/${delivery.id}`,
      merchantId: endpoint.merchant_id,
      after: { eventId },
    });
    return delivery.id;
  });
  return sendNow(deps, actor, endpoint, id, 'manual');
}

const notReceived = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: 'eventId' });
