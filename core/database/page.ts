import { type Expression, sql } from 'kysely';
import { type IdPrefix, idFloor, isId } from '#core/kernel';
import { cursorOf } from './cursor.ts';
import { afterPlace, cursorAt, type ListOrder, NEWEST_FIRST, type OrderedPlace, placeFrom, placeOf } from './order.ts';
import { type Condition, lit, type Query, rowsOf } from './queries.ts';
import { countQuery } from './row-counts.ts';
import type { StoredValue, Table, TableShape } from './table.ts';
import type { Read } from './work.ts';

/** Requested part of a list: a page by number, or the items after a cursor. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string;
  /** Order of the list: a field, or `-` and a field for the reverse order. Lists without this parameter ignore it. */
  readonly sort?: string;
  /** Limits the page to rows created in this period: ISO 8601 times, end exclusive. */
  readonly created?: { readonly from?: string; readonly until?: string };
}

/** Returns the cursor of a list whose cursors are IDs. @throws ServiceError VALIDATION_ERROR. */
export const idCursorOf = (request: Pick<PageRequest, 'cursor'>, ...prefixes: readonly IdPrefix[]): string | undefined =>
  cursorOf(request, (cursor) => prefixes.some((prefix) => isId(prefix, cursor)));

/** Longest time between the creation of an ID and of its row. */
const CREATION_MS = 3_600_000;

/** Returns the conditions for the period of a page request, with a range of the key that contains it, because IDs start with the time of creation. */
export function createdWithin({ created }: Pick<PageRequest, 'created'>, prefix: IdPrefix, alias = ''): Condition[] {
  const { from, until } = created ?? {};
  const [id, time] = [sql.ref(`${alias}id`), sql.ref(`${alias}created_at`)];
  const floorOf = (text: string, marginMs: number) => idFloor(prefix, Date.parse(text) + marginMs);
  return [
    ...(from === undefined ? [] : [sql<boolean>`${time} >= ${from}`, sql<boolean>`${id} >= ${floorOf(from, -CREATION_MS)}`]),
    ...(until === undefined ? [] : [sql<boolean>`${time} < ${until}`, sql<boolean>`${id} < ${floorOf(until, CREATION_MS)}`]),
  ];
}

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly nextCursor: string | null;
}

/** Returns the number of rows to read for a page: one more than it has, which shows whether another page follows. */
export const rowsToRead = (limit: number): number => Math.trunc(limit) + 1;

/** Returns the rows of a page and its cursor from rows that were read for it with `rowsToRead`. The last page has no cursor. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string | null,
): { items: readonly Row[]; nextCursor: string | null } {
  const items = rows.slice(0, Math.trunc(limit));
  const last = rows.length > items.length ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : cursorAfter(last) };
}

/**
 * Returns one page of a list in memory, by number or by a cursor, which names the last item of the page before. The period of the request does not
 * apply to items without `createdAt`.
 */
export function pageOf<Item>(unfiltered: readonly Item[], request: PageRequest, nameOf: (item: Item) => string): Page<Item> {
  const all = unfiltered.filter((item) => isCreatedWithin((item as { readonly createdAt?: string }).createdAt, request));
  const cursorIndex = all.findIndex((item) => nameOf(item) === request.cursor);
  const start = request.cursor === undefined ? (request.page - 1) * request.limit : cursorIndex < 0 ? all.length : cursorIndex + 1;
  const items = all.slice(start, start + request.limit);
  const last = items.at(-1);
  const nextCursor = start + request.limit < all.length && last !== undefined ? nameOf(last) : null;
  return { items, page: request.page, limit: request.limit, total: all.length, nextCursor };
}

function isCreatedWithin(createdAt: string | undefined, { created }: PageRequest): boolean {
  if (created === undefined || createdAt === undefined) return true;
  const { from = '', until } = created;
  return createdAt >= from && (until === undefined || createdAt < until);
}

/** Values of the columns of listed rows; one of several constants, or null for none. Absent columns do not narrow. */
type Filter<Row> = { readonly [Name in keyof Row]?: Row[Name] | readonly NonNullable<Row[Name]>[] | undefined };

/**
 * Returns one page of the rows that match `where` and all conditions, in an order, by default newest first, with their total. It is the one that `knownTotal`
 * returns, or is taken from the counts of the table if they contain it; otherwise rows are counted.
 */
