import { type Actor, isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { getEvent } from './history.ts';
import type { ReceiverRequest } from './records.ts';
import { signedHeaders } from './signature.ts';

/**
 * Returns an event as the built-in receiver of the tenant catches it: with the headers and the body of a delivery, signed at this time with a secret
 * of its own. Nothing is sent or stored. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function receiverRequest(deps: Dependencies, actor: Actor, eventId: string): Promise<ReceiverRequest> {
  const { type, body } = await getEvent(deps, actor, eventId);
  const secret = deps.receiverSecretOf(actor.tenantId);
  const headers = signedHeaders({
    eventId,
    eventType: type,
    deliveryId: `dlv_${eventId.slice('evt_'.length)}`,
    body,
    secrets: [secret],
    tenantTime: isoTime(deps.clockOf(actor.tenantId).now()),
    nowMs: Date.now(),
  });
  return { id: eventId, secret, headers, body };
}
