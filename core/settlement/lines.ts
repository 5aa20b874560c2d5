import type { Page, PageOf, Read } from '#core/database';
import { type Currency, isId, type Money, money } from '#core/kernel';
import type { By, Needs } from './needs.ts';
import { linesOf, rowOf } from './read.ts';
import type { PayoutRow, SettlementRow } from './schema.ts';
import { reportScope, scopeParams, scopeSql } from './scope.ts';

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
  readonly fee_minor: number;
  readonly at: string;
}

const EXPORT_BLOCK = 500;
const SOURCE = {
  capture:
    "SELECT 'capture' AS kind, id, id AS transaction_id, captured_minor AS amount_minor, fee_minor, captured_at AS at FROM transactions",
  refund: "SELECT 'refund' AS kind, id, transaction_id, -amount_minor AS amount_minor, 0 AS fee_minor, refunded_at AS at FROM refunds",
};

function toLine({ kind, id, transaction_id, amount_minor, fee_minor, at }: Row, currency: Currency): SettlementLine {
  return {
    kind,
    id,
    transactionId: transaction_id,
    amount: money(amount_minor, currency),
    fee: money(fee_minor, currency),
    netAmount: money(amount_minor - fee_minor, currency),
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
  const rows = await read.all<Row>(
    `${SOURCE[kind]} WHERE tenant_id = :tenantId AND settlement_id = :settlementId AND id > :after ORDER BY id LIMIT ${Math.trunc(limit)} OFFSET :offset`,
    { settlementId: settlement.id, ...from },
  );
  return rows.map((row) => toLine(row, settlement.currency as Currency));
}

/** The captures and refunds that make a settlement's amounts, captures first, each in the order of their making. */
export async function lines(on: Needs, by: By, settlementId: string, at: PageOf): Promise<Page<SettlementLine>> {
  const row = await rowOf(on, by, settlementId);
  const read = on.database.read(by.tenantId);
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
export async function batchLines(on: Needs, by: By, row: PayoutRow): Promise<AsyncGenerator<BatchLine>> {
  const parts = await linesOf(on, by.tenantId, row);
  const read = on.database.read(by.tenantId);
  return (async function* () {
    for (const { settlement_id: settlementId } of parts) {
      const settlement = await rowOf(on, by, settlementId);
      const of = { batchId: row.id, settlementId, settlementDate: settlement.settlement_date };
      for await (const line of everyLine(read, settlement)) yield { ...line, ...of };
    }
  })();
}

const UNSETTLED = {
  capture: { at: 'captured_at', sql: "captured_minor > 0 AND status = 'approved'" },
  refund: { at: 'refunded_at', sql: "refunded_at IS NOT NULL AND status = 'approved'" },
};

/** Captures and refunds of a merchant, or of all merchants of the tenant, that belong to no settlement yet, in one currency, newest first. INVALID_CURRENCY. */
export async function unsettledLines(
  on: Needs,
  by: By,
  of: { readonly merchantId?: string; readonly currency?: string },
  at: PageOf,
): Promise<Page<UnsettledLine>> {
  const scope = await reportScope(on, by, of);
  const { currency } = scope;
  const read = on.database.read(by.tenantId);
  const own = `${scopeSql(scope)} AND currency = :currency`;
  const params = { ...scopeParams(scope), currency };
  const limit = Math.trunc(at.limit);
  const cursor = await placeOf(read, at.cursor);
  const offset = cursor ? 0 : (Math.trunc(at.page) - 1) * limit;
  const side = (kind: Row['kind']) => {
    const { at: time, sql } = UNSETTLED[kind];
    const after = cursor ? `AND ${time} <= :at AND (${time} < :at OR id < :id)` : '';
    return `SELECT * FROM (${SOURCE[kind]} WHERE ${own} AND settled_at IS NULL AND ${sql} ${after}
      ORDER BY ${time} DESC, id DESC LIMIT :reach) AS ${kind}s`;
  };
  const [rows, [counted]] = await Promise.all([
    read.all<Row>(`${side('capture')} UNION ALL ${side('refund')} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET :offset`, {
      offset,
      reach: offset + limit,
      ...params,
      ...cursor,
    }),
    read.all<{ n: number | null }>(`SELECT sum(n) AS n FROM ledger_unsettled_lines WHERE ${own}`, params),
  ]);
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

/** Where a cursor stands; it may have been settled since. */
async function placeOf(read: Read, cursor: string | undefined): Promise<{ at: string; id: string } | null> {
  if (cursor === undefined) return null;
  const kind = isId('txn', cursor) ? 'capture' : isId('ref', cursor) ? 'refund' : null;
  if (kind === null) return null;
  const [row] = await read.all<Row>(`${SOURCE[kind]} WHERE tenant_id = :tenantId AND id = :id`, { id: cursor });
  return row?.at ? { at: row.at, id: cursor } : null;
}
