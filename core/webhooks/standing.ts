import { type Actor, isoTime } from '#core/kernel';
import type { Needs } from './needs.ts';

/** No more are counted: it is then said that there are more. */
const COUNTED_MAX = 10_000;
/** What was given up longer ago is past mending. */
const GIVEN_UP_MS = 7 * 86_400_000;

/** How deliveries stand, of the endpoints that a caller sees. */
export interface WebhookStanding {
  readonly pending: number;
  readonly oldestPendingAt: string | null;
  /** Deliveries of the last seven days whose tries are used up. */
  readonly givenUp: number;
  /** Active endpoints that refused the last attempt, or did not answer it; the one with the newest refusal first. */
  readonly failing: readonly { readonly endpointId: string; readonly url: string; readonly error: string; readonly since: string }[];
}

interface EndpointLine {
  readonly id: string;
  readonly url: string;
  readonly error: string | null;
  readonly response_status: number | null;
  readonly attempted_ms: number;
}

const LAST = (column: string) =>
  `(SELECT a.${column} FROM webhook_attempts a WHERE a.tenant_id = e.tenant_id AND a.endpoint_id = e.id ORDER BY a.attempted_ms DESC, a.n DESC LIMIT 1)`;

/** Reads the backlog on the indexes of open and of failed deliveries, and the newest attempt of each endpoint. */
export async function standing(on: Needs, by: Actor): Promise<WebhookStanding> {
  const read = on.database.read(by.tenantId);
  const scope: Record<string, string> = by.merchantId === null ? {} : { merchant: by.merchantId };
  const ofMerchant = by.merchantId === null ? '' : 'AND e.merchant_id = :merchant';
  const own = by.permissions.has('owner:activity') ? ofMerchant : `${ofMerchant} AND e.security = 0`;
  // What a disabled endpoint is still owed waits for nobody.
  const ofActive = `AND d.endpoint_id IN (SELECT e.id FROM webhook_endpoints e WHERE e.tenant_id = :tenantId AND e.status = 'active' ${own})`;
  const ofOwn = own && `AND d.endpoint_id IN (SELECT e.id FROM webhook_endpoints e WHERE e.tenant_id = :tenantId ${own})`;
  const since = isoTime(on.clockOf(by.tenantId).now() - GIVEN_UP_MS);
  const [[open], [failed], endpoints] = await Promise.all([
    read.all<{ n: number; oldest: string | null }>(
      `SELECT count(*) AS n, min(created_at) AS oldest FROM (SELECT d.created_at FROM webhook_deliveries d WHERE d.tenant_id = :tenantId AND d.status = 'pending' ${ofActive} LIMIT ${COUNTED_MAX}) AS q`,
      scope,
    ),
    read.all<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT d.id FROM webhook_deliveries d WHERE d.tenant_id = :tenantId AND d.status = 'failed' AND d.last_attempt_at >= :since ${ofOwn} LIMIT ${COUNTED_MAX}) AS q`,
      { ...scope, since },
    ),
    read.all<EndpointLine>(
      `SELECT e.id, e.url, ${LAST('error_kind')} AS error, ${LAST('response_status')} AS response_status, ${LAST('attempted_ms')} AS attempted_ms
       FROM webhook_endpoints e WHERE e.tenant_id = :tenantId AND e.status = 'active' ${own}`,
      scope,
    ),
  ]);
  return {
    pending: Number(open?.n ?? 0),
    oldestPendingAt: open?.oldest ?? null,
    givenUp: Number(failed?.n ?? 0),
    failing: endpoints
      .filter(({ error }) => error !== null)
      .sort((left, right) => right.attempted_ms - left.attempted_ms)
      .map(({ id, url, error, response_status, attempted_ms }) => ({
        endpointId: id,
        url,
        error: response_status === null ? (error ?? '') : `HTTP ${response_status}`,
        since: isoTime(attempted_ms),
      })),
  };
}
