import type BetterSqlite3 from 'better-sqlite3';
import { newId } from '../../core/kernel/index.ts';
import { signedHeaders } from '../../core/records/webhooks/index.ts';
import { group } from './group.ts';
import { openSqlite } from './raw-sqlite.ts';

const TENANT = 'ten_bench';
const ENDPOINT = 'wh_bench';
/** Deliveries of one claim, as many as a Paydesk server claims when as many have ended. */
const CLAIM_SIZE = 32;
const LEASE_MS = 20_000;

/** A claimed delivery with its event. */
interface Claimed {
  readonly id: string;
  readonly event_id: string;
  readonly resource_id: string;
  readonly type: string;
  readonly data: string;
}

type Response = { readonly status: number; readonly headers: string; readonly text: string; readonly durationMs: number };

const ADD_EVENT =
  "INSERT INTO events (tenant_id, n, id, type, merchant_id, resource_id, data, test, created_at) VALUES (?, ?, ?, 'transaction.approved', 'mer_bench', ?, ?, 0, ?)";
const ADD_DELIVERY = `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, resource_id, position, test, status, attempt_count, tries, created_at, due_ms, lease_ms, fence)
  VALUES (?, ?, ?, ?, 'transaction.approved', ?, ?, 0, 'pending', 0, 0, ?, ?, 0, 0)`;
const CLAIM = `UPDATE webhook_deliveries SET lease_ms = ?, fence = fence + 1
  WHERE tenant_id = '${TENANT}' AND id IN (SELECT id FROM webhook_deliveries WHERE tenant_id = '${TENANT}' AND endpoint_id = '${ENDPOINT}' AND due_ms IS NOT NULL AND due_ms <= ? AND lease_ms <= ? ORDER BY due_ms, id LIMIT ?)
  RETURNING id`;
/** Also looks for an earlier delivery of the same resource, which would be sent first. */
const READ = `SELECT d.id, d.event_id, d.resource_id, e.type, e.data,
  (SELECT p.id FROM webhook_deliveries p WHERE p.tenant_id = d.tenant_id AND p.endpoint_id = d.endpoint_id AND p.resource_id = d.resource_id AND p.status = 'pending' AND (p.position, p.id) < (d.position, d.id) LIMIT 1) AS predecessor
  FROM webhook_deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id WHERE d.tenant_id = '${TENANT}' AND d.id IN (SELECT value FROM json_each(?))`;
const CONCLUDE = `UPDATE webhook_deliveries SET status = 'delivered', attempt_count = 1, tries = 1, first_attempt_ms = ?, last_attempt_at = ?, response_status = ?, duration_ms = ?, due_ms = NULL, lease_ms = 0
  WHERE tenant_id = '${TENANT}' AND id = ? AND lease_ms > 0`;
const ADD_ATTEMPT = `INSERT INTO webhook_attempts (tenant_id, delivery_id, n, endpoint_id, cause, attempted_ms, duration_ms, response_status, request_headers, response_headers, response_body)
  VALUES ('${TENANT}', ?, 1, '${ENDPOINT}', 'automatic', ?, ?, ?, ?, ?, ?)`;
const UNBLOCK = `UPDATE webhook_deliveries SET due_ms = ? WHERE tenant_id = '${TENANT}' AND endpoint_id = '${ENDPOINT}' AND resource_id = ? AND status = 'pending' AND due_ms IS NULL`;

/**
 * The work that Paydesk promises for a delivery besides the request, as short as it can be written: deliveries are claimed with a lease, an earlier one
 * of the same resource goes first, the body is signed twice, and the attempt is stored durably with its headers and response.
 */
export function promisedDeliveries(folder: string, secret: string) {
  const database = openSqlite(folder, 'paydesk.sqlite', 'FULL');
  const [claim, read, conclude, addAttempt, unblock] = [CLAIM, READ, CONCLUDE, ADD_ATTEMPT, UNBLOCK].map((sql) =>
    database.prepare(sql),
  ) as [BetterSqlite3.Statement, BetterSqlite3.Statement, BetterSqlite3.Statement, BetterSqlite3.Statement, BetterSqlite3.Statement];
  const waiting: Claimed[] = [];
  const store = group<{ delivery: Claimed; headers: string; response: Response }>((ended) => {
    database.exec('BEGIN IMMEDIATE');
    const now = Date.now();
    const at = new Date(now).toISOString();
    for (const { delivery, headers, response } of ended) {
      const { status, durationMs } = response;
      conclude.run(now, at, status, durationMs, delivery.id);
      addAttempt.run(delivery.id, now, durationMs, status, headers, response.headers, response.text);
      unblock.run(now, delivery.resource_id);
    }
    database.exec('COMMIT');
  });
  return {
    /** Writes a backlog with the given data of its events. */
    fill(count: number, data: string): void {
      const now = Date.now();
      const at = new Date(now).toISOString();
      const [addEvent, addDelivery] = [database.prepare(ADD_EVENT), database.prepare(ADD_DELIVERY)];
      const { last } = database.prepare(`SELECT coalesce(max(n), 0) AS last FROM events WHERE tenant_id = '${TENANT}'`).get() as {
        last: number;
      };
      database.exec('BEGIN IMMEDIATE');
      for (let n = last + 1; n <= last + count; n += 1) {
        const [event, resource] = [newId('evt', now), newId('txn', now)];
        addEvent.run(TENANT, n, event, resource, data, at);
        addDelivery.run(TENANT, newId('dlv', now), ENDPOINT, event, resource, n, at, now);
      }
      database.exec('COMMIT');
    },
    /** Sends one delivery with `post`. */
    async deliver(post: (headers: Record<string, string>, body: string) => Promise<Response>): Promise<void> {
      if (waiting.length === 0) {
        const now = Date.now();
        const ids = claim.all(now + LEASE_MS, now, now, CLAIM_SIZE).map((row) => (row as { id: string }).id);
        waiting.push(...(read.all(JSON.stringify(ids)) as Claimed[]));
      }
      const delivery = waiting.shift();
      if (delivery === undefined) throw new Error('There is no delivery left.');
      const { event_id: eventId, type: eventType, data } = delivery;
      const tenantTime = new Date().toISOString();
      const body = JSON.stringify({
        id: eventId,
        type: eventType,
        createdAt: tenantTime,
        data: JSON.parse(data) as object,
        tenantId: TENANT,
      });
      const signing = { eventId, eventType, deliveryId: delivery.id, body, secrets: [secret], tenantTime, nowMs: Date.now() } as const;
      const headers = signedHeaders(signing);
      await store({ delivery, headers: JSON.stringify(headers), response: await post(headers, body) });
    },
  };
}
