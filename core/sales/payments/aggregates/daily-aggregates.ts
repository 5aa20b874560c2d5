import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { integer, lit, queriesOn, type Read, type RowOf, TENANT, table, text } from '#core/database';
import { addDays, type Money } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import type { OrderPart, SoldGiftCardKind, TransferKind } from '#core/records/ledger';
import { NO_PARTS, type PartName, type Parts } from '../parts/parts.ts';
import type { RefundRow, TransactionRow } from '../schema.ts';

/** Current status of concluded payments, by the day of their creation. */
type ConcludedStatus = 'approved' | 'declined' | 'voided' | 'failed';
export const CONCLUDED_STATUSES: readonly ConcludedStatus[] = ['approved', 'declined', 'voided', 'failed'];
/** Money movements by day, named as in the ledger, and refunds that were declined at first. */
export type Movement =
  | Extract<
      TransferKind,
      'capture' | 'capture_reversed' | 'refund' | 'refund_outside' | 'credit' | 'fee' | 'chargeback' | 'chargeback_reversed' | 'dispute_fee'
    >
  | 'refund_declined';
/**
 * Daily aggregates for reports: rows grow with the days, not with the payments. Besides states and movements, `decline` holds the codes of
 * declined payments by brand, `outcome` the final state of the payments of a day in `detail`, and `person_tip` the tips of a day by the person in
 * `detail` who made the payment. `further_payment` holds captures and tenders of orders that had another payment, less their reversals: sales count without
 * them, so that an order is one sale.
 */
export type AggregateKind = ConcludedStatus | Movement | SoldGiftCardKind | 'decline' | 'outcome' | 'person_tip' | 'further_payment';

/**
 * Measures of aggregates. All except `count` are in minor units. `captured` and `fees` belong to `outcome`, `refunded` to `outcome` and `person_tip`, and
 * the parts to movements.
 */
export type Measure = 'count' | 'amount' | 'captured' | 'refunded' | 'fees' | PartName;

/** Brand under which bank accounts are counted. */
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

type DailyAggregateRow = RowOf<typeof DAILY_AGGREGATES>;

const queries = queriesOn(DAILY_AGGREGATES, READABLE_MERCHANTS);

/** The part of a unit of work or batch that counters need. */
interface Counter {
  count(table: typeof DAILY_AGGREGATES, key: Omit<DailyAggregateRow, 'n'>, delta: number): void;
}

/** Keys under which a payment is counted. */
export type AggregatedPayment = Pick<TransactionRow, 'tenant_id' | 'merchant_id' | 'day' | 'currency' | 'type' | 'card_brand'> & {
  readonly method: string;
  readonly created_by: string | null;
};
type ConcludedPayment = AggregatedPayment &
  Pick<TransactionRow, 'status' | 'decline_code' | 'amount_minor' | 'captured_minor' | 'refunded_minor'> & {
    readonly fee_minor?: number | null;
  };

type Key = Omit<DailyAggregateRow, 'n' | 'measure'>;

function keyOf(payment: AggregatedPayment, fact: AggregateKind, day: string, detail = ''): Key {
  const { tenant_id, merchant_id, currency, type, method, card_brand } = payment;
  return { tenant_id, merchant_id, fact, day, currency, type, method, brand: card_brand ?? BANK_ACCOUNT, detail };
}

const outcomeKeyOf = (payment: AggregatedPayment, status: string): Key => ({
  ...keyOf(payment, 'outcome', payment.day, status),
  brand: '',
});

function add(counter: Counter, key: Key, sums: Partial<Record<Measure, number>>, sign: 1 | -1 = 1): void {
  for (const measure of Object.keys(sums) as Measure[]) {
    const n = sums[measure] ?? 0;
    if (n !== 0) counter.count(DAILY_AGGREGATES, { ...key, measure }, sign * n);
  }
}

