import { type Condition, lit, type Page, type PageRequest, queriesOn, type Read, sql, TENANT } from '#core/database';
import { type Currency, isId, type Money, money } from '#core/kernel';
import { READABLE_UNSETTLED_LINES } from '#core/ledger';
import { READABLE_REFUNDS, READABLE_TRANSACTIONS } from '#core/payments';
import type { By, Dependencies } from './dependencies.ts';
import { linesOf, rowOf } from './read.ts';
import type { PayoutRow, SettlementRow } from './schema.ts';
import { reportScope, scopeRows } from './scope.ts';

/** A captured payment or a refund as a line of its settlement. */
export interface SettlementLine {
  readonly kind: 'capture' | 'refund';
  readonly id: string;
  readonly transactionId: string;
  /** Below zero for a refund. */
  readonly amount: Money;
  readonly fee: Money;
  readonly netAmount: Money;
  readonly at: string;
}

/** A captured payment or a refund that belongs to no settlement yet. */
export type UnsettledLine = Omit<SettlementLine, 'fee' | 'netAmount'>;

/** A line of a settlement that a batch pays. */
export interface BatchLine extends SettlementLine {
  readonly batchId: string;
  readonly settlementId: string;
  readonly settlementDate: string;
}

interface Row {
  readonly kind: SettlementLine['kind'];
  readonly id: string;
  readonly transaction_id: string;
  readonly amount_minor: number;
  readonly fee_minor: number | null;
  readonly at: string;
}

interface Place {
  readonly at: string;
  readonly id: string;
}

const EXPORT_BLOCK = 500;
const queries = queriesOn(READABLE_TRANSACTIONS, READABLE_REFUNDS, READABLE_UNSETTLED_LINES);
const SOURCE = {
  capture: queries
    .selectFrom('transactions')
    .select([lit<Row['kind']>('capture').as('kind'), 'id', 'id as transaction_id', 'captured_minor as amount_minor', 'fee_minor'])
    .select(({ ref }) => ref('captured_at').$notNull().as('at'))
    .where('tenant_id', '=', TENANT),
  refund: queries
    .selectFrom('refunds')
    .select(({ neg }) => [lit<Row['kind']>('refund').as('kind'), 'id', 'transaction_id', neg('amount_minor').as('amount_minor')])
    .select(({ ref }) => [lit<number | null>(0).as('fee_minor'), ref('refunded_at').$notNull().as('at')])
    .where('tenant_id', '=', TENANT),
};
/** The same, as far as it belongs to no settlement yet. */
const UNSETTLED = {
  capture: SOURCE.capture.where('settled_at', 'is', null).where('captured_minor', '>', lit(0)).where('status', '=', lit('approved')),
  refund: SOURCE.refund.where('settled_at', 'is', null).where('refunded_at', 'is not', null).where('status', '=', lit('approved')),
};

function toLine({ kind, id, transaction_id, amount_minor, fee_minor, at }: Row, currency: Currency): SettlementLine {
  const fee = fee_minor ?? 0;
  return {
    kind,
    id,
    transactionId: transaction_id,
    amount: money(amount_minor, currency),
    fee: money(fee, currency),
    netAmount: money(amount_minor - fee, currency),
    at,
  };
}

/** Lines of one kind in the order of their making, after one of them or after so many. */
async function some(
  read: Read,
  settlement: SettlementRow,
  kind: Row['kind'],
  from: { readonly after: string; readonly offset: number },
  limit: number,
): Promise<SettlementLine[]> {
  if (limit <= 0) return [];
  const { id } = settlement;
  const { after, offset } = from;
  const rows = await read.rows(
    kind === 'capture'
      ? SOURCE.capture.where('settlement_id', '=', id).where('id', '>', after).orderBy('id').limit(limit).offset(offset)
      : SOURCE.refund.where('settlement_id', '=', id).where('id', '>', after).orderBy('id').limit(limit).offset(offset),
  );
  return rows.map((row) => toLine(row, settlement.currency as Currency));
}

/** The captures and refunds that make a settlement's amounts, captures first, each in the order of their making. */
export async function lines(deps: Dependencies, actor: By, settlementId: string, at: PageRequest): Promise<Page<SettlementLine>> {
  const row = await rowOf(deps, actor, settlementId);
  const read = deps.database.read(actor.tenantId);
  const limit = Math.trunc(at.limit);
  const after = at.cursor !== undefined && (isId('txn', at.cursor) || isId('ref', at.cursor)) ? at.cursor : '';
  const offset = after === '' ? (Math.trunc(at.page) - 1) * limit : 0;
  const isInRefunds = isId('ref', after) || (after === '' && offset >= row.transaction_count);
  const captures = isInRefunds ? [] : await some(read, row, 'capture', { after, offset }, limit);
  const before = after === '' && isInRefunds ? offset - row.transaction_count : 0;
  const refunds = await some(read, row, 'refund', { after: isId('ref', after) ? after : '', offset: before }, limit - captures.length);
  const items = [...captures, ...refunds];
  return {
    items,
    page: at.page,
    limit,
    total: row.transaction_count + row.refund_count,
    nextCursor: items.length === limit ? (items.at(-1)?.id ?? null) : null,
  };
}

