import { type Database, lit, queriesOn, TENANT, type WaitingOfTenant } from '#core/database';
import { type Actor, realNow } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import { REFUND_QUEUE } from '../queue-entries/schema.ts';
import { ATTEMPTS, TRANSACTIONS } from '../schema.ts';

const queries = queriesOn(ATTEMPTS, TRANSACTIONS, REFUND_QUEUE);

/** Counting stops at this number; screens then show it as a minimum. */
const COUNTED_MAX = 1_000;
/** Number of recent gateway requests by which the health of gateways is judged. */
const RECENT_ATTEMPTS = 200;

/** Payments that require a person, for the merchants that the caller may see. */
export interface PaymentHealth {
  /** Number of unconfirmed payments. */
  readonly unconfirmed: number;
  readonly oldestUnconfirmedAt: string | null;
  /** Number of payments that a processor holds for review. */
  readonly inReview: number;
  /** Number of declined refunds whose retries are exhausted. */
  readonly refundsFailed: number;
  /** Number of declined refunds that are retried automatically. */
  readonly refundsOpen: number;
  readonly oldestRefundMs: number | null;
}

/** Result of a recent request to a gateway. */
export interface GatewayResult {
  readonly gatewayId: string | null;
  readonly gateway: string;
  /** `failed`: certainly without effect. `unconfirmed`: unconfirmed. */
  readonly result: 'approved' | 'declined' | 'failed' | 'unconfirmed';
  readonly reason: string | null;
  readonly at: string;
}

/** Returns the counts. Open attempts and queue entries are read from indexes, independent of the number of payments. */
export async function paymentHealth(deps: Dependencies, actor: Actor): Promise<PaymentHealth> {
  const read = deps.database.read(actor.tenantId);
  const { merchantId } = actor;
  let attempts = queries
    .selectFrom('attempts as a')
    .innerJoin('transactions as t', (join) => join.onRef('t.tenant_id', '=', 'a.tenant_id').onRef('t.id', '=', 'a.transaction_id'))
    .select(['a.created_at', 't.pending_reason'])
    .where('a.tenant_id', '=', TENANT)
    .where('a.due_ms', 'is not', null)
    .where(({ or, and, eb }) =>
      or([eb('a.state', '=', lit('unconfirmed')), and([eb('a.state', '=', lit('sending')), eb('a.due_ms', '<', realNow())])]),
    )
    .limit(COUNTED_MAX);
  let entries = queries
    .selectFrom('refund_decline_queue')
    .select(({ fn }) => ['status', fn.countAll<number>().as('n'), fn.min('created_ms').as('oldest')])
    .where('tenant_id', '=', TENANT)
    .where('status', 'in', [lit('failed'), lit('pending'), lit('retry'), lit('processing')])
    .groupBy('status');
  if (merchantId !== null) {
    attempts = attempts.where('t.merchant_id', '=', merchantId);
    entries = entries.where('merchant_id', '=', merchantId);
  }
  const [attemptRows, entryRows] = await Promise.all([read.rows(attempts), read.rows(entries)]);
  const unconfirmed = attemptRows.filter(({ pending_reason }) => pending_reason === null).map(({ created_at }) => created_at);
  const waiting = entryRows.filter(({ status }) => status !== 'failed');
  return {
    unconfirmed: unconfirmed.length,
    oldestUnconfirmedAt: unconfirmed.toSorted()[0] ?? null,
    inReview: attemptRows.length - unconfirmed.length,
    refundsFailed: Number(entryRows.find(({ status }) => status === 'failed')?.n ?? 0),
    refundsOpen: waiting.reduce((sum, { n }) => sum + Number(n), 0),
    oldestRefundMs: waiting.length === 0 ? null : Math.min(...waiting.map(({ oldest }) => Number(oldest))),
  };
}

/** Returns the number of unconfirmed payments of each tenant that has any, and the creation time of its oldest. */
export async function unconfirmedByTenant({ database }: Pick<Dependencies, 'database'>): Promise<readonly WaitingOfTenant[]> {
  return database.readAcrossTenants().rows(
    queries
      .selectFrom('attempts as a')
      .innerJoin('transactions as t', (join) => join.onRef('t.tenant_id', '=', 'a.tenant_id').onRef('t.id', '=', 'a.transaction_id'))
      .select(({ fn }) => ['a.tenant_id', fn.countAll<number>().as('n'), fn.min('a.created_at').as('oldest')])
      .where('a.due_ms', 'is not', null)
      .where('a.state', '=', lit('unconfirmed'))
      .where('t.pending_reason', 'is', null)
      .groupBy('a.tenant_id'),
  );
}

/** Returns the results of the latest requests to a tenant's gateways, newest first. */
export async function recentGatewayResults(deps: Dependencies, tenantId: string): Promise<GatewayResult[]> {
  const rows = await deps.database
    .read(tenantId)
    .rows(
      queries
        .selectFrom('attempts')
        .select(['gateway', 'gateway_id', 'state', 'result', 'reason', 'created_at', 'concluded_at'])
        .where('tenant_id', '=', TENANT)
        .orderBy('id', 'desc')
        .limit(RECENT_ATTEMPTS),
    );
  return rows
    .filter(({ state }) => state !== 'sending' && state !== 'waiting')
    .map(({ gateway, gateway_id, state, result, reason, created_at, concluded_at }) => ({
      gatewayId: gateway_id,
      gateway,
      result: state === 'unconfirmed' ? 'unconfirmed' : ((result ?? 'failed') as GatewayResult['result']),
      reason,
      at: concluded_at ?? created_at,
    }));
}

/** Returns the number of open attempts at a gateway: those that Paydesk holds, and all others. */
export async function openAttempts(
  database: Database,
  tenantId: string,
  gatewayId: string,
): Promise<{ held: number; unconfirmed: number }> {
  const states = await database.read(tenantId).rows(
    queries
      .selectFrom('attempts')
      .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
      .where('tenant_id', '=', TENANT)
      .where('due_ms', 'is not', null)
      .where('gateway_id', '=', gatewayId)
      .groupBy('state'),
  );
  const all = states.reduce((sum, { n }) => sum + Number(n), 0);
  const held = Number(states.find(({ state }) => state === 'held')?.n ?? 0);
  return { held, unconfirmed: all - held };
}

/**
 * Returns true if a gateway ever accepted a payment. If it did not, the query reads every payment of the tenant, so it is used only when the setup
 * changes.
 */
export async function hasPayments(database: Database, tenantId: string, gatewayId: string): Promise<boolean> {
  const some = await database.read(tenantId).rows(
    queries
      .selectFrom('transactions')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('gateway_id', '=', gatewayId)
      .where('status', 'not in', [lit('declined'), lit('failed')])
      .limit(1),
  );
  return some.length > 0;
}
