import { listOf, queriesOn, type Read, sql, TENANT } from '#core/database';
import { realNow } from '#core/kernel';
import { eventStartOf, lockEventStart } from './archive-start.ts';
import { toAttempt, toDelivery } from './deliveries.ts';
import type { Dependencies } from './dependencies.ts';
import { removeCounts } from './event-counts.ts';
import { matcherOf, toHistoryDetail, toHistoryEvent, typesSeenBy } from './history.ts';
import type { EventDetail } from './records.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  CATCH_UPS,
  DELIVERIES,
  type DeliveryRow,
  ENDPOINTS,
  EVENT_STARTS,
  EVENTS,
  type EventRow,
} from './schema.ts';

/** Time after its end in which the lease of an attempt may still be that of a request under way, because the clocks of computers differ. */
const LEASE_MARGIN_MS = 20_000;

interface ArchivedDeliveryRow extends DeliveryRow {
  readonly attempts: readonly AttemptRow[];
}

/** An event with everything that was sent of it. */
export interface ArchivedEventRow extends EventRow {
  readonly deliveries: readonly ArchivedDeliveryRow[];
}

const queries = queriesOn(EVENTS, ENDPOINTS, DELIVERIES, ATTEMPTS, CATCH_UPS);

export type EventArchiving = ReturnType<typeof createEventArchiving>;

/** Moves the oldest events with their deliveries and attempts into archives, and reads archived ones. */
export function createEventArchiving({ database }: Pick<Dependencies, 'database'>) {
  return {
    /** Returns the time of a tenant's oldest event in the database; null if there is none. */
    async oldestAt(tenantId: string): Promise<string | null> {
      const events = queries.selectFrom('events').select('created_at').where('tenant_id', '=', TENANT);
      return (await database.read(tenantId).row(events.orderBy('n').limit(1)))?.created_at ?? null;
    },
    /** Returns the number of the last archived event. */
    async start(tenantId: string) {
      return { n: (await eventStartOf(database.read(tenantId))).n, hash: '' };
    },
    /**
     * Returns the events after a number up to the first one that was created after a year, that is still being sent, or that a catch-up has not
     * considered yet. From then on these events are not sent any more.
     */
    take: (tenantId: string, { n: after }: { readonly n: number }, limit: number, year: number): Promise<readonly ArchivedEventRow[]> =>
      database.unitOfWork.transaction(tenantId, async (work) => {
        const start = await lockEventStart(work);
        const events = await work.rows(
          queries.selectFrom('events').selectAll().where('tenant_id', '=', TENANT).where('n', '>', after).orderBy('n').limit(limit),
        );
        const newest = events.at(-1);
        if (!newest) return [];
        const rows = await withDeliveries(work, events, after, newest.n);
        const considered = await consideredByCatchUps(work);
        const end = rows.findIndex((row) => row.created_at >= `${year + 1}` || row.n > considered || row.deliveries.some(isOpen));
        const taken = end < 0 ? rows : rows.slice(0, end);
        const last = taken.at(-1);
        if (!last) return [];
        const closed_n = Math.max(start.closed_n, last.n);
        const changed = await work.update(EVENT_STARTS, { tenant_id: tenantId }, { closed_n });
        if (changed === 0) work.insert(EVENT_STARTS, { ...start, closed_n });
        return taken;
      }),
    /** Allows sending the events again that were taken and are still in the database. */
    release: (tenantId: string): Promise<void> =>
      database.unitOfWork.transaction(tenantId, async (work) => {
        const { n } = await lockEventStart(work);
        await work.update(EVENT_STARTS, { tenant_id: tenantId }, { closed_n: n });
      }),
    /** Deletes up to `limit` of the events up to a number, with their deliveries and attempts. Returns true if none is left. */
    deleteUpTo: (tenantId: string, n: number, limit: number): Promise<boolean> =>
      database.unitOfWork.transaction(tenantId, async (work) => {
        const start = await lockEventStart(work);
        if (start.n >= n) return true;
        const events = await work.rows(
          queries
            .selectFrom('events')
            .select('n')
            .where('tenant_id', '=', TENANT)
            .where('n', '>', start.n)
            .where('n', '<=', n)
            .orderBy('n')
            .limit(limit),
        );
        const to = events.length < limit ? n : (events.at(-1)?.n ?? n);
        const deliveries = await work.rows(deliveriesBetween(start.n, to));
        if (deliveries.some(isOpen)) throw new Error('An event of the archive is still being sent.');
        if (deliveries.length > 0) {
          const ids = listOf(deliveries.map(({ id }) => id)) as string[];
          await work.execute(queries.deleteFrom('webhook_attempts').where('tenant_id', '=', TENANT).where('delivery_id', 'in', ids));
          await work.execute(queries.deleteFrom('webhook_deliveries').where('tenant_id', '=', TENANT).where('id', 'in', ids));
        }
        await work.execute(queries.deleteFrom('events').where('tenant_id', '=', TENANT).where('n', '>', start.n).where('n', '<=', to));
        await work.update(EVENT_STARTS, { tenant_id: tenantId }, { n: to });
        await removeCounts(work, to);
        return to >= n;
      }),
    /** Returns why an archived event does not follow the point before it; null if it does. */
    breakOf: ({ n }: { readonly n: number }, row: ArchivedEventRow): string | null =>
      row.n > n ? null : `its number ${row.n} does not follow ${n}`,
    pointOf: ({ n }: ArchivedEventRow) => ({ n, hash: '' }),
    /** Returns the test for archived events that a caller may see. @throws as `listEvents` for types. */
    matcherOf,
    typesSeenBy,
    toEvent: toHistoryEvent,
    toDetail: (row: ArchivedEventRow): EventDetail => ({
      ...toHistoryDetail(row),
      deliveries: row.deliveries.map((delivery) => ({ ...toDelivery(delivery), attempts: delivery.attempts.map(toAttempt) })),
    }),
  };
}