async function* everyLine(read: Read, settlement: SettlementRow): AsyncGenerator<SettlementLine> {
  for (const kind of ['capture', 'refund'] as const) {
    for (let after = ''; ; ) {
      const found = await some(read, settlement, kind, { after, offset: 0 }, EXPORT_BLOCK);
      yield* found;
      const last = found.at(-1);
      if (!last || found.length < EXPORT_BLOCK) break;
      after = last.id;
    }
  }
}

/** Every line of a batch's settlements, a block at a time: any number goes through in bounded memory. NOT_FOUND before the first. */
export async function batchLines(deps: Dependencies, actor: By, row: PayoutRow): Promise<AsyncGenerator<BatchLine>> {
  const parts = await linesOf(deps, actor.tenantId, row);
  const read = deps.database.read(actor.tenantId);
  return (async function* () {
    for (const { settlement_id: settlementId } of parts) {
      const settlement = await rowOf(deps, actor, settlementId);
      const of = { batchId: row.id, settlementId, settlementDate: settlement.settlement_date };
      for await (const line of everyLine(read, settlement)) yield { ...line, ...of };
    }
  })();
}

/** Captures and refunds of a merchant, or of all merchants of the tenant, that belong to no settlement yet, in one currency, newest first. INVALID_CURRENCY. */
export async function unsettledLines(
  deps: Dependencies,
  actor: By,
  of: { readonly merchantId?: string; readonly currency?: string },
  at: PageRequest,
): Promise<Page<UnsettledLine>> {
  const scope = await reportScope(deps, actor, of);
  const { currency } = scope;
  const read = deps.database.read(actor.tenantId);
  const own = { ...scopeRows(scope), currency };
  const limit = Math.trunc(at.limit);
  const place = await placeOf(read, at.cursor);
  const offset = place ? 0 : (Math.trunc(at.page) - 1) * limit;
  // A parameter, unlike other limits: it grows with every page.
  const reach = sql<number>`${offset + limit}`;
  const captures = UNSETTLED.capture
    .where(({ and }) => and(own))
    .$if(place !== null, (query) => query.where(isBefore('captured_at', place)))
    .orderBy('captured_at', 'desc')
    .orderBy('id', 'desc')
    .limit(reach);
  const refunds = UNSETTLED.refund
    .where(({ and }) => and(own))
    .$if(place !== null, (query) => query.where(isBefore('refunded_at', place)))
    .orderBy('refunded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(reach);
  const both = queries
    .selectFrom(captures.as('captures'))
    .selectAll()
    .unionAll(queries.selectFrom(refunds.as('refunds')).selectAll())
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
  const counter = queries
    .selectFrom('ledger_unsettled_lines')
    .select(({ fn }) => fn.sum<number | null>('n').as('n'))
    .where(({ and }) => and(own));
  const [rows, counted] = await Promise.all([read.rows(both.limit(limit).offset(offset)), read.row(counter)]);
  return {
    items: rows.map((row) => {
      const { fee: _, netAmount: __, ...line } = toLine({ ...row, fee_minor: 0 }, currency);
      return line;
    }),
    page: at.page,
    limit,
    total: Number(counted?.n ?? 0),
    nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** Returns the position of a cursor, whose line may have been settled since. */
async function placeOf(read: Read, cursor: string | undefined): Promise<Place | null> {
  if (cursor === undefined) return null;
  const kind = isId('txn', cursor) ? 'capture' : isId('ref', cursor) ? 'refund' : null;
  if (kind === null) return null;
  const row = await read.row(kind === 'capture' ? SOURCE.capture.where('id', '=', cursor) : SOURCE.refund.where('id', '=', cursor));
  return row?.at ? { at: row.at, id: cursor } : null;
}

/** Returns the condition for rows after a position, newest first. Written as two conditions, because an index serves the first one. */
function isBefore(column: 'captured_at' | 'refunded_at', place: Place | null): Condition {
  const { at, id } = place ?? { at: '', id: '' };
  return sql<boolean>`${sql.ref(column)} <= ${at} and (${sql.ref(column)} < ${at} or id < ${id})`;
}
