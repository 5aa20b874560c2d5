import { type Currency, isoTime, type Money, money } from '#core/kernel';
import type { By, Needs } from './needs.ts';
import { nextOf, scheduleOf } from './schedule.ts';
import type { Frequency } from './schema.ts';
import { reportScope, scopeParams, scopeSql } from './scope.ts';

const PAID_DAYS = 30;
const DAY_MS = 86_400_000;

interface Sum {
  readonly count: number;
  readonly amount: Money;
}

/** Where the money of a merchant, or of all merchants of a tenant, stands. */
export interface Standing {
  /** Null if it covers every merchant. */
  readonly merchantId: string | null;
  readonly currency: Currency;
  readonly unsettled: Sum;
  readonly settledUnpaid: Sum;
  readonly paidIn30Days: Sum;
  /** When the thirty days began. */
  readonly paidSince: string;
  /** The merchant's schedule; null if every merchant is covered. */
  readonly frequency: Frequency | null;
  readonly nextCutoffAt: string | null;
}

/** Statements of the three sums; `own` selects the merchants and the currency. */
const statements = (own: string) => ({
  unsettled: unsettledSql(own),
  settledUnpaid: `SELECT count(*) AS n, sum(captures_minor - refunds_minor - fees_minor - paid_minor) AS total FROM settlements WHERE ${own} AND status = 'pending'`,
  paidIn30Days: `SELECT count(*) AS n, sum(amount_minor) AS total FROM payouts WHERE ${own} AND status = 'paid' AND paid_at >= :since`,
});
/** The ledger enters a settlement when it is closed; the lines that are in it before then are unsettled no more. One statement: one moment. */
const unsettledSql = (own: string) => `SELECT
  (SELECT coalesce(sum(n), 0) FROM ledger_unsettled_lines WHERE ${own}) AS n,
  -(SELECT coalesce(sum(n), 0) FROM ledger_balances WHERE ${own} AND account = 'unsettled')
  - (SELECT coalesce(sum(captures_minor - refunds_minor), 0) FROM settlements WHERE ${own} AND status = 'assembling') AS total`;

/** What is taken and not settled, settled and not paid, and paid of late. What is not settled is read from counters: no number of lines slows it. */
export async function standing(on: Needs, by: By, asked?: string): Promise<Standing> {
  const scope = await reportScope(on, by, { merchantId: asked });
  const { merchantId, merchant, currency } = scope;
  const since = isoTime(on.clockOf(by.tenantId).now() - PAID_DAYS * DAY_MS);
  const read = on.database.read(by.tenantId);
  const sum = async (sql: string, more: Record<string, string> = {}): Promise<Sum> => {
    const [row] = await read.all<{ n: number; total: number | null }>(sql, { ...scopeParams(scope), currency, ...more });
    return { count: Number(row?.n ?? 0), amount: money(Number(row?.total ?? 0), currency) };
  };
  const sql = statements(`${scopeSql(scope)} AND currency = :currency`);
  const [unsettled, settledUnpaid, paidIn30Days, schedule] = await Promise.all([
    sum(sql.unsettled),
    sum(sql.settledUnpaid),
    sum(sql.paidIn30Days, { since }),
    merchantId === undefined ? null : scheduleOf(on, by.tenantId, merchantId),
  ]);
  const nextMs = schedule === null ? null : nextOf(on, schedule, merchant);
  return {
    merchantId: merchantId ?? null,
    currency,
    unsettled,
    settledUnpaid,
    paidIn30Days,
    paidSince: since,
    frequency: schedule?.frequency ?? null,
    nextCutoffAt: nextMs === null ? null : isoTime(nextMs),
  };
}
