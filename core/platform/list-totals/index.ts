import { type Condition, type Read, rowsOf, type TableShape } from '#core/database';
import { type Currency, money } from '#core/kernel';
import { amount, count, currencyCode, type RecordOf, record } from '#core/platform/fields';

/** Rows of the filter of a list in one currency. */
export const ListTotal = record('ListTotal', {
  currency: currencyCode(),
  count: count('Number of records of the filter', 57),
  amount: amount('Sum of their amounts', 4812.1),
});
export type ListTotal = RecordOf<typeof ListTotal>;

/** Returns the totals of sums by currency, the currency with most records first. Currencies without a record are left out. */
export const listTotals = (
  sums: Iterable<readonly [currency: string, sum: { readonly count: number; readonly minor: number }]>,
): ListTotal[] =>
  [...sums]
    .filter(([, sum]) => sum.count > 0)
    .map(([currency, sum]) => ({ currency: currency as Currency, count: sum.count, amount: money(sum.minor, currency as Currency) }))
    .sort((left, right) => right.count - left.count);

/** Counts the rows of a table that meet all conditions, and sums their `amount_minor`, by currency. */
export async function totalsOf(read: Read, table: TableShape, conditions: readonly Condition[]): Promise<ListTotal[]> {
  const rows = (await read.heavy.rows(
    conditions
      .reduce((narrowed, condition) => narrowed.where(condition), rowsOf(table))
      .select(({ fn }) => ['currency', fn.countAll<number>().as('n'), fn.sum<number>('amount_minor').as('minor')])
      .groupBy('currency'),
  )) as unknown as { currency: string; n: number; minor: number | null }[];
  return listTotals(rows.map(({ currency, n, minor }) => [currency, { count: Number(n), minor: Number(minor ?? 0) }] as const));
}
