import type { Caller, Currency } from '#core/kernel';
import type { AggregateKind } from '#core/sales/payments';
import {
  amountOf,
  type DailyAggregate,
  declinesOf,
  giftCardsSoldOf,
  grossOf,
  othersOf,
  readDailyAggregates,
  readPending,
  salesCountOf,
  sum,
} from './daily-aggregates.ts';
import type { Dependencies } from './dependencies.ts';
import { average, rateOf } from './rate.ts';
import type { Analysis, GroupBy, RefundSums, RevenueSums, TransactionSums } from './records.ts';
import { type AnalyticsQuery, type Scope, scopeOf } from './scope.ts';
import { isByTime, methodName, pointOf, pointsOf } from './series.ts';
import { partSumsOf } from './tips.ts';

/** Definition of a report: its aggregates, its result, and the rows counted in `otherCurrencies`. */
interface Report<Totals> {
  readonly facts: readonly AggregateKind[];
  readonly countedFacts: readonly DailyAggregate['fact'][];
  readonly tally: (rows: readonly DailyAggregate[], currency: Currency) => Totals;
  readonly readMore?: (deps: Dependencies, scope: Scope) => Promise<DailyAggregate[]>;
}

const OUTCOMES = ['approved', 'declined', 'voided', 'failed'] as const;
const TRANSACTIONS: Report<TransactionSums> = {
  facts: [...OUTCOMES, 'decline'],
  countedFacts: [...OUTCOMES, 'pending'],
  readMore: readPending,
  tally(rows, currency) {
    const [approved, declined, voided, failed] = OUTCOMES.map((fact) => sum(rows, { fact })) as [number, number, number, number];
    const pending = sum(rows, { fact: 'pending' });
    const approvedPayments = rows.filter((row) => row.fact === 'approved' && row.type !== 'credit');
    const amount = amountOf(approvedPayments, currency, 'approved');
    return {
      count: approved + declined + voided + failed + pending,
      approved,
      declined,
      voided,
      failed,
      pending,
      approvalRate: rateOf(approved + voided, approved + voided + declined),
      amount,
      averageAmount: average(amount, sum(approvedPayments, { fact: 'approved' })),
      declines: declinesOf(rows),
    };
  },
};

const REVENUE: Report<RevenueSums> = {
  facts: [
    'capture',
    'capture_reversed',
    'further_payment',
    'refund',
    'fee',
    'credit',
    'refund_outside',
    'gift_card_sold',
    'gift_card_taken_back',
  ],
  countedFacts: ['capture', 'refund', 'credit', 'refund_outside'],
  tally(rows, currency) {
    const gross = grossOf(rows, currency);
    const refunds = amountOf(rows, currency, 'refund');
    const giftCardsSold = giftCardsSoldOf(rows, currency);
    const fees = amountOf(rows, currency, 'fee');
    const salesCount = salesCountOf(rows);
    return {
      salesCount,
      averageSale: average(gross, salesCount),
      gross,
      refunds,
      fees,
      giftCardsSold,
      net: { minor: gross.minor - refunds.minor - giftCardsSold.minor - fees.minor, currency },
      ...partSumsOf(rows, currency),
      credits: amountOf(rows, currency, 'credit'),
      refundedOutside: amountOf(rows, currency, 'refund_outside'),
    };
  },
};

const REFUNDS: Report<RefundSums> = {
  facts: ['refund', 'refund_outside', 'refund_declined', 'capture', 'capture_reversed'],
  countedFacts: ['refund', 'refund_outside'],
  tally(rows, currency) {
    const amount = amountOf(rows, currency, 'refund');
    return {
      count: sum(rows, { fact: 'refund' }),
      amount,
      fullCount: sum(rows, { fact: 'refund', detail: 'full' }),
      partialCount: sum(rows, { fact: 'refund', detail: 'partial' }),
      declined: sum(rows, { fact: 'refund_declined' }),
      rate: rateOf(amount.minor, grossOf(rows, currency).minor),
      outsideCount: sum(rows, { fact: 'refund_outside' }),
      outsideAmount: amountOf(rows, currency, 'refund_outside'),
    };
  },
};

/** Returns the labels of the points of a series. */
async function labelsOf(deps: Dependencies, actor: Caller, groupBy: GroupBy, keys: readonly string[]): Promise<(key: string) => string> {
  if (groupBy === 'brand') return methodName;
  if (groupBy !== 'merchant') return (key) => key;
  const names = new Map<string, string>();
  for (const merchantId of keys) names.set(merchantId, (await deps.merchantFor(actor, merchantId)).name);
  return (merchantId) => names.get(merchantId) ?? merchantId;
}

const POINT = { day: 'day', week: 'day', month: 'day', brand: 'brand', merchant: 'merchant_id' } as const;

async function analyse<Totals extends object>(
  deps: Dependencies,
  actor: Caller,
  query: AnalyticsQuery,
  report: Report<Totals>,
): Promise<Analysis<Totals>> {
  const scope = await scopeOf(deps, actor, query);
  const { groupBy, currency, startDate, endDate } = scope;
  const column = POINT[groupBy];
  const [counted, additional] = await Promise.all([
    readDailyAggregates(deps, scope, report.facts, [column, 'fact', 'type', 'detail', 'currency']),
    report.readMore?.(deps, scope) ?? [],
  ]);
  const rows: DailyAggregate[] = [...counted, ...additional];
  const inCurrency = rows.filter((row) => row.currency === currency);
  const points = Map.groupBy(inCurrency, (row) => (isByTime(groupBy) ? pointOf(groupBy, row.day ?? '') : (row[column] ?? '')));
  const keys = isByTime(groupBy) ? pointsOf(groupBy, startDate, endDate) : [...points.keys()].sort();
  const labelOf = await labelsOf(deps, actor, groupBy, keys);
  return {
    startDate,
    endDate,
    groupBy,
    currency,
    totals: report.tally(inCurrency, currency),
    series: keys.map((key) => ({ key, label: labelOf(key), ...report.tally(points.get(key) ?? [], currency) })),
    otherCurrencies: othersOf(rows, currency, report.countedFacts),
  };
}

export const analyseTransactions = (deps: Dependencies, actor: Caller, query: AnalyticsQuery) => analyse(deps, actor, query, TRANSACTIONS);
export const analyseRevenue = (deps: Dependencies, actor: Caller, query: AnalyticsQuery) => analyse(deps, actor, query, REVENUE);
export const analyseRefunds = (deps: Dependencies, actor: Caller, query: AnalyticsQuery) => analyse(deps, actor, query, REFUNDS);
