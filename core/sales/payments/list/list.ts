import {
  type Condition,
  conditionsOn,
  type Expression,
  listOf,
  lit,
  type PageRequest,
  queriesOn,
  type Read,
  rowsOf,
  rowsToRead,
  sql,
  type Table,
  type TableShape,
  TENANT,
} from '#core/database';
import { addDays, type Currency, checkPeriod, idFloor, isoTime, PERIOD_NAMES, type Period, parseDate, startOfDate } from '#core/kernel';
import type { Channel } from '#shared/channels';
import { BANK_ACCOUNT } from '../aggregates/daily-aggregates.ts';
import { EVERY_DAY } from '../aggregates/list-counters.ts';
import {
  REFUNDS,
  type RefundStatus,
  TRANSACTION_COUNTS,
  TRANSACTIONS,
  type TransactionMethod,
  type TransactionStatus,
  type TransactionType,
} from '../schema.ts';
import { amountConditions } from './amount-limit.ts';
import { AMOUNT_COLUMNS, idsFoundBy, type Search, searchWays, wayBy } from './search.ts';

/** Filters of the transaction list. Absent fields do not filter. Dates are inclusive calendar days in the time zone of the merchant of each payment. */
export interface TransactionFilter {
  /** `settled` and `authorized` are parts of `approved`: settled payments, and authorizations that wait for their capture. */
  readonly status?: TransactionStatus | 'settled' | 'authorized';
  readonly startDate?: string;
  readonly endDate?: string;
  readonly settlementDate?: string;
  readonly settlementId?: string;
  /** Shift in which the payment was made. */
  readonly shiftId?: string;
  /** Card reader on which the customer paid. */
  readonly terminalId?: string;
  /** Email address of the person, or name of the API key, that made the payment. */
  readonly createdBy?: string;
  /** `false`: captured payments that belong to no settlement yet. */
  readonly settled?: 'true' | 'false';
  readonly type?: TransactionType;
  readonly paymentMethod?: TransactionMethod;
  readonly channel?: Channel;
  readonly refundStatus?: 'none' | 'partial' | 'full';
  readonly last4?: string;
  /** Stored card brand; `ach` for bank accounts. */
  readonly brand?: string;
  readonly declineCode?: string;
  /** First and last day of the capture. */
  readonly capturedFrom?: string;
  readonly capturedTo?: string;
  /** First and last day of a refund. */
  readonly refundedFrom?: string;
  readonly refundedTo?: string;
  /** Decimal amounts, in the currency of each payment, with at most the decimals of the merchant's. */
  readonly minAmount?: string;
  readonly maxAmount?: string;
  /** Search text: an ID, a name, last four digits, exact amount, email, order, reference or authorization code. */
  readonly q?: string;
  readonly merchantId?: string;
  readonly customerId?: string;
  /** Only these payments. */
  readonly ids?: readonly string[];
}

export interface RefundFilter {
  readonly status?: RefundStatus;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly transactionId?: string;
  readonly merchantId?: string;
}

/** Condition of a list, in addition to the tenant. */
export interface ListCondition {
  /** All conditions but the range of IDs. */
  readonly parts: readonly Condition[];
  /** True if day counters can give the total. */
  readonly countable: boolean;
  /** For a condition with others: the most selective part with its period, which is evaluated first. */
  readonly key?: readonly Condition[];
  /** Query for a few payments, by an index, that contain all payments of the condition. */
  readonly source?: Source;
  /** For a search text or a channel, if its indexes contain all other parts. */
  readonly search?: Search;
  /** Number of conditions besides tenant and period. */
  readonly narrowing: number;
  /** Range of IDs, end exclusive; undefined if it is open. SQLite reads a range by one condition for each end, and filters by any others. */
  readonly fromId?: string | undefined;
  readonly toId?: string | undefined;
}

const largest = (...ids: readonly (string | undefined)[]) =>
  ids
    .filter((id) => id !== undefined)
    .sort()
    .at(-1);
const smallest = (...ids: readonly (string | undefined)[]) =>
  ids
    .filter((id) => id !== undefined)
    .sort()
    .at(0);

/** Narrows the range of IDs of a condition. */
export function inRange(condition: ListCondition, range: Pick<ListCondition, 'fromId' | 'toId'>): ListCondition {
  return { ...condition, fromId: largest(condition.fromId, range.fromId), toId: smallest(condition.toId, range.toId) };
}

