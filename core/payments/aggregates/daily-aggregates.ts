import { setImmediate as breathe } from 'node:timers/promises';
import { integer, lit, queriesOn, type Read, type RowOf, TENANT, table, text } from '#core/database';
import { addDays } from '#core/kernel';
import type { TransferKind } from '#core/ledger';
import { READABLE_MERCHANTS } from '#core/merchants';
import type { RefundRow, TransactionRow } from '../schema.ts';

/** Present state of payments, by the day of their creation. */
export type Standing = 'approved' | 'declined' | 'voided' | 'failed';
/** Money movements by day, with the ledger's names, and initially declined refunds. */
export type Movement =
  | Extract<TransferKind, 'capture' | 'capture_reversed' | 'refund' | 'refund_outside' | 'credit' | 'fee'>
  | 'refund_declined';
/**
 * Daily aggregates for reports: rows grow with the days, not with the payments. Besides states and movements, `decline` holds the codes of
 * declined payments by brand, and `outcome` the final state of the payments of a day in `detail`.
 */
export type AggregateKind = Standing | Movement | 'decline' | 'outcome';

/** All but `count` in minor units; the last three are outcomes. */
export type Measure = 'count' | 'amount' | 'captured' | 'refunded' | 'fees';

/** Bank accounts have no brand; they stand under this one. */
export const BANK_ACCOUNT = 'ach';

export const DAILY_AGGREGATES = table(
  'transaction_facts',
  {
    tenant_id: text,
    merchant_id: text,
    fact: text.of<AggregateKind>(),
    /** Calendar day in the merchant's zone. */
    day: text,
    currency: text,
    type: text,
    method: text,
    brand: text,
    /** Code of a decline, state of an outcome, or whether a refund is full or partial; else empty. */
    detail: text,
    measure: text.of<Measure>(),
    n: integer,
  },
  { key: ['tenant_id', 'merchant_id', 'fact', 'day', 'currency', 'type', 'method', 'brand', 'detail', 'measure'] },
);

export type DailyAggregateRow = RowOf<typeof DAILY_AGGREGATES>;

const queries = queriesOn(DAILY_AGGREGATES, READABLE_MERCHANTS);

/** A unit of work or batch, as far as counters need it. */
interface Counter {
  count(of: typeof DAILY_AGGREGATES, key: Omit<DailyAggregateRow, 'n'>, delta: number): void;
}

/** Keys under which a payment is counted. */
export type Counted = Pick<TransactionRow, 'tenant_id' | 'merchant_id' | 'day' | 'currency' | 'type' | 'method' | 'card_brand'>;
type Stands = Counted &
  Pick<TransactionRow, 'status' | 'decline_code' | 'amount_minor' | 'captured_minor' | 'refunded_minor'> & {
    readonly fee_minor?: number | null;
  };

type Key = Omit<DailyAggregateRow, 'n' | 'measure'>;

function keyOf(of: Counted, fact: AggregateKind, day: string, detail = ''): Key {
  const { tenant_id, merchant_id, currency, type, method, card_brand } = of;
  return { tenant_id, merchant_id, fact, day, currency, type, method, brand: card_brand ?? BANK_ACCOUNT, detail };
}

const outcomeOf = (of: Counted, standing: string): Key => ({ ...keyOf(of, 'outcome', of.day, standing), brand: '' });

function add(into: Counter, key: Key, sums: Partial<Record<Measure, number>>, sign: 1 | -1 = 1): void {
  for (const [measure, n] of Object.entries(sums)) {
    if (n !== 0) into.count(DAILY_AGGREGATES, { ...key, measure: measure as Measure }, sign * n);
  }
}

function stand(into: Counter, row: Stands, sign: 1 | -1): void {
  const { status, day, amount_minor: amount, captured_minor: captured, refunded_minor: refunded } = row;
  if (status === 'pending') return;
  add(into, keyOf(row, status, day), { count: 1, amount }, sign);
  if (status === 'declined') add(into, { ...keyOf(row, 'decline', day, row.decline_code ?? ''), type: '', method: '' }, { count: 1 }, sign);
  add(into, outcomeOf(row, status), { captured, refunded, fees: row.fee_minor ?? 0 }, sign);
}

