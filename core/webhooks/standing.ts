import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, isoTime } from '#core/kernel';
import type { Needs } from './needs.ts';
import { ATTEMPTS, DELIVERIES, ENDPOINTS } from './schema.ts';

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

const queries = queriesOn(ENDPOINTS, DELIVERIES, ATTEMPTS);

/** The endpoints that a caller sees. */
function endpointsFor(by: Actor) {
  const ofTenant = queries.selectFrom('webhook_endpoints as e').where('e.tenant_id', '=', TENANT);
  const own = by.merchantId === null ? ofTenant : ofTenant.where('e.merchant_id', '=', by.merchantId);
  return by.permissions.has('owner:activity') ? own : own.where('e.security', '=', lit(0));
}

/** Reads the backlog on the indexes of open and of failed deliveries, and the newest attempt of each endpoint. */
export async function standing(on: Needs, by: Actor): Promise<WebhookStanding> {
  const read = on.database.read(by.tenantId);
  const endpoints = endpointsFor(by);
  const active = endpoints.where('e.status', '=', lit('active'));
  const deliveries = queries.selectFrom('webhook_deliveries as d').where('d.tenant_id', '=', TENANT).limit(COUNTED_MAX);
  // What a disabled endpoint is still owed waits for nobody.
  const pending = deliveries
    .select('d.created_at')
    .where('d.status', '=', lit('pending'))
    .where('d.endpoint_id', 'in', active.select('e.id'));
  const givenUp = deliveries
    .select('d.created_at')
    .where('d.status', '=', lit('failed'))
    .where('d.last_attempt_at', '>=', isoTime(on.clockOf(by.tenantId).now() - GIVEN_UP_MS));
  const seesAll = by.merchantId === null && by.permissions.has('owner:activity');
  const given = seesAll ? givenUp : givenUp.where('d.endpoint_id', 'in', endpoints.select('e.id'));
  const counted = (rows: typeof pending) =>
    queries.selectFrom(rows.as('q')).select(({ fn }) => [fn.countAll<number>().as('n'), fn.min('created_at').as('oldest')]);
  const [open, failed, lines] = await Promise.all([
    read.row(counted(pending)),
    read.row(counted(given)),
    read.rows(
      active.select(['e.id', 'e.url']).select(({ selectFrom }) => {
        const newest = selectFrom('webhook_attempts as a')
          .where('a.tenant_id', '=', TENANT)
          .whereRef('a.endpoint_id', '=', 'e.id')
          .orderBy('a.attempted_ms', 'desc')
          .orderBy('a.n', 'desc')
          .limit(1);
        return [
          newest.select('a.error_kind').as('error'),
          newest.select('a.response_status').as('response_status'),
          newest.select('a.attempted_ms').as('attempted_ms'),
        ];
      }),
    ),
  ]);
  return {
    pending: Number(open?.n ?? 0),
    oldestPendingAt: open?.oldest ?? null,
    givenUp: Number(failed?.n ?? 0),
    failing: lines
      .filter(({ error }) => error !== null)
      .sort((left, right) => Number(right.attempted_ms) - Number(left.attempted_ms))
      .map(({ id, url, error, response_status, attempted_ms }) => ({
        endpointId: id,
        url,
        error: response_status === null ? (error ?? '') : `HTTP ${response_status}`,
        since: isoTime(Number(attempted_ms)),
      })),
  };
}
