import { lit, queriesOn, TENANT } from '#core/database';
import { type Currency, type Money, money, subtract } from '#core/kernel';
import {
  type AggregateColumn,
  type AggregateKind,
  type AggregateSum,
  BANK_ACCOUNT,
  type Measure,
  READABLE_TRANSACTIONS,
  sumDailyAggregates,
} from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';

/** A sum of daily aggregates in the form of the reports. `pending` payments are not in the aggregates yet. */
export type DailyAggregate = Pick<
  AggregateSum<'fact' | 'type' | 'detail' | 'currency' | 'method' | 'brand'>,
  'type' | 'detail' | 'currency' | 'measure' | 'n'
> & {
  readonly fact: AggregateKind | 'pending';
  readonly day?: string;
  readonly brand?: string;
  readonly merchant_id?: string;
  readonly method?: string;
};

/** Selects the rows of a sum. */
interface RowSelection {
  readonly fact: DailyAggregate['fact'] | readonly DailyAggregate['fact'][];
  readonly detail?: string;
  readonly measure?: Measure;
}

/** Returns the sum of rows; the measure defaults to `count`. */
export function sum(rows: readonly DailyAggregate[], { fact, detail, measure = 'count' }: RowSelection): number {
  const facts: readonly string[] = typeof fact === 'string' ? [fact] : fact;
  let total = 0;
  for (const row of rows) {
    if (row.measure === measure && facts.includes(row.fact) && (detail === undefined || row.detail === detail)) total += row.n;
  }
  return total;
}

/** Returns the amount of the selected rows, in the report's currency. */
export function amountOf(rows: readonly DailyAggregate[], currency: Currency, ...facts: DailyAggregate['fact'][]): Money {
  return money(sum(rows, { fact: facts, measure: 'amount' }), currency);
}

/** Returns captures less canceled captures, each by its own day. */
export function grossOf(rows: readonly DailyAggregate[], currency: Currency): Money {
  const gross = sum(rows, { fact: 'capture', measure: 'amount' }) - sum(rows, { fact: 'capture_reversed', measure: 'amount' });
  return money(gross, currency);
}

/** Returns the number of captures and tenders less canceled captures, each by its own day. */
export const paymentsCountOf = (rows: readonly DailyAggregate[]): number =>
  sum(rows, { fact: 'capture' }) - sum(rows, { fact: 'capture_reversed' });

/** Returns the number of sales: payments without the further ones of orders (decision record 208). */
export const salesCountOf = (rows: readonly DailyAggregate[]): number => paymentsCountOf(rows) - sum(rows, { fact: 'further_payment' });

/** Returns gift cards that were sold less what was taken back of them. They count as sales when they pay. */
export function giftCardsSoldOf(rows: readonly DailyAggregate[], currency: Currency): Money {
  return subtract(amountOf(rows, currency, 'gift_card_sold'), amountOf(rows, currency, 'gift_card_taken_back'));
}

/** Returns the number of declines by code, most frequent first. */
export function declinesOf(rows: readonly DailyAggregate[]): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.fact === 'decline' && row.measure === 'count') counts.set(row.detail, (counts.get(row.detail) ?? 0) + row.n);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([code, count]) => ({ code, count }))
    .sort((left, right) => right.count - left.count || (left.code < right.code ? -1 : 1));
}

/** Returns the number of rows in other currencies that a report leaves out. */
export function othersOf(
  rows: readonly DailyAggregate[],
  currency: Currency,
  facts: readonly DailyAggregate['fact'][],
): { currency: string; count: number }[] {
  const others = Map.groupBy(
    rows.filter((row) => row.currency !== currency),
    (row) => row.currency,
  );
  return [...others]
    .map(([other, ownRows]) => ({ currency: other, count: sum(ownRows, { fact: facts }) }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count || (left.currency < right.currency ? -1 : 1));
}

interface Period {
  readonly tenantId: string;
  readonly merchantId: string | undefined;
  readonly startDate: string;
  readonly endDate: string;
}

/** Returns the daily aggregates of a period, grouped by the named columns. */
export function readDailyAggregates<Column extends AggregateColumn>(
  deps: Dependencies,
  { tenantId, ...period }: Period,
  facts: readonly AggregateKind[],
  columns: readonly Column[],
): Promise<AggregateSum<Column>[]> {
  return sumDailyAggregates(deps.database.read(tenantId).heavy, { ...period, facts }, columns);
}

const queries = queriesOn(READABLE_TRANSACTIONS);

/** Largest number of pending payments that are read; there are never that many. */
const PENDING_MAX = 10_000;

/** Returns the pending payments of a period, read by the index of their status. */
export async function readPending(deps: Dependencies, { tenantId, merchantId, startDate, endDate }: Period): Promise<DailyAggregate[]> {
  const waiting = queries
    .selectFrom('transactions')
    .select(['merchant_id', 'day', 'currency', 'type', 'method'])
    .select(({ fn }) => fn.coalesce('card_brand', lit(BANK_ACCOUNT)).as('brand'))
    .where('tenant_id', '=', TENANT)
    .where('status', '=', lit('pending'))
    .orderBy('id', 'desc')
    .limit(PENDING_MAX);
  let pending = queries.selectFrom(waiting.as('pending')).selectAll().where('day', '>=', startDate).where('day', '<=', endDate);
  if (merchantId !== undefined) pending = pending.where('merchant_id', '=', merchantId);
  const rows = await deps.database.read(tenantId).rows(pending);
  return rows.map((row) => ({ ...row, fact: 'pending', detail: '', measure: 'count', n: 1 }));
}
