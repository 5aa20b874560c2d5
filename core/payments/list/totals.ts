import type { Read } from '#core/database';
import { type Actor, addDays, type Currency, type Money, money, parseCurrency } from '#core/kernel';
import { type Measure, type Standing, sumFacts } from '../aggregates/facts.ts';
import type { Needs } from '../needs.ts';
import { type Condition, foundByKey, type TransactionFilter, transactionCondition } from './list.ts';
import { scoped } from './read.ts';
import { eachSlice, isSelective } from './slices.ts';

/** The transactions of a filter added up, in one currency. */
export interface TransactionTotals {
  readonly currency: Currency;
  readonly count: number;
  readonly amount: Money;
  readonly captured: Money;
  readonly refunded: Money;
  /** Of those that are settled. */
  readonly fees: Money;
  /** Captured less refunded less fees. */
  readonly net: Money;
  readonly otherCurrencies: readonly { readonly currency: string; readonly count: number }[];
}

/** Payments whose outcome is open, by the index of their status whatever else is asked of them. */
const PENDING = "(SELECT * FROM transactions WHERE tenant_id = :tenantId AND status = 'pending' ORDER BY id DESC LIMIT 10000) AS pending";

type Sums = Record<Measure, number>;
const STANDINGS: readonly Standing[] = ['approved', 'declined', 'voided', 'failed'];

/** Adds up what a filter of the list names, in the merchant's currency or the named one. Errors are the list's, and INVALID_CURRENCY. */
export async function totals(
  on: Needs,
  by: Actor,
  { currency: asked, ...named }: TransactionFilter & { readonly currency?: string },
): Promise<TransactionTotals> {
  const { filter, merchant } = await scoped(on, by, named);
  const currency = asked === undefined ? merchant.currency : parseCurrency(asked);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = on.database.read(by.tenantId);
  const sums = new Map<string, Sums>();
  if (condition.countable) {
    await addCounted(read, filter, sums);
    if (filter.status === undefined || filter.status === 'pending') await addRows(read, condition, sums, PENDING);
  } else if (isSelective(filter)) {
    await addRows(read, { sql: foundByKey('transactions', condition), params: condition.params }, sums);
  } else {
    await eachSlice(read, condition, (slice) => addRows(read, slice, sums));
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
  const oldest = 'SELECT day FROM transactions WHERE tenant_id = :tenantId ORDER BY id';
  const [bounds] = await read.all<{ first: string | null; last: string | null }>(
    `SELECT (${oldest} LIMIT 1) AS first, (${oldest} DESC LIMIT 1) AS last`,
  );
  if (standings.length === 0 || !bounds?.first || !bounds.last) return;
  // At one instant it may be Monday in one merchant's zone and Wednesday in another's.
  const [earliest, latest] = [addDays(bounds.first, -2), addDays(bounds.last, 2)];
  const { merchantId, type, paymentMethod: method } = filter;
  const [, startDate = earliest] = [filter.startDate ?? '', earliest].sort();
  const [endDate = latest] = [filter.endDate ?? latest, latest].sort();
  const rows = await sumFacts(read, { facts: [...STANDINGS, 'outcome'], startDate, endDate, merchantId, type, method }, [
    'currency',
    'fact',
    'detail',
  ]);
  for (const { currency, fact, detail, measure, n } of rows) {
    if (standings.includes(fact === 'outcome' ? detail : fact)) into(sums, currency)[measure] += n;
  }
}

async function addRows(
  read: Read,
  { sql, params }: Pick<Condition, 'sql' | 'params'>,
  sums: Map<string, Sums>,
  from = 'transactions',
): Promise<void> {
  const rows = await read.all<Sums & { currency: string }>(
    `SELECT currency, count(*) AS count, sum(amount_minor) AS amount, sum(captured_minor) AS captured, sum(refunded_minor) AS refunded, coalesce(sum(fee_minor), 0) AS fees FROM ${from} WHERE ${sql} GROUP BY currency`,
    params,
  );
  for (const { currency, ...row } of rows) {
    const sum = into(sums, currency);
    for (const measure of Object.keys(sum) as Measure[]) sum[measure] += Number(row[measure]);
  }
}
