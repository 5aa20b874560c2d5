import type { Database } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Needs } from '../needs.ts';
import type { AttemptState } from '../schema.ts';

/** No more are counted: it is then said that there are more. */
const COUNTED_MAX = 1_000;
/** So many of the newest questions to gateways tell how these answer. */
const NEWEST = 200;

/** How payments stand that want a person's eye, of the merchants that a caller sees. */
export interface PaymentStanding {
  /** Payments whose outcome nobody knows yet. */
  readonly inDoubt: number;
  readonly oldestDoubtAt: string | null;
  /** Payments that a processor holds for review. */
  readonly inReview: number;
  /** Declined refunds that used up their tries. */
  readonly refundsFailed: number;
  /** Declined refunds that are tried again by themselves. */
  readonly refundsOpen: number;
  readonly oldestRefundMs: number | null;
}

/** The newest answers of a gateway, the newest first. */
export interface GatewayAnswer {
  readonly gatewayId: string | null;
  readonly gateway: string;
  /** `failed` certainly had no effect, `in_doubt` went unanswered. */
  readonly result: 'approved' | 'declined' | 'failed' | 'in_doubt';
  readonly reason: string | null;
  readonly at: string;
}

/** Reads open attempts on their index of due rows, and the open entries of the decline queue on theirs by status. */
export async function standing(on: Needs, by: Actor): Promise<PaymentStanding> {
  const read = on.database.read(by.tenantId);
  const isAll = by.merchantId === null;
  const scope: Record<string, string> = by.merchantId === null ? {} : { merchant: by.merchantId };
  const [open, queue] = await Promise.all([
    read.all<{ created_at: string; pending_reason: string | null }>(
      `SELECT a.created_at, t.pending_reason FROM attempts a JOIN transactions t ON t.tenant_id = a.tenant_id AND t.id = a.transaction_id
       WHERE a.tenant_id = :tenantId AND a.due_ms IS NOT NULL AND (a.state = 'doubt' OR (a.state = 'sending' AND a.due_ms < :now)) ${isAll ? '' : 'AND t.merchant_id = :merchant'} LIMIT ${COUNTED_MAX}`,
      { ...scope, now: Date.now() },
    ),
    read.all<{ status: string; n: number; oldest: number }>(
      `SELECT status, count(*) AS n, min(created_ms) AS oldest FROM refund_decline_queue
       WHERE tenant_id = :tenantId AND status IN ('failed', 'pending', 'retry', 'processing') ${isAll ? '' : 'AND merchant_id = :merchant'} GROUP BY status`,
      scope,
    ),
  ]);
  const doubts = open.filter(({ pending_reason }) => pending_reason === null).map(({ created_at }) => created_at);
  const waiting = queue.filter(({ status }) => status !== 'failed');
  return {
    inDoubt: doubts.length,
    oldestDoubtAt: doubts.toSorted()[0] ?? null,
    inReview: open.length - doubts.length,
    refundsFailed: Number(queue.find(({ status }) => status === 'failed')?.n ?? 0),
    refundsOpen: waiting.reduce((sum, { n }) => sum + Number(n), 0),
    oldestRefundMs: waiting.length === 0 ? null : Math.min(...waiting.map(({ oldest }) => oldest)),
  };
}

/** What gateways answered to the newest questions of a tenant, read from the end of the table. */
export async function lastAnswers(on: Needs, tenantId: string): Promise<GatewayAnswer[]> {
  const rows = await on.database.read(tenantId).all<{
    gateway: string;
    gateway_id: string | null;
    state: AttemptState;
    result: string | null;
    reason: string | null;
    created_at: string;
    concluded_at: string | null;
  }>(
    `SELECT gateway, gateway_id, state, result, reason, created_at, concluded_at FROM attempts WHERE tenant_id = :tenantId ORDER BY id DESC LIMIT ${NEWEST}`,
  );
  return rows
    .filter(({ state }) => state !== 'sending')
    .map(({ gateway, gateway_id, state, result, reason, created_at, concluded_at }) => ({
      gatewayId: gateway_id,
      gateway,
      result: state === 'doubt' ? 'in_doubt' : ((result ?? 'failed') as GatewayAnswer['result']),
      reason,
      at: concluded_at ?? created_at,
    }));
}

/** How many questions to a gateway have no result yet: those that wait here until they are sent, and all others. */
export async function openAttempts(database: Database, tenantId: string, gatewayId: string): Promise<{ held: number; inDoubt: number }> {
  const states = await database
    .read(tenantId)
    .all<{ state: AttemptState; n: number }>(
      'SELECT state, count(*) AS n FROM attempts WHERE tenant_id = :tenantId AND due_ms IS NOT NULL AND gateway_id = :gatewayId GROUP BY state',
      { gatewayId },
    );
  const all = states.reduce((sum, { n }) => sum + Number(n), 0);
  const held = Number(states.find(({ state }) => state === 'held')?.n ?? 0);
  return { held, inDoubt: all - held };
}

/** Whether a gateway took a payment, now or ever. Reads every payment of the tenant where there is none: for changes of set-up only. */
export async function hasPayments(database: Database, tenantId: string, gatewayId: string): Promise<boolean> {
  const some = await database
    .read(tenantId)
    .all(
      "SELECT 1 AS n FROM transactions WHERE tenant_id = :tenantId AND gateway_id = :gatewayId AND status NOT IN ('declined', 'failed') LIMIT 1",
      { gatewayId },
    );
  return some.length > 0;
}
