import { type Expression, sql } from 'kysely';
import { assert } from '#core/kernel';
import { type Condition, rowsOf } from './queries.ts';
import type { TableShape } from './table.ts';
import type { Read } from './work.ts';

/**
 * Returns the condition for the rows that a search text finds: by an exact value, such as a number, or by a condition that many rows may meet, such as the
 * name of a customer; `broad` is null if the text can't be one. Usually only one of both finds rows. It is then the only condition, so that the rows are
 * counted and read in their order by its index. For an `or` of all, PostgreSQL would read the whole table.
 */
export async function searchCondition(
  read: Read,
  table: Pick<TableShape, 'name'>,
  exact: readonly Condition[],
  broad: Condition | null,
): Promise<Condition> {
  const idsOf = (condition: Condition) => rowsOf(table).select('id').where(condition);
  const [first, ...others] = exact.map(idsOf);
  assert(first !== undefined, 'a search has an exact condition');
  // Each query of a union uses its own index, also on SQLite, which has no statistics.
  const ids = others.reduce((all, other) => all.unionAll(other), first);
  const found = await read.row(ids.limit(1));
  if (found === null) return broad ?? sql<boolean>`1 = 0`;
  return sql<boolean>`id in (${(broad === null ? ids : ids.unionAll(idsOf(broad))) as unknown as Expression<string>})`;
}
