import type { Read, RowOf, Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import { EVENT_STARTS, EVENTS } from './schema.ts';

type EventStart = RowOf<typeof EVENT_STARTS>;

/** Returns where the history of a tenant starts in the database. */
export async function eventStartOf(read: Read): Promise<EventStart> {
  const tenantId = read.tenantId ?? '';
  return (await read.one(EVENT_STARTS, { tenant_id: tenantId })) ?? { tenant_id: tenantId, n: 0, closed_n: 0 };
}

/**
 * Same as `eventStartOf`, and until the end of the unit of work no other event of the tenant is archived. The row may not exist yet, so that it cannot be
 * locked. Take it before the rows of deliveries.
 */
export async function lockEventStart(work: Work): Promise<EventStart> {
  await work.advisoryLock(`event-start/${work.tenantId ?? ''}`);
  return eventStartOf(work);
}

/** Refuses to send an event that is being archived. @throws ServiceError RESOURCE_CONFLICT. */
export async function refuseArchived(work: Work, eventId: string): Promise<void> {
  const { closed_n: closed } = await lockEventStart(work);
  if (closed === 0) return;
  const event = await work.one(EVENTS, { id: eventId });
  if (event && event.n <= closed)
    throw new ServiceError('RESOURCE_CONFLICT', 'This event is being moved to the archive of its year, so it cannot be sent again.', {
      details: { eventId },
    });
}
