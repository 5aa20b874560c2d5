import type { PageOf, Params, Read, Table } from '#core/database';
import { addDays, type Currency, exponentOf, idFloor, isoTime, parseDate, parseMoney, ServiceError, startOfDate } from '#core/kernel';
import { EVERY_DAY } from '../aggregates/counts.ts';
import { BANK_ACCOUNT } from '../aggregates/facts.ts';
import { TRANSACTIONS } from '../schema.ts';
import type { RefundStatus, TransactionMethod, TransactionStatus, TransactionType } from '../transaction.ts';

/** Filters of the transaction list; absent ones do not narrow it. Dates are inclusive calendar days, each payment's in its merchant's zone. */
export interface TransactionFilter {
  readonly status?: TransactionStatus | 'settled';
  readonly startDate?: string;
  readonly endDate?: string;
  readonly settlementDate?: string;
  readonly settlementId?: string;
  /** `false` names what was captured and belongs to no settlement yet. */
  readonly settled?: 'true' | 'false';
  readonly type?: TransactionType;
  readonly paymentMethod?: TransactionMethod;
  readonly refundStatus?: 'none' | 'partial' | 'full';
  readonly last4?: string;
  /** As the card's record has it; `ach` names the bank accounts. */
  readonly brand?: string;
  readonly declineCode?: string;
  /** Days on which it was captured. */
  readonly capturedFrom?: string;
  readonly capturedTo?: string;
  /** Days on which money of it went back. */
  readonly refundedFrom?: string;
  readonly refundedTo?: string;
  /** Decimal amounts in the merchant's currency. */
  readonly minAmount?: string;
  readonly maxAmount?: string;
  /** One box: an id, last four, exact amount, e-mail or order, told apart by its form. */
  readonly q?: string;
  readonly merchantId?: string;
  readonly customerId?: string;
}

export interface RefundFilter {
  readonly status?: RefundStatus;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly transactionId?: string;
  readonly merchantId?: string;
}

export interface Condition {
  readonly sql: string;
  readonly params: Params;
  /** Whether day counters can give the total. */
  readonly countable: boolean;
  /** Of a condition with others beside it: the rare thing that is asked for, with the period, to be found first. */
  readonly key?: string;
  /** How many things are asked for beside tenant and period. */
  readonly narrowing?: number;
}

/** Checks a period; `endDate` before `startDate` is VALIDATION_ERROR. */
export function checkPeriod(filter: PeriodOf, names = PERIOD_NAMES): void {
  if (filter.startDate !== undefined) parseDate(filter.startDate, names.start);
  if (filter.endDate !== undefined) parseDate(filter.endDate, names.end);
  if (filter.startDate !== undefined && filter.endDate !== undefined && filter.endDate < filter.startDate) {
    throw new ServiceError('VALIDATION_ERROR', `${names.end} must not be before ${names.start}.`, { field: names.end });
  }
}

interface PeriodOf {
  readonly startDate?: string;
  readonly endDate?: string;
}

/** How the caller spells the ends of a period. */
const PERIOD_NAMES = { start: 'startDate', end: 'endDate' };

/** Longer than any zone is before or behind UTC. */
const ZONES_MS = 15 * 3_600_000;

/** Looked up by itself, so that whatever else is asked for is still found on an index alone. */
const DAY_OF_ID =
  '(SELECT of_day FROM (SELECT id AS of_id, day AS of_day FROM transactions WHERE tenant_id = :tenantId) AS days WHERE of_id = id)';

/** The conditions of a list, joined as they are added. */
export class Conditions {
  readonly parts = ['tenant_id = :tenantId'];
  /** As many of them as name tenant and period. */
  #period = 1;
  #key: string | null = null;
  readonly params: Record<string, string | number> = {};

  add(sql: string, name?: string, value?: string | number): void {
    this.parts.push(sql);
    if (name !== undefined && value !== undefined) this.params[name] = value;
  }

