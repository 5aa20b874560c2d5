import { type Condition, conditionsOn, rowsOf, type Table, type Work } from '#core/database';
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

type ClosingHandler = (work: Work, closing: ClosingMerchant) => Promise<void>;

/**
 * Returns the handler that counts the rows of a merchant that meet a condition. `counter` is the column of a table whose rows are counts themselves,
 * which are added up.
 */
export function countObstacles<Row, Name extends string>(
  table: Pick<Table<Row, Name>, 'name' | 'row'>,
  kind: ObstacleKind,
  condition: (row: ReturnType<typeof conditionsOn<Row, Name>>, nowMs: TenantTime) => Condition,
  counter?: keyof Row & string,
): ClosingHandler {
  return async (work, { merchantId, nowMs, add }) => {
    const rows = rowsOf(table)
      .where('merchant_id', '=', merchantId)
      .where(condition(conditionsOn(table), nowMs));
    const found = await work.row(rows.select(({ fn }) => (counter === undefined ? fn.countAll() : fn.sum(counter)).as('n')));
    add(kind, Number(found?.n ?? 0));
  };
}
