import { type Currency, isoTime, type Money, money } from '#core/kernel';
import type { By, Needs } from './needs.ts';
import { nextOf, scheduleOf } from './schedule.ts';
import type { Frequency } from './schema.ts';

const PAID_DAYS = 30;
const DAY_MS = 86_400_000;

interface Sum {
  readonly count: number;
  readonly amount: Money;
}

/** Where a merchant's money stands. */
export interface Standing {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly unsettled: Sum;
  readonly settledUnpaid: Sum;
  readonly paidIn30Days: Sum;
  /** When the thirty days began. */
  readonly paidSince: string;
  readonly frequency: Frequency;
  readonly nextCutoffAt: string | null;
}

const OWN = 'tenant_id = :tenantId AND merchant_id = :merchantId AND currency = :currency';
/** The ledger enters a settlement when it is closed; the lines that are in it before then are unsettled no more. One statement: one moment. */
const UNSETTLED = `SELECT
  (SELECT coalesce(sum(n), 0) FROM ledger_unsettled_lines WHERE ${OWN}) AS n,
  -(SELECT coalesce(sum(n), 0) FROM ledger_balances WHERE ${OWN} AND account = 'unsettled')
  - (SELECT coalesce(sum(captures_minor - refunds_minor), 0) FROM settlements WHERE ${OWN} AND status = 'assembling') AS total`;
const UNPAID = `SELECT count(*) AS n, sum(captures_minor - refunds_minor - fees_minor - paid_minor) AS total FROM settlements WHERE ${OWN} AND status = 'pending'`;
const PAID = `SELECT count(*) AS n, sum(amount_minor) AS total FROM payouts WHERE ${OWN} AND status = 'paid' AND paid_at >= :since`;

/** What is taken and not settled, settled and not paid, and paid of late. What is not settled is read from counters: no number of lines slows it. */
export async function standing(on: Needs, by: By, merchantId?: string): Promise<Standing> {
  const merchant = await on.merchantFor(by, merchantId);
  const { currency } = merchant;
  const since = isoTime(on.clockOf(by.tenantId).now() - PAID_DAYS * DAY_MS);
  const read = on.database.read(by.tenantId);
  const sum = async (sql: string, more: Record<string, string> = {}): Promise<Sum> => {
    const [row] = await read.all<{ n: number; total: number | null }>(sql, { merchantId: merchant.merchantId, currency, ...more });
    return { count: Number(row?.n ?? 0), amount: money(Number(row?.total ?? 0), currency) };
  };
  const [unsettled, settledUnpaid, paidIn30Days, schedule] = await Promise.all([
    sum(UNSETTLED),
    sum(UNPAID),
    sum(PAID, { since }),
    scheduleOf(on, by.tenantId, merchant.merchantId),
  ]);
  const nextMs = nextOf(on, schedule, merchant);
  return {
    merchantId: merchant.merchantId,
    currency,
    unsettled,
    settledUnpaid,
    paidIn30Days,
    paidSince: since,
    frequency: schedule.frequency,
    nextCutoffAt: nextMs === null ? null : isoTime(nextMs),
  };
}
