import { lit, queriesOn, type Read, TENANT } from '#core/database';
import { addDays, type Caller, type Currency, dateIn, idFloor, instantOn, isoTime, money, timeIn } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { READABLE_TRANSFERS } from '#core/records/ledger';
import { READABLE_TRANSACTIONS } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { rateOf } from './rate.ts';
import type { PartialDay, TodayComparison } from './records.ts';
import { reportMerchants } from './scope.ts';

const WEEK_DAYS = 7;
/** Movements that are sales and refunds, with and without a processor. */
const SALES = ['capture', 'cash_sale', 'check_sale', 'other_sale', 'gift_card_sale'] as const;
const REFUNDS = ['refund', 'cash_refund', 'check_refund', 'other_refund', 'gift_card_refund', 'store_credit_refund'] as const;
const queries = queriesOn(READABLE_TRANSFERS, READABLE_TRANSACTIONS, READABLE_MERCHANTS);

/** Selects the merchants of a report. */
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);

interface PartOfDay {
  readonly merchantId: string | undefined;
  readonly currency: Currency;
  readonly timeZone: string;
  readonly date: string;
  readonly untilMs: number;
}

async function readPartOfDay(read: Read, { merchantId, currency, timeZone, date, untilMs }: PartOfDay): Promise<PartialDay> {
  const until = isoTime(untilMs);
  const transfers = queries
    .selectFrom('ledger_transfers')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('n'), fn.sum<number>('amount_minor').as('amount')])
    .select(({ fn }) => fn.countAll<number>().filterWhere('order_part', '=', lit('further')).as('further'))
    .where('tenant_id', '=', TENANT)
    .where('day', '=', date)
    .where('currency', '=', currency)
    .where('kind', 'in', [...SALES, ...REFUNDS, 'capture_reversed', 'gift_card_sold', 'gift_card_taken_back'])
    .where('at', '<', until)
    .groupBy('kind');
  // Payments of the day are a range of the key, because an ID begins with its time.
  const payments = queries
    .selectFrom('transactions')
    .select(({ fn }) => ['status', fn.countAll<number>().as('n')])
    .where('tenant_id', '=', TENANT)
    .where('id', '>=', idFloor('txn', instantOn(timeZone, date, '00:00')))
    .where('id', '<', idFloor('txn', untilMs))
    .where('currency', '=', currency)
    .groupBy('status');
  const [moved, decided] = await Promise.all([
    read.rows(
      merchantId === undefined ? transfers.where('merchant_id', 'in', merchantIds) : transfers.where('merchant_id', '=', merchantId),
    ),
    read.rows(merchantId === undefined ? payments : payments.where('merchant_id', '=', merchantId)),
  ]);
  const sumOf = (kinds: readonly string[], measure: 'n' | 'further' | 'amount') =>
    moved.filter((row) => kinds.includes(row.kind)).reduce((sum, row) => sum + Number(row[measure]), 0);
  const countOf = (status: string) => Number(decided.find((row) => row.status === status)?.n ?? 0);
  const paymentsCount = sumOf(SALES, 'n') - sumOf(['capture_reversed'], 'n');
  const approvedCount = countOf('approved') + countOf('voided');
  const declinedCount = countOf('declined');
  return {
    date,
    until,
    salesCount: paymentsCount - (sumOf(SALES, 'further') - sumOf(['capture_reversed'], 'further')),
    paymentsCount,
    salesAmount: money(sumOf(SALES, 'amount') - sumOf(['capture_reversed'], 'amount'), currency),
    refundsCount: sumOf(REFUNDS, 'n'),
    refundsAmount: money(sumOf(REFUNDS, 'amount'), currency),
    giftCardsSoldAmount: money(sumOf(['gift_card_sold'], 'amount') - sumOf(['gift_card_taken_back'], 'amount'), currency),
    approvedCount,
    declinedCount,
    approvalRate: rateOf(approvedCount, approvedCount + declinedCount),
  };
}

/**
 * Compares today with the same weekday of the previous week until the same time of day, so that a part of a day is never compared with a whole one.
 * @throws ServiceError INVALID_CURRENCY, MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function compareToday(
  deps: Dependencies,
  actor: Caller,
  query: { readonly merchantId?: string; readonly currency?: string },
): Promise<TodayComparison> {
  const { merchantId, currency, timeZone } = await reportMerchants(deps, actor, query);
  const nowMs = deps.clockOf(actor.tenantId).now();
  const date = dateIn(timeZone, nowMs);
  const dateBefore = addDays(date, -WEEK_DAYS);
  const read = deps.database.read(actor.tenantId);
  const part = { merchantId, currency, timeZone };
  const [today, weekBefore] = await Promise.all([
    // The movements of this millisecond belong to the day so far.
    readPartOfDay(read, { ...part, date, untilMs: nowMs + 1 }),
    readPartOfDay(read, { ...part, date: dateBefore, untilMs: instantOn(timeZone, dateBefore, timeIn(timeZone, nowMs)) }),
  ]);
  return { currency, today, weekBefore };
}