  /**
   * Payments of the days under which they are counted, each in the zone that its merchant had then. A range of the key holds them and little else; only near
   * its ends is the day itself looked at.
   */
  days(filter: PeriodOf): void {
    checkPeriod(filter);
    if (filter.startDate !== undefined) {
      const fromMs = startOfDate('UTC', filter.startDate);
      this.add('id >= :fromId', 'fromId', idFloor('txn', fromMs - ZONES_MS));
      this.add(`(id >= :surelyFromId OR ${DAY_OF_ID} >= :startDate)`, 'startDate', filter.startDate);
      this.params.surelyFromId = idFloor('txn', fromMs + ZONES_MS);
    }
    if (filter.endDate !== undefined) {
      const toMs = startOfDate('UTC', addDays(filter.endDate, 1));
      this.add('id < :toId', 'toId', idFloor('txn', toMs + ZONES_MS));
      this.add(`(id < :surelyToId OR ${DAY_OF_ID} <= :endDate)`, 'endDate', filter.endDate);
      this.params.surelyToId = idFloor('txn', toMs - ZONES_MS);
    }
    this.#period = this.parts.length;
  }

  /** Identifiers sort by time, so a period is a range of the key. */
  period(prefix: 'ref' | 'rdq', timeZone: string, filter: PeriodOf, names = PERIOD_NAMES): void {
    checkPeriod(filter, names);
    if (filter.startDate !== undefined) this.add('id >= :fromId', 'fromId', idFloor(prefix, startOfDate(timeZone, filter.startDate)));
    if (filter.endDate !== undefined) this.add('id < :toId', 'toId', idFloor(prefix, startOfDate(timeZone, addDays(filter.endDate, 1))));
    this.#period = this.parts.length;
  }

  /** Marks the last condition as one that few rows fulfil, and that an index knows. */
  markKey(): void {
    this.#key ??= this.parts.at(-1) ?? null;
  }

  done(countable: boolean): Condition {
    const narrowing = this.parts.length - this.#period;
    const key = this.#key === null || narrowing === 1 ? {} : { key: [...this.parts.slice(0, this.#period), this.#key].join(' AND ') };
    return { sql: this.parts.join(' AND '), params: this.params, countable, narrowing, ...key };
  }
}

/** A search text is one of: an id, an e-mail address, digits (an exact amount, the last four, or an order), else an order. */
function search(conditions: Conditions, text: string, decimals: number): void {
  const q = text.trim();
  const amount = /^(\d{1,11})(?:\.(\d{1,4}))?$/.exec(q);
  if (q.startsWith('txn_')) conditions.add('id = :q', 'q', q);
  else if (q.includes('@')) conditions.add('customer_email = :q', 'q', q.toLowerCase());
  else if (!amount) conditions.add('order_id = :q', 'q', q);
  else {
    const fraction = amount[2] ?? '';
    const lastFour = /^\d{4}$/.test(q) ? ' OR last4 = :q' : '';
    conditions.add(`(amount_minor = :qMinor OR order_id = :q${lastFour})`, 'q', q);
    conditions.params.qMinor = fraction.length > decimals ? -1 : Number(amount[1] + fraction.padEnd(decimals, '0'));
  }
}

