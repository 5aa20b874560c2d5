import { type Condition, conditionsOn, type Expression, type Query, queriesOn, type Read, rowsOf, sql, TENANT } from '#core/database';
import { assert } from '#core/kernel';
import { NAME_COLUMNS, nameRanges } from '../aggregates/name-keys.ts';
import { ATTEMPTS, REFUNDS, TRANSACTIONS } from '../schema.ts';
import { isAmountText, searchedAmount } from './amount-limit.ts';

const queries = queriesOn(TRANSACTIONS, REFUNDS, ATTEMPTS);
const transaction = conditionsOn(TRANSACTIONS);
/** The columns that conditions on amounts compare. */
export const AMOUNT_COLUMNS = {
  compare: (operator: '>=' | '<=' | '=', minor: number) => transaction('amount_minor', operator, minor),
  isIn: (operator: 'in' | 'not in', codes: readonly string[]) => transaction('currency', operator, codes),
  and: (conditions: readonly Condition[]) => transaction.and(conditions),
  or: (conditions: readonly Condition[]) => transaction.or(conditions),
};

const ofTenant = queries.selectFrom('transactions').where('tenant_id', '=', TENANT);

const queryOf = (condition: Condition) => ofTenant.where(condition).select(['transactions.id', 'transactions.merchant_id']);

/** One way to find payments, by an index. */
export interface Way {
  readonly condition: Condition;
  /** Query for the IDs of all payments that meet the condition, with their merchants. */
  readonly found: ReturnType<typeof queryOf>;
}
export const wayBy = (condition: Condition): Way => ({ condition, found: queryOf(condition) });

/** Returns the way by the operations of payments, which are few. With the condition alone, SQLite could read an index of all payments instead. */
function wayByOperations(table: 'attempts' | 'refunds', condition: Condition): Way {
  const operations = queries.selectFrom(table).where('tenant_id', '=', TENANT).where(condition);
  const found = queries
    .selectFrom(operations.select('transaction_id').limit(Number.MAX_SAFE_INTEGER).as('operations'))
    .innerJoin('transactions', 'transactions.id', 'operations.transaction_id')
    .where('transactions.tenant_id', '=', TENANT)
    .select(['transactions.id', 'transactions.merchant_id']);
  return { condition: transaction('id', 'in', operations.select('transaction_id')), found: found as unknown as Way['found'] };
}

/** A search for payments that one of several ways finds, and that meet all parts. */
export interface Search {
  readonly ways: readonly Way[];
  readonly within: readonly Condition[];
  /** The parts that name a merchant and a range of IDs, which an index in the order of the IDs contains. */
  readonly ofMerchant: readonly Condition[];
}

/** Columns of the conditions. */
const SEARCHED_COLUMNS = [
  'order_key',
  'auth_code',
  'amount_minor',
  'currency',
  'last4',
  'customer_email',
  'channel',
  ...NAME_COLUMNS,
] as const;

/**
 * Returns the ways to find the payments of a search text. It may be everything that a receipt or a screen shows of a payment: an ID, also of a refund, an email
 * address, the last four digits, an exact amount, or, in upper or lower case, the beginning of a word of the customer's name, an order number, a reference or an
 * authorization code.
 */
export function searchWays(text: string): Way[] {
  const q = text.trim();
  const [lower, codes] = [q.toLowerCase(), [...new Set([q, q.toUpperCase()])]];
  if (lower.startsWith('txn_')) return [wayBy(transaction('id', '=', lower))];
  if (q.includes('@')) return [wayBy(transaction('customer_email', '=', lower))];
  return [
    wayBy(transaction('order_key', '=', lower)),
    wayBy(transaction('auth_code', 'in', codes)),
    wayByOperations('attempts', conditionsOn(ATTEMPTS)('processor_ref', 'in', codes)),
    ...(lower.startsWith('ref_') ? [wayByOperations('refunds', conditionsOn(REFUNDS)('id', '=', lower))] : []),
    ...(isAmountText(q) ? searchedAmount(AMOUNT_COLUMNS, q) : []).map(wayBy),
    ...nameRanges(q).flatMap(({ from, to }) =>
      NAME_COLUMNS.map((column) => wayBy(transaction.and([transaction(column, '>=', from), transaction(column, '<', to)]))),
    ),
    ...(/^\d{4}$/.test(q) ? [wayBy(transaction('last4', '=', q))] : []),
  ];
}