function countPayment(counter: Counter, row: ConcludedPayment, sign: 1 | -1): void {
  const { status, day, amount_minor: amount, captured_minor: captured, refunded_minor: refunded } = row;
  if (status === 'pending') return;
  add(counter, keyOf(row, status, day), { count: 1, amount }, sign);
  if (status === 'declined')
    add(counter, { ...keyOf(row, 'decline', day, row.decline_code ?? ''), type: '', method: '' }, { count: 1 }, sign);
  add(counter, outcomeKeyOf(row, status), { captured, refunded, fees: row.fee_minor ?? 0 }, sign);
}

/** Moves a payment from its former to its current aggregates. Nothing is written if they are the same. Pending payments are not counted. */
export function recount(counter: Counter, before: ConcludedPayment | null, after: ConcludedPayment): void {
  if (before) countPayment(counter, before, -1);
  countPayment(counter, after, 1);
}

/** Amount of a movement and the parts of it, in minor units. */
interface MovedAmount {
  readonly amount: number;
  readonly parts?: Parts;
}

/** Counts a movement on its day, in the unit of work that posts it to the ledger. */
export function countMovement(
  counter: Counter,
  payment: AggregatedPayment,
  movement: Movement,
  { amount, parts = NO_PARTS }: MovedAmount,
  day: string,
  refund?: Pick<RefundRow, 'type'>,
): void {
  add(counter, keyOf(payment, movement, day, refund?.type ?? ''), { count: 1, amount, ...parts });
  if (parts.tip > 0) countTip(counter, payment, movement, parts.tip, day);
}

/** Counts a tip for the person who made the payment, or takes it off again. */
function countTip(counter: Counter, payment: AggregatedPayment, movement: Movement, tip: number, day: string): void {
  const { tenant_id, merchant_id, currency, created_by } = payment;
  const key: Key = { tenant_id, merchant_id, fact: 'person_tip', day, currency, type: '', method: '', brand: '', detail: created_by ?? '' };
  if (movement === 'refund' || movement === 'refund_outside') add(counter, key, { refunded: tip });
  else add(counter, key, { count: 1, amount: tip }, movement === 'capture_reversed' ? -1 : 1);
}

/** Counts a capture or tender of an order that has another payment, or takes it off when it is reversed. */
export function countFurtherPayment(
  counter: Counter,
  payment: AggregatedPayment,
  movement: 'capture' | 'capture_reversed',
  day: string,
): void {
  add(counter, keyOf(payment, 'further_payment', day), { count: 1 }, movement === 'capture' ? 1 : -1);
}

/** A movement of money at the counter, without a processor. */
interface CountedTender {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly kind: 'cash' | 'check' | 'other' | 'gift_card';
  readonly direction: 'sale' | 'refund';
  readonly amount: Money;
  /** Tax within the amount, in minor units. */
  readonly taxMinor: number;
  readonly day: string;
  /** Refund of the whole payment at once. */
  readonly isFull: boolean;
  /** For a payment of an order. */
  readonly orderPart: OrderPart | null;
}

/** Counts a tender as a sale or refund of its kind on its day, in the unit of work that posts it to the ledger. */
export function countTender(
  counter: Counter,
  { tenantId, merchantId, kind, direction, amount, taxMinor, day, isFull, orderPart }: CountedTender,
): void {
  const payment = {
    tenant_id: tenantId,
    merchant_id: merchantId,
    day,
    currency: amount.currency,
    type: 'sale',
    method: kind,
    card_brand: kind,
    created_by: null,
  } as const;
  const moved = { amount: amount.minor, parts: { ...NO_PARTS, tax: taxMinor } };
  if (orderPart === 'further') countFurtherPayment(counter, payment, 'capture', day);
  if (direction === 'sale') countMovement(counter, payment, 'capture', moved, day);
  else countMovement(counter, payment, 'refund', moved, day, { type: isFull ? 'full' : 'partial' });
}

