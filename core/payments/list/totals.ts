import { conditionsOn, lit, type Query, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, addDays, type Currency, type Money, money, parseCurrency } from '#core/kernel';
import { type Measure, type Standing, sumDailyAggregates } from '../aggregates/daily-aggregates.ts';
import type { Dependencies } from '../dependencies.ts';
import { TRANSACTIONS } from '../schema.ts';
import { eachChunk, isSelective } from './chunked-scan.ts';
import { type ListCondition, rowsFulfilling, type TransactionFilter, transactionCondition } from './list.ts';
import { scoped } from './read.ts';

/** The transactions of a filter added up, in one currency. */
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

const queries = queriesOn(TRANSACTIONS);
const { fn } = conditionsOn(TRANSACTIONS);
const SUMS = [
  fn.countAll<number>().as('count'),
  fn.sum<number>('amount_minor').as('amount'),
  fn.sum<number>('captured_minor').as('captured'),
  fn.sum<number>('refunded_minor').as('refunded'),
  fn.sum<number | null>('fee_minor').as('fees'),
] as const;
const PENDING_MAX = 10_000;

/** Payments with an open outcome, by the index of their status, whatever the other conditions. */
const PENDING = queries
  .selectFrom('transactions')
  .selectAll()
  .where('tenant_id', '=', TENANT)
  .where('status', '=', lit('pending'))
  .orderBy('id', 'desc')
  .limit(PENDING_MAX);

const pendingSums = ({ parts }: ListCondition) =>
  parts
    .reduce((rows, part) => rows.where(part), queries.selectFrom(PENDING.as('pending')))
    .select(['currency', ...SUMS])
    .groupBy('currency');

const sumsOf = (condition: ListCondition) =>
  rowsFulfilling(TRANSACTIONS, condition)
    .select(['currency', ...SUMS])
    .groupBy('currency');

type Sums = Record<Measure, number>;
const STANDINGS: readonly Standing[] = ['approved', 'declined', 'voided', 'failed'];

/** Adds up what a filter of the list names, in the merchant's currency or the named one. Errors are the list's, and INVALID_CURRENCY. */
export async function totals(
  deps: Dependencies,
  actor: Actor,
  { currency: asked, ...named }: TransactionFilter & { readonly currency?: string },
): Promise<TransactionTotals> {
  const { filter, merchant } = await scoped(deps, actor, named);
  const currency = asked === undefined ? merchant.currency : parseCurrency(asked);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = deps.database.read(actor.tenantId);
  const sums = new Map<string, Sums>();
  if (condition.countable) {
    await addCounted(read, filter, sums);
    if (filter.status === undefined || filter.status === 'pending') await addRows(read, pendingSums(condition), sums);
  } else if (isSelective(filter)) {
    await addRows(read, sumsOf(condition), sums);
  } else {
    await eachChunk(read, condition, ({ key: _, ...slice }) => addRows(read, sumsOf(slice), sums));
  }
  const { count, amount, captured, refunded, fees } = sums.get(currency) ?? nothing();
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

const nothing = (): Sums => ({ count: 0, amount: 0, captured: 0, refunded: 0, fees: 0 });

function into(sums: Map<string, Sums>, currency: string): Sums {
  const sum = sums.get(currency) ?? nothing();
  sums.set(currency, sum);
  return sum;
}

async function addCounted(read: Read, filter: TransactionFilter, sums: Map<string, Sums>): Promise<void> {
  const standings: readonly string[] = STANDINGS.filter((status) => filter.status === undefined || filter.status === status);
  const days = queries.selectFrom('transactions').select('day').where('tenant_id', '=', TENANT).limit(1);
  const [first, last] = await Promise.all([read.row(days.orderBy('id')), read.row(days.orderBy('id', 'desc'))]);
  if (standings.length === 0 || !first || !last) return;
  // At one instant it may be Monday in one merchant's zone and Wednesday in another's.
  const [earliest, latest] = [addDays(first.day, -2), addDays(last.day, 2)];
  const { merchantId, type, paymentMethod: method } = filter;
  const [, startDate = earliest] = [filter.startDate ?? '', earliest].sort();
  const [endDate = latest] = [filter.endDate ?? latest, latest].sort();
  const rows = await sumDailyAggregates(read, { facts: [...STANDINGS, 'outcome'], startDate, endDate, merchantId, type, method }, [
    'currency',
    'fact',
    'detail',
  ]);
  for (const { currency, fact, detail, measure, n } of rows) {
    if (standings.includes(fact === 'outcome' ? detail : fact)) into(sums, currency)[measure] += n;
  }
}

async function addRows(read: Read, query: Query<object>, sums: Map<string, Sums>): Promise<void> {
  const rows = (await read.rows(query)) as (Record<Measure, number | null> & { currency: string })[];
  for (const { currency, ...row } of rows) {
    const sum = into(sums, currency);
    for (const measure of Object.keys(sum) as Measure[]) sum[measure] += Number(row[measure] ?? 0);
  }
}
