import { ServiceError } from '#core/kernel';
import { ALIASES, EVENT_TYPES, type EventType } from '#shared/webhook-events';

/** Returns the event type of a name. @throws ServiceError VALIDATION_ERROR on `field` for an unknown one. */
export function eventTypeOf(name: string, field: string): EventType {
  const type = EVENT_TYPES.find((each) => each === (ALIASES[name] ?? name));
  if (type !== undefined) return type;
  throw new ServiceError('VALIDATION_ERROR', `${name.slice(0, 60)} is not an event type.`, { field });
}
