import type { Work } from '#core/database';
import { ALIASES, EVENT_TYPES, EVERY_SECURITY_TYPE, EVERY_TYPE, type EventType, isSecurityName } from '#shared/webhook-events';
import { type EndpointRow, SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';

/** Subscribes an endpoint to its events. */
export function subscribe(work: Work, endpoint: EndpointRow): void {
  for (const [type, asType] of subscribedTypes(JSON.parse(endpoint.events) as string[])) {
    const { tenant_id, id, merchant_id, mark } = endpoint;
    const row: SubscriptionRow = { tenant_id, type, endpoint_id: id, as_type: asType, merchant_id, mark };
    work.insert(SUBSCRIPTIONS, row);
  }
}

/** Returns the event types that registered names select, each with the name under which it is delivered if that differs; else null. */
export function subscribedTypes(names: readonly string[]): Map<string, string | null> {
  const types = new Map<string, string | null>();
  for (const every of [EVERY_TYPE, EVERY_SECURITY_TYPE]) if (names.includes(every)) types.set(every, null);
  for (const name of names) {
    if (types.has(isSecurityName(name) ? EVERY_SECURITY_TYPE : EVERY_TYPE)) continue;
    const type = ALIASES[name];
    if (type === undefined) types.set(name, null);
    else if (!names.includes(type)) types.set(type, name);
  }
  return types;
}

/** Returns every event type that an endpoint receives, with the name under which it is delivered. */
export function deliveredTypes({ events }: Pick<EndpointRow, 'events'>): ReadonlyMap<EventType, string> {
  const subscribed = subscribedTypes(JSON.parse(events) as string[]);
  return new Map(
    EVENT_TYPES.flatMap((type) => {
      const isIncluded = subscribed.has(type) || subscribed.has(isSecurityName(type) ? EVERY_SECURITY_TYPE : EVERY_TYPE);
      return isIncluded ? [[type, subscribed.get(type) ?? type]] : [];
    }),
  );
}