export async function newestPage<Row extends { id: string }>(
  read: Read,
  table: Table<Row>,
  prefix: IdPrefix,
  where: Filter<NoInfer<Row>>,
  request: PageRequest,
  conditions: readonly Condition[] = [],
  knownTotal?: () => Promise<number>,
  order: ListOrder = NEWEST_FIRST,
): Promise<Page<Row>> {
  let rows = rowsOf(table);
  const filter = where as Readonly<Record<string, StoredValue | readonly StoredValue[] | undefined>>;
  for (const [column, value] of Object.entries(filter)) {
    if (value === null) rows = rows.where(column, 'is', null);
    else if (Array.isArray(value)) rows = rows.where(column, 'in', value.map(lit));
    else if (value !== undefined) rows = rows.where(column, '=', value as StoredValue);
  }
  const further = [...conditions, ...createdWithin(request, prefix)];
  for (const condition of further) rows = rows.where(condition);
  const counted = further.length === 0 ? countQuery(table, filter) : undefined;
  const after = placeFrom(order, request, prefix);
  const limit = Math.trunc(request.limit);
  const skip = after === undefined ? (Math.trunc(request.page) - 1) * limit : 0;
  const { heavy } = read;
  const [found, total] = await Promise.all([
    rowsInOrder(heavy, table, rows, order, { after, skip, limit: rowsToRead(limit) }),
    knownTotal === undefined ? totalOf(counted === undefined ? heavy : read, counted ?? count(rows)) : knownTotal(),
  ]);
  return { ...cutPage(found, limit, (row) => cursorAt(order, placeOf(order, row))), page: request.page, limit: request.limit, total };
}

const count = (rows: ReturnType<typeof rowsOf>) => rows.select(({ fn }) => fn.countAll<number>().as('n'));

const totalOf = async (read: Read, query: Query<{ n: number | string | null }>) => Number((await read.row(query))?.n ?? 0);

/**
 * Returns a range of rows in an order. Rows without a value of the column are read separately, so that one index serves both directions, and both
 * databases, which sort nulls differently, have them at the end.
 */
async function rowsInOrder<Row>(
  read: Read,
  table: Table<Row>,
  rows: ReturnType<typeof rowsOf>,
  order: ListOrder,
  { after, skip, limit }: Omit<RowRange, 'order'>,
): Promise<Row[]> {
  const { column, isDescending, hasNulls } = order;
  const part = (some: typeof rows, by: string, place: OrderedPlace | undefined, from: number, count: number) => {
    const found = rangeOfRows(table, some, { order: { column: by, isDescending }, after: place, skip: from, limit: count });
    return read.rows(found) as Promise<unknown> as Promise<Row[]>;
  };
  if (!hasNulls) return part(rows, column, after, skip, limit);
  const withoutValue = rows.where(column, 'is', null);
  if (after?.value === null) return part(withoutValue, 'id', after, skip, limit);
  const withValue = rows.where(column, 'is not', null);
  const found = await part(withValue, column, after, skip, limit);
  if (found.length === limit) return found;
  const skipped = found.length > 0 || skip === 0 ? 0 : skip - (await totalOf(read, count(withValue)));
  return [...found, ...(await part(withoutValue, 'id', undefined, skipped, limit - found.length))];
}

/** Part of a list: `limit` rows after the first `skip` rows behind a place, by default newest first. */
export interface RowRange {
  readonly order?: ListOrder;
  readonly after: OrderedPlace | undefined;
  readonly skip: number;
  readonly limit: number;
}

const allColumns = (rows: ReturnType<typeof rowsOf>) => rows.selectAll();

/** Returns the query for a range of rows of a table. Skipped rows are read from the index of the order alone, if it contains the conditions of the rows. */
export function rangeOfRows(
  table: Pick<TableShape, 'name'>,
  rows: ReturnType<typeof rowsOf>,
  { order = NEWEST_FIRST, after, skip, limit }: RowRange,
): ReturnType<typeof allColumns> {
  const direction = order.isDescending ? 'desc' : 'asc';
  const inOrder = (some: typeof rows) => (order.column === 'id' ? some : some.orderBy(order.column, direction)).orderBy('id', direction);
  const following = inOrder(after === undefined ? rows : rows.where(afterPlace(order, after)));
  if (skip === 0) return allColumns(following).limit(limit);
  const ids = following.select('id').limit(limit).offset(skip) as unknown as Expression<string>;
  return allColumns(inOrder(rowsOf(table).where('id', 'in', ids)));
}