/** Returns the conditions for the range of IDs. */
export const rangeOf = ({ fromId, toId }: ListCondition): Condition[] => [
  ...(fromId === undefined ? [] : [idFrom(fromId)]),
  ...(toId === undefined ? [] : [idBelow(toId)]),
];

/** More than the largest offset of a time zone from UTC. */
const ZONES_MS = 15 * 3_600_000;

const queries = queriesOn(TRANSACTIONS, REFUNDS, TRANSACTION_COUNTS);
const transaction = conditionsOn(TRANSACTIONS);
const refund = conditionsOn(REFUNDS);

/** Separate subquery for the day, so that an index alone serves the other conditions. */
const DAY_OF_ID = queries
  .selectFrom(queries.selectFrom('transactions').select(['id as of_id', 'day as of_day']).where('tenant_id', '=', TENANT).as('days'))
  .select('of_day')
  .where(sql<boolean>`of_id = id`);

const idFrom = (id: string): Condition => sql<boolean>`id >= ${id}`;
/** Returns the condition for payments before an ID. */
export const idBelow = (id: string): Condition => sql<boolean>`id < ${id}`;

/** Collects the conditions of a list; all of them must be met. */
export class Conditions {
  readonly parts: Condition[] = [];
  /** Number of conditions for the period. */
  #period = 0;
  #key: Condition | null = null;
  #fromId: string | undefined;
  #toId: string | undefined;

  add(...parts: readonly Condition[]): void {
    this.parts.push(...parts);
  }

  /** Narrows the range of IDs. */
  from(id: string): void {
    this.#fromId = largest(this.#fromId, id);
  }

  below(id: string): void {
    this.#toId = smallest(this.#toId, id);
  }

  /**
   * Adds the condition for payments counted on days of a period, in the time zone that the merchant had at that time. A range of the key contains little
   * else; the day itself is compared only near the ends of the range.
   */
  days(filter: Period): void {
    checkPeriod(filter);
    const { startDate, endDate } = filter;
    if (startDate !== undefined) {
      const fromMs = startOfDate('UTC', startDate);
      this.from(idFloor('txn', fromMs - ZONES_MS));
      this.add(transaction.or([idFrom(idFloor('txn', fromMs + ZONES_MS)), transaction(DAY_OF_ID, '>=', startDate)]));
    }
    if (endDate !== undefined) {
      const toMs = startOfDate('UTC', addDays(endDate, 1));
      this.below(idFloor('txn', toMs + ZONES_MS));
      this.add(transaction.or([idBelow(idFloor('txn', toMs - ZONES_MS)), transaction(DAY_OF_ID, '<=', endDate)]));
    }
    this.#period = this.parts.length;
  }

  /** Adds the condition for a period. It is a range of the key, because identifiers sort by time. */
  period(prefix: 'ref' | 'rdq', timeZone: string, { startDate, endDate }: Period, names = PERIOD_NAMES): void {
    checkPeriod({ startDate, endDate }, names);
    if (startDate !== undefined) this.from(idFloor(prefix, startOfDate(timeZone, startDate)));
    if (endDate !== undefined) this.below(idFloor(prefix, startOfDate(timeZone, addDays(endDate, 1))));
  }

  /** Marks the last condition as one that an index serves and few rows meet. */
  markKey(): void {
    this.#key ??= this.parts.at(-1) ?? null;
  }

