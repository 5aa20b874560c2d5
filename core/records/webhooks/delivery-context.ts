import { type Database, findTogether, listOf, lit, queriesOn, TENANT } from '#core/database';
import type { EventBody } from './event.ts';
import { DELIVERIES, type DeliveryRow, ENDPOINTS, type EndpointStatus, EVENTS, type Target } from './schema.ts';

/** Maximum number of deliveries whose context one statement reads. */
const ROWS_MAX = 128;

/** Endpoint and event of a delivery, and the earlier delivery of the same endpoint and resource that must be finished first. */
interface DeliveryContext extends Omit<Target, 'id'>, Omit<EventBody, 'id'> {
  readonly status: EndpointStatus;
  readonly predecessorId: string | null;
}

const queries = queriesOn(ENDPOINTS, EVENTS, DELIVERIES);

/** Returns the query of the contexts of deliveries. */
const contextsOf = (ids: readonly string[]) =>
  queries
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as w', (join) => join.onRef('w.tenant_id', '=', 'd.tenant_id').onRef('w.id', '=', 'd.endpoint_id'))
    .innerJoin('events as e', (join) => join.onRef('e.tenant_id', '=', 'd.tenant_id').onRef('e.id', '=', 'd.event_id'))
    .select(['d.id as deliveryId', 'w.tenant_id', 'w.url', 'w.status', 'w.secret', 'w.previous_secret', 'w.previous_until_ms'])
    .select(['e.merchant_id', 'e.data', 'e.test', 'e.created_at'])
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries as p')
        .select('p.id')
        .where('p.tenant_id', '=', TENANT)
        .whereRef('p.endpoint_id', '=', 'd.endpoint_id')
        .whereRef('p.resource_id', '=', 'd.resource_id')
        .where('p.status', '=', lit('pending'))
        .where(({ eb, refTuple }) => eb(refTuple('p.position', 'p.id'), '<', refTuple('d.position', 'd.id')))
        .orderBy('p.position', 'desc')
        .orderBy('p.id', 'desc')
        .limit(1)
        .as('predecessorId'),
    )
    .where('d.tenant_id', '=', TENANT)
    .where('d.id', 'in', listOf(ids));

/**
 * Returns the function that finds the context of a claimed delivery; null if its endpoint no longer exists. The deliveries of a claim are found by one
 * statement for each tenant.
 */
export const createContexts = (database: Database): ((row: DeliveryRow) => Promise<DeliveryContext | null>) =>
  findTogether({
    max: ROWS_MAX,
    groupOf: ({ tenant_id }) => tenant_id,
    async findAll(rows) {
      const [first] = rows;
      if (first === undefined) return [];
      const found = await database.read(first.tenant_id).rows(contextsOf(rows.map(({ id }) => id)));
      const contextOf = new Map(found.map((context) => [context.deliveryId, context]));
      return rows.map(({ id }) => contextOf.get(id) ?? null);
    },
  });
