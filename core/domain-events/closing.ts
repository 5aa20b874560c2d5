import type { Table, Work } from '#core/database';
import type { TenantTime } from '#core/kernel';

/** Records that prevent a merchant from being closed, because money would be stranded. */
export type ObstacleKind =
  | 'open_authorizations'
  | 'unconfirmed_payments'
  | 'pending_refunds'
  | 'failed_refunds'
  | 'unsettled_payments'
  | 'unpaid_settlements'
  | 'open_payouts'
  | 'open_disputes'
  | 'open_invoices'
  | 'active_subscriptions'
  | 'active_installment_plans'
  | 'queued_payments'
  | 'open_shifts';

/** Published when a merchant is to be closed. Handlers count what is in the way. */
export interface ClosingMerchant {
  readonly merchantId: string;
  readonly nowMs: TenantTime;
  /** Adds a number of records; 0 adds nothing. */
  readonly add: (kind: ObstacleKind, count: number) => void;
}

export type ClosingHandler = (work: Work, closing: ClosingMerchant) => Promise<void>;

/** Returns the handler that counts the rows of a merchant that meet a condition in SQL, which may use `:nowMs`. */
export function countObstacles(
  table: Pick<Table<never>, 'name'>,
  kind: ObstacleKind,
  condition: string,
  count = 'count(*)',
): ClosingHandler {
  const sql = `SELECT ${count} AS n FROM ${table.name} WHERE tenant_id = :tenantId AND merchant_id = :merchantId AND (${condition})`;
  return async (work, { merchantId, nowMs, add }) => {
    const [row] = await work.all<{ readonly n: number | string | null }>(sql, {
      merchantId,
      ...(condition.includes(':nowMs') && { nowMs }),
    });
    add(kind, Number(row?.n ?? 0));
  };
}
