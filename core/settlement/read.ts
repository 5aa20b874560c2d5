import { newestOf, type Page, type PageOf } from '#core/database';
import { addDays, type Currency, dateIn, isoTime, type Money, money, parseDate, ServiceError } from '#core/kernel';
import { type BatchPayout, toBatch } from './batch.ts';
import type { By, Needs } from './needs.ts';
import { nextOf, scheduleOf } from './schedule.ts';
import { type Frequency, PAYOUT_LINES, PAYOUTS, type PayoutRow, SETTLEMENTS, type SettlementRow } from './schema.ts';
import { netOf, type Payout, type Settlement, toPayout, toSettlement } from './settlement.ts';

const REPORT_DAYS = 30;
const REPORT_MAX = 10_000;
const DAY_MS = 86_400_000;
const READY = "status <> 'assembling'";

/** A captured payment or a refund as a line of its settlement. */
export interface SettlementLine {
  readonly kind: 'capture' | 'refund';
  readonly id: string;
  readonly transactionId: string;
  /** Below zero for a refund. */
  readonly amount: Money;
  readonly fee: Money;
  readonly netAmount: Money;
  readonly at: string;
}

/** What was settled in a period (specification 2.8). */
export interface FundingReport {
  readonly startDate: string;
  readonly endDate: string;
  readonly currency: Currency;
  readonly settlements: readonly Settlement[];
  readonly totalAmount: Money;
  readonly totalFees: Money;
  readonly totalNet: Money;
}

/** Where a merchant's money stands. */
export interface Standing {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly unsettled: Sum;
  readonly settledUnpaid: Sum;
  readonly paidIn30Days: Sum;
  readonly frequency: Frequency;
  readonly nextCutoffAt: string | null;
}

interface Sum {
  readonly count: number;
  readonly amount: Money;
}

export async function rowOf(on: Needs, by: By, settlementId: string): Promise<SettlementRow> {
  const row = await on.database.read(by.tenantId).one(SETTLEMENTS, { id: settlementId });
  if (!row || row.status === 'assembling')
    throw new ServiceError('NOT_FOUND', `There is no settlement ${settlementId.slice(0, 60)}.`, { details: { settlementId } });
  await on.merchantFor(by, row.merchant_id);
  return row;
}

/** Settlements of a merchant, newest first. */
export async function history(on: Needs, by: By, merchantId: string, at: PageOf): Promise<Page<Settlement>> {
  await on.merchantFor(by, merchantId);
  const page = await newestOf(on.database.read(by.tenantId), SETTLEMENTS, 'stl', { merchant_id: merchantId }, at, { sql: READY });
  return { ...page, items: page.items.map(toSettlement) };
}

/** The captures and refunds that make a settlement's amounts, captures first, each in the order of their making. */
export async function lines(on: Needs, by: By, settlementId: string, at: PageOf): Promise<Page<SettlementLine>> {
  const row = await rowOf(on, by, settlementId);
  const limit = Math.trunc(at.limit);
  interface Line {
    kind: 'capture' | 'refund';
    id: string;
    transaction_id: string;
    amount_minor: number;
    fee_minor: number;
    at: string;
  }
  const found = await on.database.read(by.tenantId).all<Line>(
    `SELECT * FROM (
       SELECT 'capture' AS kind, id, id AS transaction_id, captured_minor AS amount_minor, fee_minor, captured_at AS at FROM transactions WHERE tenant_id = :tenantId AND settlement_id = :settlementId
       UNION ALL SELECT 'refund', id, transaction_id, -amount_minor, 0, refunded_at FROM refunds WHERE tenant_id = :tenantId AND settlement_id = :settlementId) AS lines
     ORDER BY kind, at, id LIMIT ${limit} OFFSET :offset`,
    { settlementId, offset: (Math.trunc(at.page) - 1) * limit },
  );
  const currency = row.currency as Currency;
  return {
    items: found.map((line) => ({
      kind: line.kind,
      id: line.id,
      transactionId: line.transaction_id,
      amount: money(line.amount_minor, currency),
      fee: money(line.fee_minor, currency),
      netAmount: money(line.amount_minor - line.fee_minor, currency),
      at: line.at,
    })),
    page: at.page,
    limit: at.limit,
    total: row.transaction_count + row.refund_count,
    nextCursor: null,
  };
}

/** The settlements of a period by their date, oldest first, with their sums; thirty days until today unless given. */
export async function fundingReport(
  on: Needs,
  by: By,
  of: { readonly startDate?: string; readonly endDate?: string; readonly merchantId?: string },
): Promise<FundingReport> {
  const merchant = await on.merchantFor(by, of.merchantId);
  const today = dateIn(merchant.timezone, on.clockOf(by.tenantId).now());
  const endDate = of.endDate === undefined ? today : parseDate(of.endDate, 'endDate');
  const startDate = of.startDate === undefined ? addDays(endDate, -REPORT_DAYS) : parseDate(of.startDate, 'startDate');
  if (endDate < startDate) throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
  const rows = await on.database
    .read(by.tenantId)
    .all<SettlementRow>(
      `SELECT ${SETTLEMENTS.columns.join(', ')} FROM settlements WHERE tenant_id = :tenantId AND merchant_id = :merchantId AND currency = :currency AND ${READY} AND settlement_date >= :startDate AND settlement_date <= :endDate ORDER BY settlement_date, id LIMIT ${REPORT_MAX}`,
      { merchantId: merchant.merchantId, currency: merchant.currency, startDate, endDate },
    );
  const sum = (read: (row: SettlementRow) => number) =>
    money(
      rows.reduce((total, row) => total + read(row), 0),
      merchant.currency,
    );
  return {
    startDate,
    endDate,
    currency: merchant.currency,
    settlements: rows.map(toSettlement),
    totalAmount: sum((row) => row.captures_minor - row.refunds_minor),
    totalFees: sum((row) => row.fees_minor),
    totalNet: sum(netOf),
  };
}

