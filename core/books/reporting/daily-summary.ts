import { addDays, type Caller, type Currency, checkPeriod, money, parseDate, ServiceError, subtract } from '#core/kernel';
import {
  amountOf,
  type DailyAggregate,
  declinesOf,
  giftCardsSoldOf,
  grossOf,
  othersOf,
  paymentsCountOf,
  readDailyAggregates,
  salesCountOf,
  sum,
} from './daily-aggregates.ts';
import type { Dependencies } from './dependencies.ts';
import { openAuthorizations } from './open-authorizations.ts';
import { average } from './rate.ts';
import { type DailySummary, type DaySums, type Share, TENDER_KINDS, type TenderDay } from './records.ts';
import { reportMerchants } from './scope.ts';
import { shiftDay } from './shift-day.ts';
import { partSumsOf, personTipsOf } from './tips.ts';

export interface DailySummaryQuery {
  /** Default is the present date in the merchant's time zone. */
  readonly date?: string;
  /** First and last day of a range, in place of `date`. One of them alone is the range of that day. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly merchantId?: string;
  readonly currency?: string;
}

const OUTCOMES = ['approved', 'declined', 'voided', 'failed'] as const;
const MOVEMENTS = [
  'capture',
  'capture_reversed',
  'further_payment',
  'refund',
  'refund_outside',
  'gift_card_sold',
  'gift_card_taken_back',
  'person_tip',
  'fee',
  'credit',
  'chargeback',
  'chargeback_reversed',
  'dispute_fee',
] as const;

function shares(rows: readonly DailyAggregate[], currency: Currency, keyOf: (row: DailyAggregate) => string): Share[] {
  const sales = rows.filter(({ fact }) => fact === 'capture' || fact === 'capture_reversed');
  return [...Map.groupBy(sales, keyOf)]
    .map(([key, groupRows]) => ({ key, count: paymentsCountOf(groupRows), amount: grossOf(groupRows, currency) }))
    .sort((left, right) => right.amount.minor - left.amount.minor || (left.key < right.key ? -1 : 1));
}

const tenderDay = (rows: readonly DailyAggregate[], currency: Currency, kind: TenderDay['kind']): TenderDay => ({
  kind,
  salesCount: paymentsCountOf(rows),
  salesAmount: grossOf(rows, currency),
  refundsCount: sum(rows, { fact: 'refund' }),
  refundsAmount: amountOf(rows, currency, 'refund'),
});

function sumsOf(rows: readonly DailyAggregate[], currency: Currency): DaySums {
  const sales = grossOf(rows, currency);
  const refunds = amountOf(rows, currency, 'refund');
  const giftCards = giftCardsSoldOf(rows, currency);
  const fees = amountOf(rows, currency, 'fee');
  const { tips, surcharges, taxes } = partSumsOf(rows, currency);
  const salesCount = salesCountOf(rows);
  return {
    salesCount,
    paymentsCount: paymentsCountOf(rows),
    averageSaleAmount: average(sales, salesCount),
    salesAmount: sales,
    refundsCount: sum(rows, { fact: 'refund' }),
    refundsAmount: refunds,
    voidsCount: sum(rows, { fact: 'voided' }),
    declinedCount: sum(rows, { fact: 'declined' }),
    feesAmount: fees,
    chargebacksCount: sum(rows, { fact: 'chargeback' }),
    chargebacksAmount: subtract(amountOf(rows, currency, 'chargeback'), amountOf(rows, currency, 'chargeback_reversed')),
    disputeFeesAmount: amountOf(rows, currency, 'dispute_fee'),
    tipsAmount: tips,
    surchargesAmount: surcharges,
    taxesAmount: taxes,
    giftCardsSoldAmount: giftCards,
    netAmount: money(sales.minor - refunds.minor - giftCards.minor - fees.minor, currency),
  };
}

/** Largest number of days of a range: a quarter. */
const DAYS_MAX = 93;

/** Returns the first and last day of a query. @throws ServiceError INVALID_DATE; VALIDATION_ERROR if the days contradict each other. */
function daysOf({ date, startDate, endDate }: DailySummaryQuery, today: string): { startDate: string; endDate: string } {
  if (date !== undefined) parseDate(date, 'date');
  checkPeriod({ startDate, endDate });
  if (date !== undefined) {
    const field = startDate !== undefined && startDate !== date ? 'startDate' : 'endDate';
    if ((startDate ?? date) !== date || (endDate ?? date) !== date)
      throw new ServiceError('VALIDATION_ERROR', `\`date\` and \`${field}\` name different days. Send either a date or a range.`, {
        field,
      });
  }
  const first = startDate ?? endDate ?? date ?? today;
  const last = endDate ?? first;
  if (addDays(first, DAYS_MAX - 1) < last)
    throw new ServiceError('VALIDATION_ERROR', `A daily summary can cover at most ${DAYS_MAX} days.`, { field: 'startDate' });
  return { startDate: first, endDate: last };
}

/** Returns the days of a range. */
function eachDay({ startDate, endDate }: { startDate: string; endDate: string }): string[] {
  const days = [startDate];
  for (let day = startDate; day < endDate; days.push(day)) day = addDays(day, 1);
  return days;
}

/**
 * Returns the summary of a day or range. @throws ServiceError INVALID_DATE, INVALID_CURRENCY, VALIDATION_ERROR, MERCHANT_NOT_FOUND,
 * MERCHANT_NOT_AUTHORIZED.
 */
export async function dailySummary(deps: Dependencies, actor: Caller, query: DailySummaryQuery): Promise<DailySummary> {
  const { merchantId, currency, timeZone, today } = await reportMerchants(deps, actor, query);
  const range = daysOf(query, today);
  const all = await readDailyAggregates(
    deps,
    { tenantId: actor.tenantId, merchantId, ...range },
    [...OUTCOMES, 'decline', ...MOVEMENTS],
    ['day', 'fact', 'type', 'method', 'brand', 'detail', 'currency'],
  );
  const rows: DailyAggregate[] = all.filter((row) => row.currency === currency);
  const ofDay = Map.groupBy(rows, ({ day }) => day);
  const ofType = (type: string) => rows.filter((row) => row.type === type);
  const sums = sumsOf(rows, currency);
  return {
    date: range.endDate,
    ...range,
    currency,
    ...sums,
    ...(await openAuthorizations(deps, { tenantId: actor.tenantId, merchantId, currency, timeZone, today, date: range.endDate })),
    days: eachDay(range).map((date) => ({ date, ...sumsOf(ofDay.get(date) ?? [], currency) })),
    tipsByPerson: personTipsOf(rows, currency),
    byType: [
      ...(['sale', 'auth'] as const).map((key) => ({ key, count: paymentsCountOf(ofType(key)), amount: grossOf(ofType(key), currency) })),
      ...(['credit', 'refund'] as const).map((key) => ({ key, count: sum(rows, { fact: key }), amount: amountOf(rows, currency, key) })),
    ],
    byMethod: shares(rows, currency, (row) => row.method ?? ''),
    byBrand: shares(rows, currency, (row) => row.brand ?? ''),
    tenders: TENDER_KINDS.map((kind) =>
      tenderDay(
        rows.filter(({ method }) => method === kind),
        currency,
        kind,
      ),
    ),
    shifts: await shiftDay(deps, {
      tenantId: actor.tenantId,
      merchantId,
      ...range,
      currency,
      totalMinor:
        sums.salesAmount.minor - sums.refundsAmount.minor - sums.giftCardsSoldAmount.minor - amountOf(rows, currency, 'credit').minor,
    }),
    declines: declinesOf(rows),
    otherCurrencies: othersOf(all, currency, OUTCOMES),
  };
}
