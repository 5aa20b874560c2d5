import type { Writer } from '#core/database';
import { isMoney, isoTime, newId, toNumber } from '#core/kernel';
import { type PublishActivity, securityEventTypeOf } from '#core/records/audit';
import type { EventType } from '#shared/webhook-events';
import type { Dependencies } from './dependencies.ts';
import type { NewEvent } from './event.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { type EventRow, HISTORY } from './schema.ts';

type AnyEvent = Omit<NewEvent, 'type' | 'data'> & { readonly type: EventType; readonly data: object };

/** Returns the row of a new event. The history numbers it at the commit. */
export function eventRow(event: AnyEvent, test: boolean): EventRow {
  return {
    tenant_id: event.tenantId,
    id: newId('evt', event.atMs),
    n: 0,
    type: event.type,
    merchant_id: event.merchantId,
    resource_id: event.resourceId,
    data: JSON.stringify(
      Object.fromEntries(Object.entries(event.data).map(([name, value]) => [name, isMoney(value) ? toNumber(value) : value])),
    ),
    test: test ? 1 : 0,
    created_at: isoTime(event.atMs),
  };
}

/** Writes an event and a delivery for each endpoint subscribed at the commit, in the caller's unit of work or batch. */
export function emit(deps: Dependencies, writer: Pick<Writer, 'append' | 'afterCommit'>, event: AnyEvent): void {
  writer.append(HISTORY, eventRow(event, false));
  writer.afterCommit(() => {
    deps.scheduler.wake(DELIVER_JOB, event.tenantId);
    deps.changes.publish(event.tenantId, 'webhooks', event.merchantId);
  });
}

/**
 * Returns the function that publishes security activity as events, in the commit of its audit entry. Only endpoints that are registered for the type
 * or for `security.*` receive them.
 */
export function activityPublisher(deps: Dependencies): PublishActivity {
  return (writer, tenantId, activity) => {
    const atMs = deps.clockOf(tenantId).now();
    const type = securityEventTypeOf(activity.kind);
    emit(deps, writer, { tenantId, merchantId: '', type, resourceId: activity.resource, atMs, data: { ...activity } });
  };
}
