import { sql } from 'kysely';
import { lit, type Query, rowsOf } from './queries.ts';
import type { Params } from './statements.ts';
import { countedTables, integer, type StoredValue, type TableShape, table, text } from './table.ts';
import type { Writer } from './work.ts';

const VALUES = ['value1', 'value2', 'value3'] as const;

/**
 * Numbers of the rows of counted tables, by the values of up to three of their columns, for the totals of lists. Each commit changes them with its rows. A
 * missing value is an empty text.
 */
export const ROW_COUNTS = table(
  'row_counts',
  { tenant_id: text, table_name: text, value1: text, value2: text, value3: text, n: integer },
  { key: ['tenant_id', 'table_name', ...VALUES] },
);

/** Adds to the count of the rows like this one; does nothing if the row is not counted. */
export function countRow(writer: Pick<Writer, 'count'>, { name, counts }: TableShape, row: object, delta: 1 | -1): void {
  const values = row as Params;
  if (counts === undefined || (counts.unless !== undefined && values[counts.unless] !== null)) return;
  const [value1 = '', value2 = '', value3 = ''] = counts.by.map((column) => String(values[column]));
  writer.count(ROW_COUNTS, { tenant_id: String(values.tenant_id), table_name: name, value1, value2, value3 }, delta);
}

/** Moves a changed row to its new count. `Work.update` does this itself; guarded updates do not know the row before. */
export function recountRow(writer: Pick<Writer, 'count'>, table: TableShape, before: object, after: object): void {
  countRow(writer, table, before, -1);
  countRow(writer, table, after, 1);
}

/** Returns true if a table is counted by a column of a change. */
export const changesCounts = ({ counts }: TableShape, set: object): boolean =>
  counts !== undefined && [...counts.by, counts.unless].some((column) => column !== undefined && (set as Params)[column] !== undefined);

/** Returns the query for the number of rows with these values of columns; undefined if the counts of the table do not contain it. */
export function countQuery(
  { name, counts }: TableShape,
  where: Readonly<Record<string, StoredValue | readonly StoredValue[] | undefined>>,
): Query<{ n: number | string | null }> | undefined {
  const conditions = Object.entries(where).filter(([column, value]) => value !== undefined && column !== counts?.unless);
  if (counts === undefined || (counts.unless !== undefined && where[counts.unless] !== null)) return;
  if (conditions.some(([column, value]) => value === null || !counts.by.includes(column))) return;
  let rows = rowsOf(ROW_COUNTS).where('table_name', '=', lit(name));
  for (const [column, value] of conditions) {
    const named = VALUES[counts.by.indexOf(column)] as string;
    rows = Array.isArray(value) ? rows.where(named, 'in', value.map(lit)) : rows.where(named, '=', value as StoredValue);
  }
  return rows.select(sql<number | string | null>`sum(n)`.as('n'));
}

/** Returns the SQL for all counts and that for all counted rows, with the columns `tenant_id`, `about` and `amount`, so that they can be compared. */
export function countComparison(): { readonly counts: string; readonly rows: string } {
  const rows = [...countedTables].map(([name, { by, unless }]) => {
    const values = VALUES.map((_, index) => by[index] ?? "''").join(" || ' ' || ");
    return `SELECT tenant_id, '${name} ' || ${values} AS about, 1 AS amount FROM ${name}${unless === undefined ? '' : ` WHERE ${unless} IS NULL`}`;
  });
  return {
    counts: `SELECT tenant_id, table_name || ' ' || ${VALUES.join(" || ' ' || ")} AS about, n AS amount FROM row_counts`,
    rows: rows.join(' UNION ALL '),
  };
}