export function transactionCondition(filter: TransactionFilter, timeZone: string, currency: Currency): Condition {
  const on = new Conditions();
  on.days(filter);
  if (filter.merchantId !== undefined) on.add('merchant_id = :merchantId', 'merchantId', filter.merchantId);
  if (filter.status === 'settled') on.add("status = 'approved' AND settled_at IS NOT NULL");
  else if (filter.status !== undefined) on.add('status = :status', 'status', filter.status);
  if (filter.type !== undefined) on.add('type = :type', 'type', filter.type);
  if (filter.paymentMethod !== undefined) on.add('method = :method', 'method', filter.paymentMethod);
  const countable = filter.status !== 'settled';
  const before = on.parts.length;
  if (filter.settlementDate !== undefined) {
    on.add('settlement_date = :settlementDate', 'settlementDate', parseDate(filter.settlementDate, 'settlementDate'));
  }
  if (filter.settlementId !== undefined) on.add('settlement_id = :settlementId', 'settlementId', filter.settlementId);
  if (filter.settled === 'true') on.add('settled_at IS NOT NULL');
  if (filter.settled === 'false') on.add("settled_at IS NULL AND captured_minor > 0 AND status = 'approved'");
  if (filter.refundStatus === 'none') on.add('refunded_minor = 0');
  if (filter.refundStatus === 'partial') on.add('refunded_minor > 0 AND refunded_minor < captured_minor');
  if (filter.refundStatus === 'full') on.add('captured_minor > 0 AND refunded_minor = captured_minor');
  if (filter.last4 !== undefined) {
    on.add('last4 = :last4', 'last4', filter.last4);
    on.markKey();
  }
  if (filter.brand === BANK_ACCOUNT) on.add('card_brand IS NULL');
  else if (filter.brand !== undefined) on.add('card_brand = :brand', 'brand', filter.brand);
  if (filter.declineCode !== undefined) on.add('decline_code = :declineCode', 'declineCode', filter.declineCode);
  capturedIn(on, timeZone, filter);
  refundedIn(on, timeZone, filter);
  if (filter.minAmount !== undefined)
    on.add('amount_minor >= :minMinor', 'minMinor', parseMoney(filter.minAmount, currency, 'minAmount').minor);
  if (filter.maxAmount !== undefined)
    on.add('amount_minor <= :maxMinor', 'maxMinor', parseMoney(filter.maxAmount, currency, 'maxAmount').minor);
  if (filter.customerId !== undefined) on.add('customer_id = :customerId', 'customerId', filter.customerId);
  if (filter.q !== undefined && filter.q.trim() !== '') {
    search(on, filter.q, exponentOf(currency));
    on.markKey();
  }
  return on.done(countable && on.parts.length === before);
}

/** Longer than an authorization stands: what was captured on a day was made at most so long before. */
const CAPTURE_AFTER_DAYS = 31;

/** Payments that were captured within a period, and stand so. */
function capturedIn(on: Conditions, timeZone: string, { capturedFrom, capturedTo }: TransactionFilter): void {
  if (capturedFrom === undefined && capturedTo === undefined) return;
  checkPeriod({ startDate: capturedFrom, endDate: capturedTo }, { start: 'capturedFrom', end: 'capturedTo' });
  on.add('captured_minor > 0');
  if (capturedFrom !== undefined) {
    const fromMs = startOfDate(timeZone, capturedFrom);
    on.add('captured_at >= :capturedFrom', 'capturedFrom', isoTime(fromMs));
    on.add('id >= :madeFromId', 'madeFromId', idFloor('txn', startOfDate(timeZone, addDays(capturedFrom, -CAPTURE_AFTER_DAYS))));
  }
  if (capturedTo !== undefined) {
    const toMs = startOfDate(timeZone, addDays(capturedTo, 1));
    on.add('captured_at < :capturedTo', 'capturedTo', isoTime(toMs));
    on.add('id < :madeToId', 'madeToId', idFloor('txn', toMs));
  }
}

/** Payments that were refunded within a period, by the days of the refunds. */
function refundedIn(on: Conditions, timeZone: string, { refundedFrom, refundedTo }: TransactionFilter): void {
  if (refundedFrom === undefined && refundedTo === undefined) return;
  checkPeriod({ startDate: refundedFrom, endDate: refundedTo }, { start: 'refundedFrom', end: 'refundedTo' });
  const period: string[] = [];
  if (refundedFrom !== undefined) {
    period.push(' AND id >= :refundedFromId');
    on.params.refundedFromId = idFloor('ref', startOfDate(timeZone, refundedFrom));
  }
  if (refundedTo !== undefined) {
    period.push(' AND id < :refundedToId');
    on.params.refundedToId = idFloor('ref', startOfDate(timeZone, addDays(refundedTo, 1)));
  }
  on.add(`id IN (SELECT transaction_id FROM refunds WHERE tenant_id = :tenantId AND status = 'approved'${period.join('')})`);
}

export function refundCondition(filter: RefundFilter, timeZone: string): Condition {
  const on = new Conditions();
  on.period('ref', timeZone, filter);
  if (filter.merchantId !== undefined) on.add('merchant_id = :merchantId', 'merchantId', filter.merchantId);
  if (filter.status !== undefined) on.add('status = :status', 'status', filter.status);
  if (filter.transactionId !== undefined) on.add('transaction_id = :transactionId', 'transactionId', filter.transactionId);
  return on.done(false);
}