  done(countable: boolean): ListCondition {
    const narrowing = this.parts.length - this.#period;
    const key = this.#key === null || narrowing === 1 ? {} : { key: [...this.parts.slice(0, this.#period), this.#key] };
    return { parts: this.parts, countable, narrowing, fromId: this.#fromId, toId: this.#toId, ...key };
  }
}

/**
 * The columns for limits of amounts. The sign keeps SQLite, which has no statistics, from reading all payments within the limits by the index on amounts,
 * instead of the range of IDs.
 */
const LIMITED_COLUMNS = {
  ...AMOUNT_COLUMNS,
  compare: (operator: '>=' | '<=' | '=', minor: number) => transaction(sql<number>`+${transaction.ref('amount_minor')}`, operator, minor),
};

const REFUND_STATES: Readonly<Record<NonNullable<TransactionFilter['refundStatus']>, readonly Condition[]>> = {
  none: [transaction('refunded_minor', '=', lit(0))],
  partial: [transaction('refunded_minor', '>', lit(0)), transaction('refunded_minor', '<', transaction.ref('captured_minor'))],
  full: [transaction('captured_minor', '>', lit(0)), transaction('refunded_minor', '=', transaction.ref('captured_minor'))],
};

const OPEN_AUTHORIZATION = [
  transaction('type', '=', lit('auth')),
  transaction('status', '=', lit('approved')),
  transaction('captured_minor', '=', lit(0)),
];

/** Fields of a filter whose total counters and aggregates give, with the period. */
type CountedFilter = Pick<TransactionFilter, 'startDate' | 'endDate' | 'merchantId' | 'status' | 'type' | 'paymentMethod' | 'brand'>;

/** Adds the conditions for the counted fields of a filter. */
function addCounted(conditions: Conditions, filter: CountedFilter): void {
  const { merchantId, status, type, paymentMethod, brand } = filter;
  conditions.days(filter);
  if (merchantId !== undefined) conditions.add(transaction('merchant_id', '=', merchantId));
  if (status === 'settled')
    conditions.add(transaction.and([transaction('status', '=', lit('approved')), transaction('settled_at', 'is not', null)]));
  else if (status === 'authorized') conditions.add(...OPEN_AUTHORIZATION);
  else if (status !== undefined) conditions.add(transaction('status', '=', status));
  if (type !== undefined) conditions.add(transaction('type', '=', type));
  if (paymentMethod !== undefined) conditions.add(transaction('method', '=', paymentMethod));
  if (brand === BANK_ACCOUNT) conditions.add(transaction('card_brand', 'is', null));
  else if (brand !== undefined) conditions.add(transaction('card_brand', '=', brand));
}

/** Returns the condition for the counted fields of a filter only. */
export function countedCondition(filter: CountedFilter): ListCondition {
  const conditions = new Conditions();
  addCounted(conditions, filter);
  return conditions.done(filter.brand === undefined && filter.status !== 'settled' && filter.status !== 'authorized');
}

export function transactionCondition(filter: TransactionFilter, timeZone: string, currency: Currency): ListCondition {
  const conditions = new Conditions();
  const { status, settlementDate, settlementId, shiftId, refundStatus, last4, brand } = filter;
  const { merchantId, terminalId, declineCode, minAmount, maxAmount, customerId, q } = filter;
  addCounted(conditions, filter);
  const countable = status !== 'settled' && status !== 'authorized' && brand === undefined;
  const countedParts = conditions.parts.length;
  if (settlementDate !== undefined) {
    conditions.add(transaction('settlement_date', '=', parseDate(settlementDate, 'settlementDate')));
    conditions.markKey();
  }
  if (settlementId !== undefined) {
    conditions.add(transaction('settlement_id', '=', settlementId));
    conditions.markKey();
  }
  if (shiftId !== undefined) {
    conditions.add(transaction('shift_id', '=', shiftId));
    conditions.markKey();
  }
  if (terminalId !== undefined) {
    conditions.add(transaction('terminal_id', '=', terminalId));
    conditions.markKey();
  }
  if (filter.settled === 'true') conditions.add(transaction('settled_at', 'is not', null));
  if (filter.settled === 'false')
    conditions.add(
      transaction('settled_at', 'is', null),
      transaction('captured_minor', '>', lit(0)),
      transaction('status', '=', lit('approved')),
    );
  const channel = filter.channel === undefined ? [] : [transaction('channel', '=', filter.channel)];
  conditions.add(...channel);
  if (filter.createdBy !== undefined) conditions.add(transaction('created_by', '=', filter.createdBy));
  if (refundStatus !== undefined) conditions.add(...REFUND_STATES[refundStatus]);
  if (last4 !== undefined) {
    conditions.add(transaction('last4', '=', last4));
    conditions.markKey();
  }
  if (declineCode !== undefined) {
    conditions.add(transaction('decline_code', '=', declineCode));
    conditions.markKey();
  }
  capturedIn(conditions, timeZone, filter);
  refundedIn(conditions, timeZone, filter);
  if (minAmount !== undefined) conditions.add(...amountConditions(LIMITED_COLUMNS, minAmount, currency, 'minAmount'));
  if (maxAmount !== undefined) conditions.add(...amountConditions(LIMITED_COLUMNS, maxAmount, currency, 'maxAmount'));
  if (customerId !== undefined) {
    conditions.add(transaction('customer_id', '=', customerId));
    conditions.markKey();
  }
  if (filter.ids !== undefined) {
    conditions.add(transaction('id', 'in', listOf(filter.ids)));
    conditions.markKey();
  }
  const isSearch = q !== undefined && q.trim() !== '';
  const ways = isSearch ? searchWays(q) : channel.map(wayBy);
  const others = conditions.parts.filter((part) => !ways.some(({ condition }) => condition === part));
  if (isSearch) {
    conditions.add(transaction('id', 'in', idsFoundBy(ways)));
    conditions.markKey();
  }
  const condition = conditions.done(countable && conditions.parts.length === countedParts);
  const found: keyof TransactionFilter = isSearch ? 'q' : 'channel';
  const isIndexed = Object.entries(filter).every(([name, value]) => value === undefined || name === found || INDEXED_WITH_SEARCH.has(name));
  if (ways.length === 0 || !isIndexed) return condition;
  const range = rangeOf(condition);
  const ofMerchant = merchantId === undefined ? range : [...range, transaction('merchant_id', '=', merchantId)];
  return { ...condition, search: { ways, within: [...range, ...others], ofMerchant } };
}

/** Fields whose columns the indexes of a search contain, besides its own. */
const INDEXED_WITH_SEARCH: ReadonlySet<string> = new Set<keyof TransactionFilter>(['merchantId', 'startDate', 'endDate']);

/** Longer than the lifetime of an authorization: the largest time between creation and capture. */
const CAPTURE_AFTER_DAYS = 31;

/** Adds the condition for payments that were captured within a period and are still captured. */
function capturedIn(conditions: Conditions, timeZone: string, { capturedFrom, capturedTo }: TransactionFilter): void {
  if (capturedFrom === undefined && capturedTo === undefined) return;
  checkPeriod({ startDate: capturedFrom, endDate: capturedTo }, { start: 'capturedFrom', end: 'capturedTo' });
  conditions.add(transaction('captured_minor', '>', lit(0)));
  if (capturedFrom !== undefined) {
    const madeFromMs = startOfDate(timeZone, addDays(capturedFrom, -CAPTURE_AFTER_DAYS));
    conditions.from(idFloor('txn', madeFromMs));
    conditions.add(transaction('captured_at', '>=', isoTime(startOfDate(timeZone, capturedFrom))));
  }
  if (capturedTo !== undefined) {
    const toMs = startOfDate(timeZone, addDays(capturedTo, 1));
    conditions.below(idFloor('txn', toMs));
    conditions.add(transaction('captured_at', '<', isoTime(toMs)));
  }
}

/** Adds the condition for payments with an approved refund within a period. */
function refundedIn(conditions: Conditions, timeZone: string, { refundedFrom, refundedTo }: TransactionFilter): void {
  if (refundedFrom === undefined && refundedTo === undefined) return;
  checkPeriod({ startDate: refundedFrom, endDate: refundedTo }, { start: 'refundedFrom', end: 'refundedTo' });
  let refunds = queries
    .selectFrom('refunds')
    .select('transaction_id')
    .where('tenant_id', '=', TENANT)
    .where('status', '=', lit('approved'));
  if (refundedFrom !== undefined) refunds = refunds.where(idFrom(idFloor('ref', startOfDate(timeZone, refundedFrom))));
  if (refundedTo !== undefined) refunds = refunds.where(idBelow(idFloor('ref', startOfDate(timeZone, addDays(refundedTo, 1)))));
  conditions.add(transaction('id', 'in', refunds));
  conditions.markKey();
}

export function refundCondition({ merchantId, status, transactionId, ...period }: RefundFilter, timeZone: string): ListCondition {
  const conditions = new Conditions();
  conditions.period('ref', timeZone, period);
  if (merchantId !== undefined) conditions.add(refund('merchant_id', '=', merchantId));
  if (status !== undefined) conditions.add(refund('status', '=', status));
  if (transactionId !== undefined) conditions.add(refund('transaction_id', '=', transactionId));
  return conditions.done(false);
}

type Rows = ReturnType<typeof rowsOf>;
/** Returns the query for payments with their columns of an index, within a range of IDs; those of a query for IDs only need no other column. */
export type Source = (range: readonly Condition[], isOfIds?: boolean) => Rows;
const withConditions = (rows: Rows, parts: readonly Condition[]): Rows => parts.reduce((narrowed, part) => narrowed.where(part), rows);

/**
 * Returns the newest rows of a condition below an ID. SQLite has no statistics and would read through all of a period, so the other
 * conditions are a subquery on a covering index. Skipped rows are skipped on the index alone.
 */
export function newestRows(
  table: TableShape,
  condition: ListCondition,
  at: { below?: string | undefined; limit: number; offset?: number },
): Rows {
  const { below, limit, offset = 0 } = at;
  const narrowed = inRange(condition, { toId: below });
  const page = (rows: Rows) => (offset === 0 ? rows.limit(limit) : rows.limit(limit).offset(offset));
  if (condition.key !== undefined && condition.source === undefined) return page(rowsMatching(table, narrowed).orderBy('id', 'desc'));
  const all = rowsMatching(table, narrowed);
  if (condition.narrowing === 0 && condition.source === undefined && offset === 0) return page(all.orderBy('id', 'desc'));
  return rowsOf(table)
    .where('id', 'in', page(all.select('id').orderBy('id', 'desc') as unknown as Rows) as unknown as Expression<string>)
    .orderBy('id', 'desc');
}

/** Returns the query for the rows of a condition. Its source or its most selective part is evaluated first. */
export function rowsMatching(table: TableShape, condition: ListCondition): Rows {
  const { parts, key, source } = condition;
  const range = rangeOf(condition);
  if (source !== undefined) return withConditions(source(range), parts);
  if (key === undefined) return withConditions(rowsOf(table), [...range, ...parts]);
  const found = withConditions(rowsOf(table), [...range, ...key]).select('id') as unknown as Expression<string>;
  return withConditions(rowsOf(table).where('id', 'in', found), parts);
}

/** Returns the rows of one page, newest first, and one more if another page follows. */
export async function pageOf<Row>(
  read: Read,
  table: Table<Row>,
  condition: ListCondition,
  { page, limit: requestedLimit, cursor }: PageRequest,
): Promise<Row[]> {
  const limit = Math.trunc(requestedLimit);
  const offset = cursor === undefined ? (Math.trunc(page) - 1) * limit : 0;
  return (await read.rows(
    newestRows(table, condition, { below: cursor, limit: rowsToRead(limit), offset }).selectAll(),
  )) as unknown as Row[];
}

export async function countOf(read: Read, table: TableShape, condition: ListCondition): Promise<number> {
  const row = await read.row(rowsMatching(table, condition).select(({ fn }) => fn.countAll<number>().as('n')));
  return Number(row?.n ?? 0);
}

/** All pending payments. The limit keeps SQLite, which has no statistics, from using the index of another condition, such as the merchant. */
const PENDING = queries
  .selectFrom('transactions')
  .selectAll()
  .where('tenant_id', '=', TENANT)
  .where('status', '=', lit('pending'))
  .orderBy('id', 'desc')
  .limit(Number.MAX_SAFE_INTEGER);

/** Returns the query for the pending payments of a condition, which are few. */
export const pendingRows = (condition: ListCondition) =>
  [...rangeOf(condition), ...condition.parts].reduce((rows, part) => rows.where(part), queries.selectFrom(PENDING.as('pending')));

const FIRST_DAY = '0';

/** Returns the total of a filter from day counters, plus the few pending payments. */
export async function countByDays(read: Read, filter: TransactionFilter, condition: ListCondition): Promise<number> {
  const { merchantId, status, type, paymentMethod, startDate, endDate } = filter;
  let counts = queries.selectFrom('transaction_counts').where('tenant_id', '=', TENANT);
  if (merchantId !== undefined) counts = counts.where('merchant_id', '=', merchantId);
  if (status !== undefined) counts = counts.where('status', '=', status);
  if (type !== undefined) counts = counts.where('type', '=', type);
  if (paymentMethod !== undefined) counts = counts.where('method', '=', paymentMethod);
  if (startDate === undefined && endDate === undefined) counts = counts.where('day', '=', lit(EVERY_DAY));
  else counts = counts.where('day', '>=', startDate ?? FIRST_DAY);
  if (endDate !== undefined) counts = counts.where('day', '<=', endDate);
  const counted = await read.row(counts.select(({ fn }) => fn.sum<number | null>('n').as('n')));
  const total = Number(counted?.n ?? 0);
  if (status !== undefined && status !== 'pending') return total;
  const pending = await read.row(pendingRows(condition).select(({ fn }) => fn.countAll<number>().as('n')));
  return total + Number(pending?.n ?? 0);
}
