import { type Database, listOf, lit, queriesOn, TENANT } from '#core/database';
import type { EventBody } from './event.ts';
import { DELIVERIES, type DeliveryRow, ENDPOINTS, type EndpointStatus, EVENTS, type Target } from './schema.ts';

/** Maximum number of deliveries whose context one statement reads. */
const ROWS_MAX = 128;

/** Endpoint and event of a delivery, and the earlier delivery of the same endpoint and resource that must be finished first. */
export interface DeliveryContext extends Omit<Target, 'id'>, Omit<EventBody, 'id'> {
  readonly status: EndpointStatus;
  readonly predecessorId: string | null;
}

interface Waiting {
  readonly row: DeliveryRow;
  readonly resolve: (context: DeliveryContext | null) => void;
  readonly reject: (error: unknown) => void;
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
 * Reads the contexts of deliveries. Those of one turn of the event loop, which are the deliveries of a claim, are one statement for each tenant, because a
 * statement costs more than the rows that it finds.
 */
export class DeliveryContexts {
  readonly #database: Database;
  #waiting = new Map<string, Waiting[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the context of a claimed delivery; null if its endpoint no longer exists. */
  find(row: DeliveryRow): Promise<DeliveryContext | null> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#flush());
      const ofTenant = this.#waiting.get(row.tenant_id) ?? [];
      ofTenant.push({ row, resolve, reject });
      this.#waiting.set(row.tenant_id, ofTenant);
    });
  }

  #flush(): void {
    const groups = this.#waiting;
    this.#waiting = new Map();
    for (const [tenantId, waiting] of groups)
      for (let from = 0; from < waiting.length; from += ROWS_MAX) void this.#findTogether(tenantId, waiting.slice(from, from + ROWS_MAX));
  }

  async #findTogether(tenantId: string, waiting: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#database.read(tenantId).rows(contextsOf(waiting.map(({ row }) => row.id)));
      const contextOf = new Map(found.map((context) => [context.deliveryId, context]));
      for (const { row, resolve } of waiting) resolve(contextOf.get(row.id) ?? null);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
