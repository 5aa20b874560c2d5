import { type IdPrefix, isId } from '#core/kernel';
import type { Params, Where } from './statements.ts';
import type { Table } from './table.ts';
import type { Read } from './work.ts';

/** Which part of a list: a page by number, or what follows a cursor. */
export interface PageOf {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string;
  /** Only rows that were created in this period: ISO times, the end excluded. */
  readonly created?: { readonly from?: string; readonly until?: string };
}

/** The condition of a page on the column `created_at`. */
export function createdCondition({ created }: PageOf, column = 'created_at'): Condition {
  const { from, until } = created ?? {};
  const conditions = [
    ...(from === undefined ? [] : [`${column} >= :createdFrom`]),
    ...(until === undefined ? [] : [`${column} < :createdUntil`]),
  ];
  return {
    sql: conditions.join(' AND '),
    params: { ...(from === undefined ? {} : { createdFrom: from }), ...(until === undefined ? {} : { createdUntil: until }) },
  };
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
export function pageOf<Item>(unfiltered: readonly Item[], at: PageOf, nameOf: (item: Item) => string): Page<Item> {
  const all = unfiltered.filter((item) => isCreatedWithin((item as { readonly createdAt?: string }).createdAt, at));
  const found = all.findIndex((item) => nameOf(item) === at.cursor);
  const start = at.cursor === undefined ? (at.page - 1) * at.limit : found < 0 ? all.length : found + 1;
  const items = all.slice(start, start + at.limit);
  const last = items.at(-1);
  const nextCursor = start + at.limit < all.length && last !== undefined ? nameOf(last) : null;
  return { items, page: at.page, limit: at.limit, total: all.length, nextCursor };
}

function isCreatedWithin(createdAt: string | undefined, { created }: PageOf): boolean {
  if (created === undefined || createdAt === undefined) return true;
  const { from = '', until } = created;
  return createdAt >= from && (until === undefined || createdAt < until);
}

/** A condition of its own on the rows of a list: SQL over its columns, with named parameters. */
export interface Condition {
  readonly sql: string;
  readonly params?: Params;
}

/** One page of the rows that equal a condition and fulfil another, newest first, with their total. */
export async function newestOf<Row extends { id: string }>(
  read: Read,
  of: Table<Row>,
  prefix: IdPrefix,
  where: Where<Row>,
  at: PageOf,
  also?: Condition,
): Promise<Page<Row>> {
  const named = Object.entries(where).filter(([, value]) => value !== undefined);
  const created = createdCondition(at);
  const own = [also?.sql ?? '', created.sql].filter((sql) => sql !== '');
  const conditions = ['tenant_id = :tenantId', ...named.map(([column]) => `${column} = :${column}`), ...own].join(' AND ');
  const params = { ...(Object.fromEntries(named) as Record<string, string>), ...also?.params, ...created.params };
  const after = at.cursor !== undefined && isId(prefix, at.cursor) ? at.cursor : undefined;
  const limit = Math.trunc(at.limit);
  const [items, [counted]] = await Promise.all([
    read.all<Row>(
      `SELECT ${of.columns.join(', ')} FROM ${of.name} WHERE ${conditions} ${after === undefined ? '' : 'AND id < :after'} ORDER BY id DESC LIMIT ${limit} OFFSET :offset`,
      { ...params, offset: after === undefined ? (Math.trunc(at.page) - 1) * limit : 0, ...(after === undefined ? {} : { after }) },
    ),
    read.all<{ n: number }>(`SELECT count(*) AS n FROM ${of.name} WHERE ${conditions}`, params),
  ]);
  const nextCursor = items.length === limit ? (items.at(-1)?.id ?? null) : null;
  return { items, page: at.page, limit: at.limit, total: Number(counted?.n ?? 0), nextCursor };
}
