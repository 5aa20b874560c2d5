import type { Database } from '#core/database';
import type { EventBody } from './event.ts';
import type { DeliveryRow, EndpointStatus, Target } from './schema.ts';

/** Maximum number of deliveries whose context one statement reads. */
const ROWS_MAX = 128;

/** Endpoint and event of a delivery, and the earlier delivery of the same endpoint and resource that must be finished first. */
export interface DeliveryContext extends Omit<Target, 'id'>, Omit<EventBody, 'id'> {
  readonly status: EndpointStatus;
  readonly predecessorId: string | null;
}

interface ContextRow extends DeliveryContext {
  readonly deliveryId: string;
}

interface Waiting {
  readonly row: DeliveryRow;
  readonly resolve: (context: DeliveryContext | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The deliveries of a JSON array, as a relation of each database. */
const RELATIONS = {
  sqlite: `SELECT value ->> 'id' AS id, value ->> 'endpoint' AS endpoint, value ->> 'event' AS event, value ->> 'resource' AS resource, value ->> 'position' AS position
    FROM json_each(:rows)`,
  postgres:
    'SELECT * FROM json_to_recordset(CAST(:rows AS json)) AS given(id text, endpoint text, event text, resource text, position bigint)',
} as const;

/** SQL that reads the contexts of deliveries. CROSS JOIN makes SQLite begin with the deliveries. */
const contextsSql = (
  kind: Database['kind'],
) => `SELECT r.id AS "deliveryId", w.tenant_id, w.url, w.status, w.secret, w.previous_secret, w.previous_until_ms,
    e.merchant_id, e.data, e.test, e.created_at,
    (SELECT p.id FROM webhook_deliveries p
      WHERE p.tenant_id = :tenantId AND p.endpoint_id = r.endpoint AND p.resource_id = r.resource AND p.status = 'pending' AND (p.position, p.id) < (r.position, r.id)
      ORDER BY p.position DESC, p.id DESC LIMIT 1) AS "predecessorId"
  FROM (${RELATIONS[kind]}) AS r CROSS JOIN webhook_endpoints w CROSS JOIN events e
  WHERE w.tenant_id = :tenantId AND w.id = r.endpoint AND e.tenant_id = :tenantId AND e.id = r.event`;

/**
 * Reads the contexts of deliveries. Those of one turn of the event loop, which are the deliveries of a claim, are one statement for each tenant, because a
 * statement costs more than the rows that it finds.
 */
export class DeliveryContexts {
  readonly #database: Database;
  readonly #sql: string;
  #waiting = new Map<string, Waiting[]>();

  constructor(database: Database) {
    this.#database = database;
    this.#sql = contextsSql(database.kind);
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
      const rows = JSON.stringify(
        waiting.map(({ row: { id, endpoint_id: endpoint, event_id: event, resource_id: resource, position } }) => ({
          id,
          endpoint,
          event,
          resource,
          position,
        })),
      );
      const found = await this.#database.read(tenantId).all<ContextRow>(this.#sql, { rows });
      const contextOf = new Map(found.map((context) => [context.deliveryId, context]));
      for (const { row, resolve } of waiting) resolve(contextOf.get(row.id) ?? null);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
