import { sql } from 'kysely';
import { type IdPrefix, isId } from '#core/kernel';
import { type Condition, rowsOf } from './queries.ts';
import type { Where } from './statements.ts';
import type { StoredValue, Table } from './table.ts';
import type { Read } from './work.ts';

/** Which part of a list: a page by number, or what follows a cursor. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string;
  /** Limits the page to rows created in this period: ISO 8601 times, end exclusive. */
  readonly created?: { readonly from?: string; readonly until?: string };
}

/** The conditions of a page on the column `created_at` of a table, or of its alias. */
export function createdWithin({ created }: PageRequest, column = 'created_at'): Condition[] {
  const { from, until } = created ?? {};
  return [
    ...(from === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${from}`]),
    ...(until === undefined ? [] : [sql<boolean>`${sql.ref(column)} < ${until}`]),
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

/** Returns one page of a list that is in memory, by a cursor that names its last item or by number. Items without `createdAt` ignore the period of the page. */
export function pageOf<Item>(unfiltered: readonly Item[], at: PageRequest, nameOf: (item: Item) => string): Page<Item> {
  const all = unfiltered.filter((item) => isCreatedWithin((item as { readonly createdAt?: string }).createdAt, at));
  const found = all.findIndex((item) => nameOf(item) === at.cursor);
  const start = at.cursor === undefined ? (at.page - 1) * at.limit : found < 0 ? all.length : found + 1;
  const items = all.slice(start, start + at.limit);
  const last = items.at(-1);
  const nextCursor = start + at.limit < all.length && last !== undefined ? nameOf(last) : null;
  return { items, page: at.page, limit: at.limit, total: all.length, nextCursor };
}

function isCreatedWithin(createdAt: string | undefined, { created }: PageRequest): boolean {
  if (created === undefined || createdAt === undefined) return true;
  const { from = '', until } = created;
  return createdAt >= from && (until === undefined || createdAt < until);
}

/** Returns one page of the rows that equal `where` and fulfil every other condition, newest first, with their total. */
export async function newestPage<Row extends { id: string }>(
  read: Read,
  of: Table<Row>,
  prefix: IdPrefix,
  where: Where<NoInfer<Row>>,
  at: PageRequest,
  also: readonly Condition[] = [],
): Promise<Page<Row>> {
  let rows = rowsOf(of);
  for (const [column, value] of Object.entries(where)) if (value !== undefined) rows = rows.where(column, '=', value as StoredValue);
  for (const condition of [...also, ...createdWithin(at)]) rows = rows.where(condition);
  const after = at.cursor !== undefined && isId(prefix, at.cursor) ? at.cursor : undefined;
  const page = (after === undefined ? rows : rows.where('id', '<', after)).selectAll().orderBy('id', 'desc');
  const limit = Math.trunc(at.limit);
  const [items, counted] = await Promise.all([
    read.rows(page.limit(limit).offset(after === undefined ? (Math.trunc(at.page) - 1) * limit : 0)) as Promise<unknown> as Promise<Row[]>,
    read.row(rows.select(({ fn }) => fn.countAll<number>().as('n'))),
  ]);
  const nextCursor = items.length === limit ? (items.at(-1)?.id ?? null) : null;
  return { items, page: at.page, limit: at.limit, total: Number(counted?.n ?? 0), nextCursor };
}
