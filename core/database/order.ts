import { sql } from 'kysely';
import { assert, type IdPrefix, isId } from '#core/kernel';
import { cursorOf } from './cursor.ts';
import type { Condition } from './queries.ts';

/** Order of a list by a column, and by ID in the same direction for equal values. */
export interface ListOrder {
  readonly column: string;
  readonly isDescending: boolean;
  /** True if the column can be null. Rows without a value are the last ones in both directions, by ID. */
  readonly hasNulls?: boolean;
}

/** Place of a row in an order: the rows of the next page follow it, also if rows were added or the row was changed meanwhile. */
export interface OrderedPlace {
  /** Value of the column; the ID itself for an order by ID. */
  readonly value: string | number | null;
  readonly id: string;
}

/** The usual order of lists. IDs sort by the time of creation. */
export const NEWEST_FIRST: ListOrder = { column: 'id', isDescending: true };

/** Returns the values of the parameter `sort` for some fields: each field, and each with `-` for the reverse order. */
export const sortsOf = <Field extends string>(...fields: readonly Field[]): readonly (Field | `-${Field}`)[] =>
  fields.flatMap((field) => [field, `-${field}`] as const);

/**
 * Returns the order of a value of the parameter `sort`, which the schema of its route has checked; newest first without one.
 * @param columns Columns by the names of the fields. @param nullable Those of the columns that can be null.
 */
export function orderOf(columns: Readonly<Record<string, string>>, sort: string | undefined, nullable: readonly string[] = []): ListOrder {
  if (sort === undefined) return NEWEST_FIRST;
  const isDescending = sort.startsWith('-');
  const column = columns[isDescending ? sort.slice(1) : sort];
  assert(column !== undefined, `no order ${sort}`);
  return column === 'id' && isDescending ? NEWEST_FIRST : { column, isDescending, ...(nullable.includes(column) && { hasNulls: true }) };
}

/** Returns the condition for the rows after a place. */
export function afterPlace({ column, isDescending }: ListOrder, { value, id }: OrderedPlace): Condition {
  const operator = sql.raw(isDescending ? '<' : '>');
  return column === 'id' ? sql<boolean>`id ${operator} ${id}` : sql<boolean>`(${sql.ref(column)}, id) ${operator} (${value}, ${id})`;
}

/** Returns the place of a row of a list. */
export const placeOf = ({ column, hasNulls }: ListOrder, row: { readonly id: string }): OrderedPlace => ({
  value: (row as Readonly<Record<string, string | number | null>>)[column] ?? (hasNulls ? null : ''),
  id: row.id,
});

/** Returns the cursor of a place: its ID in an order by ID. */
export const cursorAt = ({ column }: ListOrder, { value, id }: OrderedPlace): string =>
  column === 'id' ? id : Buffer.from(JSON.stringify([column, value, id])).toString('base64url');

/** Returns the place of the cursor of a request; undefined without one. @throws ServiceError VALIDATION_ERROR if it is of another order. */
export function placeFrom(
  order: ListOrder,
  request: { readonly cursor?: string },
  ...prefixes: readonly IdPrefix[]
): OrderedPlace | undefined {
  const isOwnId = (id: string) => prefixes.some((prefix) => isId(prefix, id));
  let place: OrderedPlace | undefined;
  cursorOf(request, (cursor) => {
    place = order.column === 'id' ? { value: cursor, id: cursor } : read(order, cursor);
    return place !== undefined && isOwnId(place.id);
  });
  return place;
}

function read({ column, hasNulls = false }: ListOrder, cursor: string): OrderedPlace | undefined {
  try {
    const [named, value, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (named !== column || typeof id !== 'string') return undefined;
    if (value === null) return hasNulls ? { value, id } : undefined;
    return typeof value === 'string' || typeof value === 'number' ? { value, id } : undefined;
  } catch {
    return undefined;
  }
}
