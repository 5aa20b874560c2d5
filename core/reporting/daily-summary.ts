import { type Currency, type Money, money, parseDate, subtract } from '#core/kernel';
import { amountOf, type DailyAggregate, declinesOf, grossOf, othersOf, readDailyAggregates, sum } from './daily-aggregates.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { reportMerchants } from './scope.ts';
import { type ShiftDay, shiftDay } from './shift-day.ts';
import { type PersonTips, partSumsOf, personTipsOf } from './tips.ts';

export interface Share {
  readonly key: string;
  readonly count: number;
  readonly amount: Money;
}

/** One day of a merchant, or of all merchants of a tenant: the movements of the day, and the outcome of the payments made on it. */
export interface DailySummary {
  readonly date: string;
  readonly currency: Currency;
  /** Captures less canceled captures, and sales in cash, by check or otherwise without a processor. */
  readonly salesCount: number;
  readonly salesAmount: Money;
  readonly refundsCount: number;
  readonly refundsAmount: Money;
  /** Payments of the day whose present status is voided or declined. */
  readonly voidsCount: number;
  readonly declinedCount: number;
  /** Fees of the day's captures that are settled. */
  readonly feesAmount: Money;
  readonly chargebacksCount: number;
  /** Chargebacks less those that were returned. */
  readonly chargebacksAmount: Money;
  readonly disputeFeesAmount: Money;
  /** Parts of the sales less those of refunds. */
  readonly tipsAmount: Money;
  readonly surchargesAmount: Money;
  readonly taxesAmount: Money;
  readonly tipsByPerson: readonly PersonTips[];
  /** Sales less refunds less fees. */
  readonly netAmount: Money;
  /** sale, auth, credit, refund. */
  readonly byType: readonly Share[];
  /** Sales by payment method, and by brand. */
  readonly byMethod: readonly Share[];
  readonly byBrand: readonly Share[];
  /** Sales and refunds without a processor by kind: cash, check, other. */
  readonly tenders: readonly TenderDay[];
  readonly shifts: ShiftDay;
  readonly declines: readonly { readonly code: string; readonly count: number }[];
  readonly otherCurrencies: readonly { readonly currency: string; readonly count: number }[];
}

/** Sales and refunds of a day of one kind of tender. */
export interface TenderDay {
  readonly kind: (typeof TENDER_KINDS)[number];
  readonly salesCount: number;
  readonly salesAmount: Money;
  readonly refundsCount: number;
  readonly refundsAmount: Money;
}

export interface DailySummaryQuery {
  /** Default is the present date in the merchant's time zone. */
  readonly date?: string;
  readonly merchantId?: string;
  readonly currency?: string;
}

const TENDER_KINDS = ['cash', 'check', 'other'] as const;
const OUTCOMES = ['approved', 'declined', 'voided', 'failed'] as const;
const MOVEMENTS = [
  'capture',
  'capture_reversed',
  'refund',
  'refund_outside',
  'person_tip',
  'fee',
  'credit',
  'chargeback',
  'chargeback_reversed',
  'dispute_fee',
] as const;

const salesOf = (rows: readonly DailyAggregate[]) => sum(rows, { fact: 'capture' }) - sum(rows, { fact: 'capture_reversed' });

function shares(rows: readonly DailyAggregate[], currency: Currency, keyOf: (row: DailyAggregate) => string): Share[] {
  const sales = rows.filter(({ fact }) => fact === 'capture' || fact === 'capture_reversed');
  return [...Map.groupBy(sales, keyOf)]
    .map(([key, groupRows]) => ({ key, count: salesOf(groupRows), amount: grossOf(groupRows, currency) }))
    .sort((left, right) => right.amount.minor - left.amount.minor || (left.key < right.key ? -1 : 1));
}

const tenderDay = (rows: readonly DailyAggregate[], currency: Currency, kind: TenderDay['kind']): TenderDay => ({
  kind,
  salesCount: salesOf(rows),
  salesAmount: grossOf(rows, currency),
  refundsCount: sum(rows, { fact: 'refund' }),
  refundsAmount: amountOf(rows, currency, 'refund'),
});

/** Returns the summary of a day. @throws ServiceError INVALID_DATE, INVALID_CURRENCY, MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function dailySummary(deps: Dependencies, actor: Caller, query: DailySummaryQuery): Promise<DailySummary> {
  if (query.date !== undefined) parseDate(query.date, 'date');
  const { merchantId, currency, today } = await reportMerchants(deps, actor, query);
  const date = query.date ?? today;
  const period = { tenantId: actor.tenantId, merchantId, startDate: date, endDate: date };
  const all = await readDailyAggregates(
    deps,
    period,
    [...OUTCOMES, 'decline', ...MOVEMENTS],
    ['fact', 'type', 'method', 'brand', 'detail', 'currency'],
  );
  const rows: DailyAggregate[] = all.filter((row) => row.currency === currency);
  const ofType = (type: string) => rows.filter((row) => row.type === type);
  const sales = grossOf(rows, currency);
  const refunds = amountOf(rows, currency, 'refund');
  const fees = amountOf(rows, currency, 'fee');
  const chargebacks = subtract(amountOf(rows, currency, 'chargeback'), amountOf(rows, currency, 'chargeback_reversed'));
  const { tips, surcharges, taxes } = partSumsOf(rows, currency);
  const disputeFees = amountOf(rows, currency, 'dispute_fee');
  return {
    date,
    currency,
    salesCount: salesOf(rows),
    salesAmount: sales,
    refundsCount: sum(rows, { fact: 'refund' }),
    refundsAmount: refunds,
    voidsCount: sum(rows, { fact: 'voided' }),
    declinedCount: sum(rows, { fact: 'declined' }),
    feesAmount: fees,
    chargebacksCount: sum(rows, { fact: 'chargeback' }),
    chargebacksAmount: chargebacks,
    disputeFeesAmount: disputeFees,
    tipsAmount: tips,
    surchargesAmount: surcharges,
    taxesAmount: taxes,
    tipsByPerson: personTipsOf(rows, currency),
    netAmount: money(sales.minor - refunds.minor - fees.minor, currency),
    byType: [
      ...(['sale', 'auth'] as const).map((key) => ({ key, count: salesOf(ofType(key)), amount: grossOf(ofType(key), currency) })),
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
      date,
      currency,
      totalMinor: sales.minor - refunds.minor - amountOf(rows, currency, 'credit').minor,
    }),
    declines: declinesOf(rows),
    otherCurrencies: othersOf(all, currency, OUTCOMES),
  };
}