/** Moves a payment from its former to its present aggregates; without a change nothing is written. Pending payments are not counted. */
export function recount(into: Counter, before: Stands | null, after: Stands): void {
  if (before) stand(into, before, -1);
  stand(into, after, 1);
}

/** Counts a movement on its day, in the unit of work that enters it in the ledger. Amount in minor units. */
export function countMovement(
  into: Counter,
  of: Counted,
  movement: Movement,
  amount: number,
  day: string,
  refund?: Pick<RefundRow, 'type'>,
): void {
  add(into, keyOf(of, movement, day, refund?.type ?? ''), { count: 1, amount });
}

/** Counts what a payment cost: among the fees of the day, and with the payment itself. */
export function countFee(into: Counter, of: Counted, feeMinor: number, day: string): void {
  if (feeMinor === 0) return;
  countMovement(into, of, 'fee', feeMinor, day);
  add(into, outcomeOf(of, 'approved'), { fees: feeMinor });
}

/** Selects aggregates of a tenant from one day to another, both inclusive. Missing fields do not filter. */
interface AggregateQuery {
  readonly facts: readonly DailyAggregateRow['fact'][];
  readonly startDate: string;
  readonly endDate: string;
  readonly merchantId?: string;
  readonly type?: string;
  readonly method?: string;
}
export type AggregateColumn = 'merchant_id' | 'fact' | 'day' | 'currency' | 'type' | 'method' | 'brand' | 'detail';
export type AggregateSum<Column extends AggregateColumn> = Pick<DailyAggregateRow, Column | 'measure' | 'n'>;

/** Target time of one read. A longer read is followed by one of fewer days, because SQLite serves nothing else during a read. */
const READ_MS = 10;
const DAYS_AT_FIRST = 16;
const DAYS_MAX = 512;

/**
 * Returns sums of aggregates by some of their columns and by measure. Long periods are read in parts, so that other requests run in
 * between.
 */
export async function sumDailyAggregates<Column extends AggregateColumn>(
  read: Read,
  { facts, merchantId, startDate, endDate, type, method }: AggregateQuery,
  columns: readonly Column[],
): Promise<AggregateSum<Column>[]> {
  const by = [...columns, 'measure'] as const;
  let rows = queries
    .selectFrom('transaction_facts')
    .select(by)
    .select(({ fn }) => fn.sum<number>('n').as('n'))
    .groupBy(by)
    .where('tenant_id', '=', TENANT)
    .where(
      'fact',
      'in',
      facts.map((fact) => lit(fact)),
    );
  if (type !== undefined) rows = rows.where('type', '=', type);
  if (method !== undefined) rows = rows.where('method', '=', method);
  // The merchant is the next part of the key, which gives one index range per merchant instead of all rows of the tenant.
  const merchants = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);
  rows = merchantId === undefined ? rows.where('merchant_id', 'in', merchants) : rows.where('merchant_id', '=', merchantId);
  const sums = new Map<string, AggregateSum<Column>>();
  let days = DAYS_AT_FIRST;
  for (let from = startDate; from <= endDate; ) {
    const last = addDays(from, days - 1);
    const to = last < endDate ? last : endDate;
    const begun = performance.now();
    const found = await read.rows(rows.where('day', '>=', from).where('day', '<=', to));
    for (const row of found as unknown as AggregateSum<Column>[]) {
      const key = [...columns, 'measure' as const].map((column) => row[column]).join('/');
      sums.set(key, { ...row, n: Number(row.n) + (sums.get(key)?.n ?? 0) });
    }
    days = performance.now() - begun > READ_MS ? Math.max(1, Math.floor(days / 2)) : Math.min(DAYS_MAX, days * 2);
    from = addDays(to, 1);
    if (from <= endDate) await breathe();
  }
  return [...sums.values()];
}