/** Counts a sold gift card, or what is taken back of it, on its day, in the unit of work that posts it to the ledger. */
export function countGiftCard(
  counter: Counter,
  fact: SoldGiftCardKind,
  { tenantId, merchantId, amount, day }: Pick<CountedTender, 'tenantId' | 'merchantId' | 'amount' | 'day'>,
): void {
  const key: Key = {
    tenant_id: tenantId,
    merchant_id: merchantId,
    fact,
    day,
    currency: amount.currency,
    type: '',
    method: '',
    brand: '',
    detail: '',
  };
  add(counter, key, { count: 1, amount: amount.minor });
}

/** Counts the fee of a payment: on the day of its capture, and with the outcome of the payment. */
export function countFee(counter: Counter, payment: AggregatedPayment, feeMinor: number, day: string): void {
  if (feeMinor === 0) return;
  countMovement(counter, payment, 'fee', { amount: feeMinor }, day);
  add(counter, outcomeKeyOf(payment, 'approved'), { fees: feeMinor });
}

/** Selects aggregates of a tenant from one day to another, both inclusive. Missing fields do not filter. */
interface AggregateQuery {
  readonly facts: readonly DailyAggregateRow['fact'][];
  readonly startDate: string;
  readonly endDate: string;
  readonly merchantId?: string;
  readonly type?: string;
  readonly method?: string;
  readonly brand?: string;
  readonly measure?: Measure;
}
export type AggregateColumn = 'merchant_id' | 'fact' | 'day' | 'currency' | 'type' | 'method' | 'brand' | 'detail';
export type AggregateSum<Column extends AggregateColumn> = Pick<DailyAggregateRow, Column | 'measure' | 'n'>;

/** Target time of one read. After a longer read the next one covers fewer days, because SQLite blocks the process during a read. */
const READ_MS = 10;
const DAYS_AT_FIRST = 16;
const DAYS_MAX = 512;

/**
 * Returns sums of aggregates by some of their columns and by measure. Long periods are read in parts, so that other requests run in
 * between.
 */
export async function sumDailyAggregates<Column extends AggregateColumn>(
  read: Read,
  { facts, merchantId, startDate, endDate, type, method, brand, measure }: AggregateQuery,
  columns: readonly Column[],
): Promise<AggregateSum<Column>[]> {
  const groupBy = [...columns, 'measure'] as const;
  let rows = queries
    .selectFrom('transaction_facts')
    .select(groupBy)
    .select(({ fn }) => fn.sum<number>('n').as('n'))
    .groupBy(groupBy)
    .where('tenant_id', '=', TENANT)
    .where(
      'fact',
      'in',
      facts.map((fact) => lit(fact)),
    );
  if (type !== undefined) rows = rows.where('type', '=', type);
  if (method !== undefined) rows = rows.where('method', '=', method);
  if (brand !== undefined) rows = rows.where('brand', '=', brand);
  if (measure !== undefined) rows = rows.where('measure', '=', measure);
  // The merchant is the next part of the key, which gives one index range per merchant instead of all rows of the tenant.
  const merchants = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);
  rows = merchantId === undefined ? rows.where('merchant_id', 'in', merchants) : rows.where('merchant_id', '=', merchantId);
  const sums = new Map<string, AggregateSum<Column>>();
  let days = DAYS_AT_FIRST;
  for (let from = startDate; ; ) {
    const last = addDays(from, days - 1);
    const to = last < endDate ? last : endDate;
    const startedAtMs = performance.now();
    const found = await read.rows(rows.where('day', '>=', from).where('day', '<=', to));
    for (const row of found as unknown as AggregateSum<Column>[]) {
      const key = [...columns, 'measure' as const].map((column) => row[column]).join('/');
      sums.set(key, { ...row, n: Number(row.n) + (sums.get(key)?.n ?? 0) });
    }
    days = performance.now() - startedAtMs > READ_MS ? Math.max(1, Math.floor(days / 2)) : Math.min(DAYS_MAX, days * 2);
    // `addDays` does not pass the last day of the calendar, so the end is not found by a later day.
    if (to >= endDate) return [...sums.values()];
    from = addDays(to, 1);
    await yieldToOthers();
  }
}