/**
 * SQL that reads the newest rows of a condition. SQLite has no statistics: given a period it would read through all of it, so what else is asked for is
 * looked up by itself, on an index that has all that is asked of it.
 */
export function newestSql(
  of: string,
  selected: string,
  condition: Condition,
  { bound = '', limit }: { bound?: string; limit: string },
): string {
  const { sql, key, narrowing = 0 } = condition;
  const select = (where: string, columns = selected) => `SELECT ${columns} FROM ${of} WHERE ${where}`;
  if (key !== undefined) return `${select(`${foundByKey(of, condition)}${bound}`)} ORDER BY id DESC ${limit}`;
  if (narrowing === 0 && !limit.includes('OFFSET')) return `${select(`${sql}${bound}`)} ORDER BY id DESC ${limit}`;
  return `${select(`tenant_id = :tenantId AND id IN (${select(`${sql}${bound}`, 'id')} ORDER BY id DESC ${limit})`)} ORDER BY id DESC`;
}

/** A condition whose rare part is looked up first. */
export function foundByKey(of: string, { sql, key }: Condition): string {
  return key === undefined ? sql : `tenant_id = :tenantId AND id IN (SELECT id FROM ${of} WHERE ${key}) AND ${sql}`;
}

/** One page of rows, newest first. Skipped rows of a page by number are passed over on the index alone. */
export async function pageOf<Row>(read: Read, of: Table<Row>, condition: Condition, at: PageOf): Promise<Row[]> {
  const columns = of.columns.join(', ');
  const limit = `LIMIT ${Math.trunc(at.limit)}`;
  if (at.cursor !== undefined) {
    const sql = newestSql(of.name, columns, condition, { bound: ' AND id < :cursor', limit });
    return read.all<Row>(sql, { ...condition.params, cursor: at.cursor });
  }
  const offset = (Math.trunc(at.page) - 1) * Math.trunc(at.limit);
  if (offset === 0) return read.all<Row>(newestSql(of.name, columns, condition, { limit }), condition.params);
  return read.all<Row>(newestSql(of.name, columns, condition, { limit: `${limit} OFFSET :offset` }), { ...condition.params, offset });
}

export async function countOf<Row>(read: Read, of: Table<Row>, condition: Condition): Promise<number> {
  const where = foundByKey(of.name, condition);
  const [row] = await read.all<{ n: number }>(`SELECT count(*) AS n FROM ${of.name} WHERE ${where}`, condition.params);
  return Number(row?.n ?? 0);
}

const FIRST_DAY = '0';

/** The total of a filter that the day counters know, plus the few that are still pending. */
export async function countByDays(read: Read, filter: TransactionFilter, condition: Condition): Promise<number> {
  const on = ['tenant_id = :tenantId'];
  const params: Record<string, string> = {};
  for (const [column, value] of [
    ['merchant_id', filter.merchantId],
    ['status', filter.status],
    ['type', filter.type],
    ['method', filter.paymentMethod],
  ] as const) {
    if (value === undefined) continue;
    on.push(`${column} = :${column}`);
    params[column] = value;
  }
  if (filter.startDate === undefined && filter.endDate === undefined) on.push(`day = '${EVERY_DAY}'`);
  else {
    on.push('day >= :startDate');
    params.startDate = filter.startDate ?? FIRST_DAY;
  }
  if (filter.endDate !== undefined) {
    on.push('day <= :endDate');
    params.endDate = filter.endDate;
  }
  const [counted] = await read.all<{ n: number }>(
    `SELECT coalesce(sum(n), 0) AS n FROM transaction_counts WHERE ${on.join(' AND ')}`,
    params,
  );
  const total = Number(counted?.n ?? 0);
  if (filter.status !== undefined && filter.status !== 'pending') return total;
  const waiting = filter.status === 'pending' ? condition : { ...condition, sql: `${condition.sql} AND status = 'pending'` };
  return total + (await countOf(read, TRANSACTIONS, waiting));
}
