import { lit, queriesOn, TENANT, type WaitingOfTenant } from '#core/database';
import { type Actor, isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { ATTEMPTS, DELIVERIES, ENDPOINTS } from './schema.ts';

/** Counting stops at this number; screens then show it as a minimum. */
const COUNTED_MAX = 10_000;
/** Age after which failed deliveries no longer count. */
const FAILED_WITHIN_MS = 7 * 86_400_000;

/** Health of the deliveries to the endpoints that the caller may see. */
export interface WebhookHealth {
  readonly pending: number;
  readonly oldestPendingAt: string | null;
  /** Deliveries of the last seven days that failed for good. */
  readonly givenUp: number;
  /** Active endpoints whose last attempt failed, the newest failure first. */
  readonly failing: readonly { readonly endpointId: string; readonly url: string; readonly error: string; readonly since: string }[];
}

const queries = queriesOn(ENDPOINTS, DELIVERIES, ATTEMPTS);

/** Returns the query for the endpoints that a caller may see. */
function endpointsVisibleTo(actor: Actor) {
  const ofTenant = queries.selectFrom('webhook_endpoints as e').where('e.tenant_id', '=', TENANT);
  const ofMerchant = actor.merchantId === null ? ofTenant : ofTenant.where('e.merchant_id', '=', actor.merchantId);
  return actor.permissions.has('owner:activity') ? ofMerchant : ofMerchant.where('e.security', '=', lit(0));
}

/** Returns the number of open deliveries to active endpoints of each tenant that has any, and the creation time of its oldest. */
export async function openDeliveriesByTenant({ database }: Pick<Dependencies, 'database'>): Promise<readonly WaitingOfTenant[]> {
  return database.readAcrossTenants().rows(
    queries
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_endpoints as e', (join) => join.onRef('e.tenant_id', '=', 'd.tenant_id').onRef('e.id', '=', 'd.endpoint_id'))
      .select(({ fn }) => ['d.tenant_id', fn.countAll<number>().as('n'), fn.min('d.created_at').as('oldest')])
      .where('d.status', '=', lit('pending'))
      .where('e.status', '=', lit('active'))
      .groupBy('d.tenant_id'),
  );
}

/** Reads the backlog on the indexes of open and of failed deliveries, and the newest attempt of each endpoint. */
export async function webhookHealth(deps: Dependencies, actor: Actor): Promise<WebhookHealth> {
  const read = deps.database.read(actor.tenantId);
  const endpoints = endpointsVisibleTo(actor);
  const active = endpoints.where('e.status', '=', lit('active'));
  const deliveries = queries.selectFrom('webhook_deliveries as d').where('d.tenant_id', '=', TENANT).limit(COUNTED_MAX);
  // Deliveries of disabled endpoints do not count as pending.
  const pending = deliveries
    .select('d.created_at')
    .where('d.status', '=', lit('pending'))
    .where('d.endpoint_id', 'in', active.select('e.id'));
  const givenUp = deliveries
    .select('d.created_at')
    .where('d.status', '=', lit('failed'))
    .where('d.last_attempt_at', '>=', isoTime(deps.clockOf(actor.tenantId).now() - FAILED_WITHIN_MS));
  const seesAll = actor.merchantId === null && actor.permissions.has('owner:activity');
  const given = seesAll ? givenUp : givenUp.where('d.endpoint_id', 'in', endpoints.select('e.id'));
  const counted = (rows: typeof pending) =>
    queries.selectFrom(rows.as('q')).select(({ fn }) => [fn.countAll<number>().as('n'), fn.min('created_at').as('oldest')]);
  const [open, failed, failingRows] = await Promise.all([
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
    failing: failingRows
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