/** Returns the query for the IDs of the payments that one of the ways finds, some of them repeatedly. */
export const idsFoundBy = (ways: readonly Way[]) =>
  union(ways.map(({ found }) => queries.selectFrom(found.as('matching')).select('matching.id')));

/** Payments that are looked up in the time in which one is found again among those of the other ways. */
const LOOK_UP_COST = 3;

/**
 * Returns the query for the IDs of the payments that a way finds and that meet all parts. The limit keeps SQLite, which has no statistics, from using the index of
 * another part, such as the merchant.
 */
function idsOf({ found }: Way, within: readonly Condition[]) {
  const matching = found.limit(Number.MAX_SAFE_INTEGER).as('matching');
  return within.reduce((rows, part) => rows.where(part), queries.selectFrom(matching).select('matching.id'));
}

type Ids = ReturnType<typeof idsOf>;
const union = ([first, ...others]: readonly Ids[]): Ids => {
  assert(first !== undefined, 'a search has a way');
  return others.reduce((all, other) => all.unionAll(other), first);
};

/**
 * Returns the number of payments of a search. Each way is counted by its index alone. Payments that several ways find are looked for among those of all ways
 * but the largest one, which are usually few.
 */
export async function countFound(read: Read, { ways, within }: Search): Promise<number> {
  const counts = await read.row(
    queries.selectNoFrom(() =>
      ways.map((way, index) =>
        queries
          .selectFrom(idsOf(way, within).as('found'))
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .as(`n${index}`),
      ),
    ),
  );
  const counted = ways.map((way, index) => ({ way, count: Number(counts?.[`n${index}`] ?? 0) }));
  const [largest, ...others] = counted.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count);
  if (largest === undefined) return 0;
  const rest = others.reduce((sum, { count }) => sum + count, 0);
  if (rest === 0) return largest.count;
  if (rest * LOOK_UP_COST > largest.count) {
    const all = queries.selectFrom(union(ways.map((way) => idsOf(way, within))).as('found'));
    return Number((await read.row(all.select(({ fn }) => fn.count<number>('id').distinct().as('n'))))?.n ?? 0);
  }
  const ids = union(others.map(({ way }) => idsOf(way, within)));
  const further = ofTenant.where('id', 'in', ids).where(sql<boolean>`(${largest.way.condition}) IS NOT TRUE`);
  return largest.count + Number((await read.row(further.select(({ fn }) => fn.countAll<number>().as('n'))))?.n ?? 0);
}

/** Total from which the rows of a page are looked for among the newest payments first, without an index of the search. */
export const MANY = 20_000;
/** Number of payments, for each row of a page, among which the rows are looked for first. */
const NEWEST_PER_ROW = 200;

/** Part of a search: rows before an ID, newest first. */
interface FoundRange {
  readonly below: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** Returns rows of a search with `total` payments, newest first. */
export async function newestFound<Row>(
  read: Read,
  { ways, within, ofMerchant }: Search,
  { below, skip, limit }: FoundRange,
  select: (rows: ReturnType<typeof rowsOf>) => Query<object>,
  total: number,
): Promise<Row[]> {
  const last = skip + limit;
  const older = below === undefined ? [] : [sql<boolean>`id < ${below}`];
  const rowsWith = async (ids: Ids) => {
    const found = ids.orderBy('id', 'desc').limit(sql<number>`${limit}`).offset(skip) as unknown as Expression<string>;
    return (await read.rows(select(rowsOf(TRANSACTIONS).where('id', 'in', found).orderBy('id', 'desc')))) as Row[];
  };
  if (total >= MANY) {
    const newest = [...ofMerchant, ...older]
      .reduce((rows, part) => rows.where(part), ofTenant)
      .select(['id', 'merchant_id', ...SEARCHED_COLUMNS])
      .orderBy('id', 'desc')
      .limit(sql<number>`${last * NEWEST_PER_ROW}`);
    const among = [transaction.or(ways.map(({ condition }) => condition)), ...within].reduce(
      (rows, part) => rows.where(part),
      queries.selectFrom(newest.as('newest')),
    );
    const rows = await rowsWith(among.select('id') as unknown as Ids);
    if (rows.length === limit) return rows;
  }
  const newest = ways.map((way) =>
    queries
      .selectFrom(
        idsOf(way, [...within, ...older])
          .orderBy('id', 'desc')
          .limit(sql<number>`${last}`)
          .as('newest'),
      )
      .select('id'),
  );
  return rowsWith(
    queries
      .selectFrom(union(newest as unknown as Ids[]).as('found'))
      .select('id')
      .distinct() as unknown as Ids,
  );
}
