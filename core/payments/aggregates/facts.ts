import { setImmediate as breathe } from 'node:timers/promises';
import { integer, lit, queriesOn, type Read, type RowOf, TENANT, table, text } from '#core/database';
import { addDays } from '#core/kernel';
import type { TransferKind } from '#core/ledger';
import { READABLE_MERCHANTS } from '#core/merchants';
import type { RefundRow, TransactionRow } from '../schema.ts';

/** How payments stand, by the day they were made on. */
export type Standing = 'approved' | 'declined' | 'voided' | 'failed';
/** What moved, by the day it moved on, in the ledger's words; and refunds that were declined at first. */
export type Movement =
  | Extract<TransferKind, 'capture' | 'capture_reversed' | 'refund' | 'refund_outside' | 'credit' | 'fee'>
  | 'refund_declined';
/**
 * What reports are added up from: as many rows as there are days, never as many as there are payments. Beside standings and movements, `decline` has
 * the codes of declined payments by brand, and `outcome` what came of the payments of a day, whenever it came, by the standing in `detail`.
 */
export type FactKind = Standing | Movement | 'decline' | 'outcome';

/** All but `count` in minor units; the last three are outcomes. */
export type Measure = 'count' | 'amount' | 'captured' | 'refunded' | 'fees';

/** Bank accounts have no brand; they stand under this one. */
export const BANK_ACCOUNT = 'ach';

export const TRANSACTION_FACTS = table(
  'transaction_facts',
  {
    tenant_id: text,
    merchant_id: text,
    fact: text.of<FactKind>(),
    /** Calendar day in the merchant's zone. */
    day: text,
    currency: text,
    type: text,
    method: text,
    brand: text,
    /** The code of a decline, the standing of an outcome, whether a refund is full or partial; else empty. */
    detail: text,
    measure: text.of<Measure>(),
    n: integer,
  },
  { key: ['tenant_id', 'merchant_id', 'fact', 'day', 'currency', 'type', 'method', 'brand', 'detail', 'measure'] },
);

export type FactRow = RowOf<typeof TRANSACTION_FACTS>;

const queries = queriesOn(TRANSACTION_FACTS, READABLE_MERCHANTS);

/** A unit of work or batch, as far as counters need it. */
interface Counter {
  count(of: typeof TRANSACTION_FACTS, key: Omit<FactRow, 'n'>, delta: number): void;
}

/** What a payment is counted under. */
export type Counted = Pick<TransactionRow, 'tenant_id' | 'merchant_id' | 'day' | 'currency' | 'type' | 'method' | 'card_brand'>;
type Stands = Counted &
  Pick<TransactionRow, 'status' | 'decline_code' | 'amount_minor' | 'captured_minor' | 'refunded_minor'> & {
    readonly fee_minor?: number | null;
  };

type Key = Omit<FactRow, 'n' | 'measure'>;

function keyOf(of: Counted, fact: FactKind, day: string, detail = ''): Key {
  const { tenant_id, merchant_id, currency, type, method, card_brand } = of;
  return { tenant_id, merchant_id, fact, day, currency, type, method, brand: card_brand ?? BANK_ACCOUNT, detail };
}

const outcomeOf = (of: Counted, standing: string): Key => ({ ...keyOf(of, 'outcome', of.day, standing), brand: '' });

function add(into: Counter, key: Key, sums: Partial<Record<Measure, number>>, sign: 1 | -1 = 1): void {
  for (const [measure, n] of Object.entries(sums)) {
    if (n !== 0) into.count(TRANSACTION_FACTS, { ...key, measure: measure as Measure }, sign * n);
  }
}

function stand(into: Counter, row: Stands, sign: 1 | -1): void {
  const { status, day, amount_minor: amount, captured_minor: captured, refunded_minor: refunded } = row;
  if (status === 'pending') return;
  add(into, keyOf(row, status, day), { count: 1, amount }, sign);
  if (status === 'declined') add(into, { ...keyOf(row, 'decline', day, row.decline_code ?? ''), type: '', method: '' }, { count: 1 }, sign);
  add(into, outcomeOf(row, status), { captured, refunded, fees: row.fee_minor ?? 0 }, sign);
}

/** Counts a payment as it stands now instead of as it stood; what is unchanged comes to nothing. One that is pending is counted nowhere. */
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

/** Which facts of a tenant are added up, in the days from one to another, both inclusive; what is left out does not narrow. */
interface FactQuery {
  readonly facts: readonly FactRow['fact'][];
  readonly startDate: string;
  readonly endDate: string;
  readonly merchantId?: string;
  readonly type?: string;
  readonly method?: string;
}
export type FactColumn = 'merchant_id' | 'fact' | 'day' | 'currency' | 'type' | 'method' | 'brand' | 'detail';
export type FactSum<Column extends FactColumn> = Pick<FactRow, Column | 'measure' | 'n'>;

/** A read that takes longer than this is followed by one of fewer days: on SQLite nothing else goes on meanwhile. */
const READ_MS = 10;
const DAYS_AT_FIRST = 16;
const DAYS_MAX = 512;

/** Sums of facts by some of their columns and by measure. Long periods are read some days at a time, and other requests go on between. */
export async function sumFacts<Column extends FactColumn>(
  read: Read,
  { facts, merchantId, startDate, endDate, type, method }: FactQuery,
  columns: readonly Column[],
): Promise<FactSum<Column>[]> {
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
  // The key goes on with the merchant: one step down the index for each, rather than all that the tenant has.
  const merchants = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);
  rows = merchantId === undefined ? rows.where('merchant_id', 'in', merchants) : rows.where('merchant_id', '=', merchantId);
  const sums = new Map<string, FactSum<Column>>();
  let days = DAYS_AT_FIRST;
  for (let from = startDate; from <= endDate; ) {
    const last = addDays(from, days - 1);
    const to = last < endDate ? last : endDate;
    const begun = performance.now();
    const found = await read.rows(rows.where('day', '>=', from).where('day', '<=', to));
    for (const row of found as unknown as FactSum<Column>[]) {
      const key = [...columns, 'measure' as const].map((column) => row[column]).join('/');
      sums.set(key, { ...row, n: Number(row.n) + (sums.get(key)?.n ?? 0) });
    }
    days = performance.now() - begun > READ_MS ? Math.max(1, Math.floor(days / 2)) : Math.min(DAYS_MAX, days * 2);
    from = addDays(to, 1);
    if (from <= endDate) await breathe();
  }
  return [...sums.values()];
}