/** What is taken and not settled, settled and not paid, and paid of late. */
export async function standing(on: Needs, by: By, merchantId?: string): Promise<Standing> {
  const merchant = await on.merchantFor(by, merchantId);
  const { currency } = merchant;
  const now = on.clockOf(by.tenantId).now();
  const read = on.database.read(by.tenantId);
  const of = { merchantId: merchant.merchantId, currency };
  type Counted = { n: number; total: number | null };
  const one = async (sql: string, more: Record<string, string> = {}): Promise<Counted> =>
    (await read.all<Counted>(sql, { ...of, ...more }))[0] ?? { n: 0, total: 0 };
  const where = 'tenant_id = :tenantId AND merchant_id = :merchantId AND currency = :currency';
  const [captured, refunded, unpaid, paid, schedule] = await Promise.all([
    one(
      `SELECT count(*) AS n, sum(captured_minor) AS total FROM transactions WHERE ${where} AND settled_at IS NULL AND captured_minor > 0 AND status = 'approved'`,
    ),
    one(
      `SELECT count(*) AS n, sum(amount_minor) AS total FROM refunds WHERE ${where} AND settled_at IS NULL AND refunded_at IS NOT NULL AND status = 'approved'`,
    ),
    one(
      `SELECT count(*) AS n, sum(captures_minor - refunds_minor - fees_minor - paid_minor) AS total FROM settlements WHERE ${where} AND status = 'pending'`,
    ),
    one(`SELECT count(*) AS n, sum(amount_minor) AS total FROM payouts WHERE ${where} AND status = 'paid' AND paid_at >= :since`, {
      since: isoTime(now - REPORT_DAYS * DAY_MS),
    }),
    scheduleOf(on, by.tenantId, merchant.merchantId),
  ]);
  const sum = ({ n, total }: Counted, less = 0): Sum => ({ count: Number(n), amount: money(Number(total ?? 0) - less, currency) });
  const nextMs = nextOf(on, schedule, merchant);
  return {
    merchantId: merchant.merchantId,
    currency,
    unsettled: sum({ n: captured.n + refunded.n, total: captured.total }, Number(refunded.total ?? 0)),
    settledUnpaid: sum(unpaid),
    paidIn30Days: sum(paid),
    frequency: schedule.frequency,
    nextCutoffAt: nextMs === null ? null : isoTime(nextMs),
  };
}

async function linesOf(on: Needs, tenantId: string, row: PayoutRow) {
  return on.database.read(tenantId).find(PAYOUT_LINES, { payout_id: row.id }, { orderBy: [['settlement_id', 'asc']] });
}

/** Payouts within the caller's reach, newest first. */
export async function payouts(on: Needs, by: By, merchantId: string | undefined, at: PageOf): Promise<Page<Payout>> {
  const scope = await scopeOf(on, by, merchantId);
  const page = await newestOf(on.database.read(by.tenantId), PAYOUTS, 'pay', { ...scope, kind: 'single' }, at);
  return { ...page, items: await Promise.all(page.items.map(async (row) => toPayout(row, await linesOf(on, by.tenantId, row)))) };
}

export async function batches(on: Needs, by: By, merchantId: string | undefined, at: PageOf): Promise<Page<BatchPayout>> {
  const scope = await scopeOf(on, by, merchantId);
  const page = await newestOf(on.database.read(by.tenantId), PAYOUTS, 'bat', { ...scope, kind: 'batch' }, at);
  return { ...page, items: await Promise.all(page.items.map((row) => batch(on, by.tenantId, row))) };
}

export async function batch(on: Needs, tenantId: string, row: PayoutRow): Promise<BatchPayout> {
  return toBatch(
    row,
    (await linesOf(on, tenantId, row)).map(({ settlement_id }) => settlement_id),
  );
}

async function scopeOf(on: Needs, by: By, merchantId?: string): Promise<{ merchant_id?: string }> {
  const wanted = merchantId ?? by.merchantId ?? undefined;
  if (wanted === undefined) return {};
  await on.merchantFor(by, wanted);
  return { merchant_id: wanted };
}

/** A line of a settlement that a batch pays. */
export interface BatchLine extends SettlementLine {
  readonly batchId: string;
  readonly settlementId: string;
  readonly settlementDate: string;
}

const EXPORT_BLOCK = 500;

/** Every line of a batch's settlements, a block at a time: any number goes through in bounded memory. NOT_FOUND before the first. */
export async function batchLines(on: Needs, by: By, row: PayoutRow): Promise<AsyncGenerator<BatchLine>> {
  const parts = await linesOf(on, by.tenantId, row);
  return (async function* () {
    for (const { settlement_id: settlementId } of parts) {
      const { settlement_date: settlementDate } = await rowOf(on, by, settlementId);
      for (let page = 1; ; page += 1) {
        const { items } = await lines(on, by, settlementId, { page, limit: EXPORT_BLOCK });
        for (const line of items) yield { ...line, batchId: row.id, settlementId, settlementDate };
        if (items.length < EXPORT_BLOCK) break;
      }
    }
  })();
}
