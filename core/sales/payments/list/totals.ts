import { conditionsOn, type Query, type Read } from '#core/database';
import { type Actor, type Currency, type Money, money, parseCurrency } from '#core/kernel';
import { CONCLUDED_STATUSES, type Measure, sumDailyAggregates } from '../aggregates/daily-aggregates.ts';
import type { Dependencies } from '../dependencies.ts';
import { TRANSACTIONS } from '../schema.ts';
import { aggregatedPeriod } from './aggregated-period.ts';
import { eachChunk, isSelective } from './chunked-scan.ts';
import { ofChannel } from './exceptional-payments.ts';
import { type ListCondition, pendingRows, rowsMatching, type TransactionFilter, transactionCondition } from './list.ts';
import { resolveFilter } from './read.ts';

/** Totals of the transactions of a filter, in one currency. */
export interface TransactionTotals {
  readonly currency: Currency;
  readonly count: number;
  readonly amount: Money;
  readonly captured: Money;
  readonly refunded: Money;
  /** Fees of the settled payments. */
  readonly fees: Money;
  /** Captured less refunded less fees. */
  readonly net: Money;
  readonly otherCurrencies: readonly { readonly currency: string; readonly count: number }[];
}

const { fn } = conditionsOn(TRANSACTIONS);
const SUMS = [
  fn.countAll<number>().as('count'),
  fn.sum<number>('amount_minor').as('amount'),
  fn.sum<number>('captured_minor').as('captured'),
  fn.sum<number>('refunded_minor').as('refunded'),
  fn.sum<number | null>('fee_minor').as('fees'),
] as const;

const pendingSums = (condition: ListCondition) =>
  pendingRows(condition)
    .select(['currency', ...SUMS])
    .groupBy('currency');

const sumsOf = (condition: ListCondition) =>
  rowsMatching(TRANSACTIONS, condition)
    .select(['currency', ...SUMS])
    .groupBy('currency');

type Sum = Extract<Measure, 'count' | 'amount' | 'captured' | 'refunded' | 'fees'>;
type Sums = Record<Sum, number>;

/** Returns the sums of the transactions of a filter by currency. Throws the same errors as the list. */
async function sumsOfFilter(deps: Dependencies, actor: Actor, requested: TransactionFilter) {
  const { filter, merchant } = await resolveFilter(deps, actor, requested);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = deps.database.read(actor.tenantId).heavy;
  const sums = new Map<string, Sums>();
  if (condition.countable) {
    await addAggregates(read, filter, sums);
    if (filter.status === undefined || filter.status === 'pending') await addRows(read, pendingSums(condition), sums);
  } else if (isSelective(filter)) {
    await addRows(read, sumsOf(condition), sums);
  } else {
    const source = filter.channel && ofChannel(filter.channel);
    await eachChunk(read, source === undefined ? condition : { ...condition, source }, ({ key: _, ...chunk }) =>
      addRows(read, sumsOf(chunk), sums),
    );
  }
  return { filter, merchant, sums };
}

/** Returns the number and the net captured amount of the transactions of a filter by currency; of open authorizations the amount that is held. */
export async function netSums(
  deps: Dependencies,
  actor: Actor,
  filter: TransactionFilter,
): Promise<ReadonlyMap<string, { readonly count: number; readonly minor: number }>> {
  const { sums } = await sumsOfFilter(deps, actor, filter);
  const isHeld = filter.status === 'authorized';
  return new Map(
    [...sums].map(([currency, { count, amount, captured, refunded }]) => [
      currency,
      { count, minor: isHeld ? amount : captured - refunded },
    ]),
  );
}

/** Returns the totals of a filter, in the merchant's currency or the requested one. Throws the same errors as the list, and INVALID_CURRENCY. */
export async function totals(
  deps: Dependencies,
  actor: Actor,
  { currency: requestedCurrency, ...requested }: TransactionFilter & { readonly currency?: string },
): Promise<TransactionTotals> {
  const { merchant, sums } = await sumsOfFilter(deps, actor, requested);
  const currency = requestedCurrency === undefined ? merchant.currency : parseCurrency(requestedCurrency);
  const { count, amount, captured, refunded, fees } = sums.get(currency) ?? emptySums();
  return {
    currency,
    count,
    amount: money(amount, currency),
    captured: money(captured, currency),
    refunded: money(refunded, currency),
    fees: money(fees, currency),
    net: money(captured - refunded - fees, currency),
    otherCurrencies: [...sums]
      .filter(([other, sum]) => other !== currency && sum.count > 0)
      .map(([other, sum]) => ({ currency: other, count: sum.count }))
      .sort((left, right) => right.count - left.count),
  };
}

const emptySums = (): Sums => ({ count: 0, amount: 0, captured: 0, refunded: 0, fees: 0 });

function sumsFor(sums: Map<string, Sums>, currency: string): Sums {
  const sum = sums.get(currency) ?? emptySums();
  sums.set(currency, sum);
  return sum;
}

async function addAggregates(read: Read, filter: TransactionFilter, sums: Map<string, Sums>): Promise<void> {
  const statuses: readonly string[] = CONCLUDED_STATUSES.filter((status) => filter.status === undefined || filter.status === status);
  const period = await aggregatedPeriod(read, filter);
  if (statuses.length === 0 || period === null) return;
  const { merchantId, type, paymentMethod: method } = filter;
  const rows = await sumDailyAggregates(read, { facts: [...CONCLUDED_STATUSES, 'outcome'], ...period, merchantId, type, method }, [
    'currency',
    'fact',
    'detail',
  ]);
  for (const { currency, fact, detail, measure, n } of rows) {
    if (statuses.includes(fact === 'outcome' ? detail : fact)) sumsFor(sums, currency)[measure as Sum] += n;
  }
}

async function addRows(read: Read, query: Query<object>, sums: Map<string, Sums>): Promise<void> {
  const rows = (await read.rows(query)) as (Record<Sum, number | null> & { currency: string })[];
  for (const { currency, ...row } of rows) {
    const sum = sumsFor(sums, currency);
    for (const measure of Object.keys(sum) as Sum[]) sum[measure] += Number(row[measure] ?? 0);
  }
}