/** Returns the number of the last event that every running catch-up has considered. */
async function consideredByCatchUps(read: Read): Promise<number> {
  const running = await read.find(CATCH_UPS, { state: 'running' });
  return Math.min(Number.POSITIVE_INFINITY, ...running.map(({ cursor }) => cursor));
}

const isOpen = ({ status, lease_ms }: DeliveryRow) => status === 'pending' || lease_ms + LEASE_MARGIN_MS > realNow();

/** Returns the query for the deliveries of the events from one number, exclusive, to another. Their IDs follow from event and endpoint. */
function deliveriesBetween(after: number, to: number) {
  return queries
    .selectFrom('events as e')
    .innerJoin('webhook_endpoints as p', 'p.tenant_id', 'e.tenant_id')
    .innerJoin('webhook_deliveries as d', (join) =>
      join.onRef('d.tenant_id', '=', 'e.tenant_id').on('d.id', '=', sql<string>`'dlv_' || substr(e.id, 5, 24) || p.mark`),
    )
    .selectAll('d')
    .where('e.tenant_id', '=', TENANT)
    .where('e.n', '>', after)
    .where('e.n', '<=', to);
}

/** Adds deliveries and attempts to events. */
async function withDeliveries(read: Read, events: readonly EventRow[], after: number, to: number): Promise<ArchivedEventRow[]> {
  const deliveries = (await read.rows(deliveriesBetween(after, to))).toSorted(byId);
  const attempts = await attemptsOf(
    read,
    deliveries.map(({ id }) => id),
  );
  const complete = deliveries.map((row) => ({ ...row, attempts: attempts.filter(({ delivery_id }) => delivery_id === row.id) }));
  return events.map((event) => ({ ...event, deliveries: complete.filter(({ event_id }) => event_id === event.id) }));
}

async function attemptsOf(read: Read, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return [];
  const attempts = queries.selectFrom('webhook_attempts').selectAll().where('tenant_id', '=', TENANT);
  const rows = await read.rows(attempts.where('delivery_id', 'in', listOf(deliveryIds) as string[]));
  return rows.toSorted((left, right) => left.n - right.n);
}

const byId = (left: DeliveryRow, right: DeliveryRow) => (left.id < right.id ? -1 : 1);
