import { type PublishActivity, securityEventTypeOf } from '#core/audit';
import type { Writer } from '#core/database';
import { isoTime, newId } from '#core/kernel';
import type { EventType } from '#shared/webhook-events';
import type { Dependencies } from './dependencies.ts';
import type { NewEvent } from './event.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { EVENTS, type EventRow, FAN_OUT, INSERT_SECURITY_EVENT, SECURITY_FAN_OUT } from './schema.ts';

type AnyEvent = Omit<NewEvent, 'type' | 'data'> & { readonly type: EventType; readonly data: object };

export function eventRow(event: AnyEvent, test: boolean): EventRow {
  return {
    tenant_id: event.tenantId,
    id: newId('evt', event.atMs),
    type: event.type,
    merchant_id: event.merchantId,
    resource_id: event.resourceId,
    data: JSON.stringify(event.data),
    test: test ? 1 : 0,
    created_at: isoTime(event.atMs),
  };
}

/** Writes an event and a delivery for each endpoint subscribed at this moment, in the caller's unit of work or batch. */
export function emit(deps: Dependencies, writer: Writer, event: NewEvent): void {
  const row = eventRow(event, false);
  const { tenant_id, id, type, merchant_id, resource_id, created_at } = row;
  writer.insert(EVENTS, row);
  writer.apply(FAN_OUT, { tenant_id, id, type, merchant_id, resource_id, created_at, at_ms: event.atMs });
  writer.afterCommit(() => {
    deps.scheduler.wake(DELIVER_JOB);
    deps.changes.publish(event.tenantId, 'webhooks');
  });
}

/**
 * Returns the function that publishes security activity as events, in the commit of its audit entry. Only endpoints that are registered for the type
 * or for `security.*` receive them.
 */
export function activityPublisher(deps: Dependencies): PublishActivity {
  return (writer, tenantId, activity) => {
    const atMs = deps.clockOf(tenantId).now();
    const row = eventRow(
      { tenantId, merchantId: '', type: securityEventTypeOf(activity.kind), resourceId: activity.resource, atMs, data: { ...activity } },
      false,
    );
    const { tenant_id, id, type, merchant_id, resource_id, created_at } = row;
    writer.defer(INSERT_SECURITY_EVENT, row);
    writer.defer(SECURITY_FAN_OUT, { tenant_id, id, type, merchant_id, resource_id, created_at, at_ms: atMs });
    writer.afterCommit(() => deps.scheduler.wake(DELIVER_JOB));
  };
}
