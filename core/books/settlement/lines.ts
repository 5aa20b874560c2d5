import { READABLE_DISPUTE_MOVEMENTS } from '#core/books/disputes';
import {
  type Condition,
  cutPage,
  idCursorOf,
  lit,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  rowsToRead,
  sql,
  TENANT,
} from '#core/database';
import { type Caller, type Currency, checkPeriod, type IdPrefix, isId, money, type Period } from '#core/kernel';
import { READABLE_UNSETTLED_LINES } from '#core/records/ledger';
import { READABLE_REFUNDS, READABLE_TRANSACTIONS } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { findSettlement, linesOf } from './read.ts';
import type { SettlementLine, UnsettledLine } from './records.ts';
import type { PayoutRow, SettlementRow } from './schema.ts';
import { reportScope, scopeRows } from './scope.ts';

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

interface Position {
  readonly at: string;
  readonly id: string;
}

const EXPORT_BLOCK = 500;
const queries = queriesOn(READABLE_TRANSACTIONS, READABLE_REFUNDS, READABLE_DISPUTE_MOVEMENTS, READABLE_UNSETTLED_LINES);
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
  dispute: queries
    .selectFrom('dispute_movements')
    .select(['kind', 'id', 'transaction_id', 'amount_minor', lit<number | null>(0).as('fee_minor'), 'at'])
    .where('tenant_id', '=', TENANT),
};
type Source = keyof typeof SOURCE;
/** ID prefixes of the lines of a source, in the order of the sources in a settlement. */
const PREFIXES = { capture: 'txn', refund: 'ref', dispute: 'dsm' } as const satisfies Record<Source, IdPrefix>;
const SOURCES = Object.keys(PREFIXES) as Source[];
const sourceCursorOf = (pageRequest: PageRequest) => idCursorOf(pageRequest, ...Object.values(PREFIXES));

/** Sources of the lines that belong to no settlement yet. */
const UNSETTLED = {
  capture: SOURCE.capture.where('settled_at', 'is', null).where('captured_minor', '>', lit(0)).where('status', '=', lit('approved')),
  refund: SOURCE.refund.where('settled_at', 'is', null).where('refunded_at', 'is not', null).where('status', '=', lit('approved')),
  dispute: SOURCE.dispute.where('settled_at', 'is', null),
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

/** Returns the lines of one source in the order of their creation, from a position on. */
async function readLines(
  read: Read,
  settlement: SettlementRow,
  source: Source,
  position: { readonly after: string; readonly offset: number },
  limit: number,
): Promise<SettlementLine[]> {
  if (limit <= 0) return [];
  const { id } = settlement;
  const { after, offset } = position;
  // Written for each source, because the queries have different tables.
  const query = {
    capture: () => SOURCE.capture.where('settlement_id', '=', id).where('id', '>', after).orderBy('id').limit(limit).offset(offset),
    refund: () => SOURCE.refund.where('settlement_id', '=', id).where('id', '>', after).orderBy('id').limit(limit).offset(offset),
    dispute: () => SOURCE.dispute.where('settlement_id', '=', id).where('id', '>', after).orderBy('id').limit(limit).offset(offset),
  }[source]();
  const rows = await read.rows(query);
  return rows.map((row) => toLine(row, settlement.currency as Currency));
}

/** Returns the lines of a settlement: captures, refunds, then dispute movements, each in the order of their creation. */
export async function lines(
  deps: Dependencies,
  actor: Caller,
  settlementId: string,
  pageRequest: PageRequest,
): Promise<Page<SettlementLine>> {
  const row = await findSettlement(deps, actor, settlementId);
  const read = deps.database.read(actor.tenantId);
  const limit = Math.trunc(pageRequest.limit);
  const cursor = sourceCursorOf(pageRequest);
  const cursorSource = cursor === undefined ? undefined : SOURCES.find((source) => isId(PREFIXES[source], cursor));
  // Number of lines to skip before the page, while none of its sources has been reached.
  let skipped = cursorSource === undefined ? (Math.trunc(pageRequest.page) - 1) * limit : 0;
  const counts: Readonly<Record<Source, number>> = { capture: row.transaction_count, refund: row.refund_count, dispute: row.dispute_count };
  const found: SettlementLine[] = [];
  for (const source of SOURCES.slice(cursorSource === undefined ? 0 : SOURCES.indexOf(cursorSource))) {
    if (skipped >= counts[source]) {
      skipped -= counts[source];
      continue;
    }
    const position = { after: source === cursorSource ? (cursor ?? '') : '', offset: skipped };
    found.push(...(await readLines(read, row, source, position, rowsToRead(limit) - found.length)));
    skipped = 0;
  }
  return {
    ...cutPage(found, limit, ({ id }) => id),
    page: pageRequest.page,
    limit,
    total: row.transaction_count + row.refund_count + row.dispute_count,
  };
}

async function* everyLine(read: Read, settlement: SettlementRow): AsyncGenerator<SettlementLine> {
  for (const source of SOURCES) {
    for (let after = ''; ; ) {
      const found = await readLines(read, settlement, source, { after, offset: 0 }, EXPORT_BLOCK);
      yield* found;
      const last = found.at(-1);
      if (!last || found.length < EXPORT_BLOCK) break;
      after = last.id;
    }
  }
}

/** Returns a stream of all lines of a batch's settlements, in bounded memory. @throws ServiceError NOT_FOUND before the first line. */
export async function batchLines(
  deps: Dependencies,
  actor: Caller,
  row: PayoutRow,
  { startDate, endDate }: Period,
): Promise<AsyncGenerator<BatchLine>> {
  checkPeriod({ startDate, endDate });
  const parts = await linesOf(deps, actor.tenantId, row);
  const read = deps.database.read(actor.tenantId);
  return (async function* () {
    for (const { settlement_id: settlementId } of parts) {
      const settlement = await findSettlement(deps, actor, settlementId);
      const { settlement_date: day } = settlement;
      if (day < (startDate ?? day) || day > (endDate ?? day)) continue;
      const batchFields = { batchId: row.id, settlementId, settlementDate: settlement.settlement_date };
      for await (const line of everyLine(read, settlement)) yield { ...line, ...batchFields };
    }
  })();
}

/**
 * Returns captures, refunds and dispute movements that belong to no settlement yet, of a merchant or of all merchants of the tenant, in one currency, newest
 * first. @throws ServiceError INVALID_CURRENCY.
 */
export async function unsettledLines(
  deps: Dependencies,
  actor: Caller,
  query: { readonly merchantId?: string; readonly currency?: string },
  pageRequest: PageRequest,
): Promise<Page<UnsettledLine>> {
  const scope = await reportScope(deps, actor, query);
  const { currency } = scope;
  const read = deps.database.read(actor.tenantId);
  const scopeColumns = { ...scopeRows(scope), currency };
  const limit = Math.trunc(pageRequest.limit);
  const cursor = sourceCursorOf(pageRequest);
  const position = await positionOf(read, cursor);
  const offset = position ? 0 : (Math.trunc(pageRequest.page) - 1) * limit;
  // This limit is a parameter, unlike others, because it grows with every page.
  const rowLimit = sql<number>`${offset + rowsToRead(limit)}`;
  const captures = UNSETTLED.capture
    .where(({ and }) => and(scopeColumns))
    .$if(position !== null, (query) => query.where(isBefore('captured_at', position)))
    .orderBy('captured_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowLimit);
  const refunds = UNSETTLED.refund
    .where(({ and }) => and(scopeColumns))
    .$if(position !== null, (query) => query.where(isBefore('refunded_at', position)))
    .orderBy('refunded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowLimit);
  const movements = UNSETTLED.dispute
    .where(({ and }) => and(scopeColumns))
    .$if(position !== null, (query) => query.where(isBefore('at', position)))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowLimit);
  const unsettled = queries
    .selectFrom(captures.as('captures'))
    .selectAll()
    .unionAll(queries.selectFrom(refunds.as('refunds')).selectAll())
    .unionAll(queries.selectFrom(movements.as('movements')).selectAll())
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
  const counter = queries
    .selectFrom('ledger_unsettled_lines')
    .select(({ fn }) => fn.sum<number | null>('n').as('n'))
    .where(({ and }) => and(scopeColumns));
  const [rows, counted] = await Promise.all([read.rows(unsettled.limit(rowsToRead(limit)).offset(offset)), read.row(counter)]);
  const { items, nextCursor } = cutPage(rows, limit, ({ id }) => id);
  return {
    items: items.map((row) => {
      const { fee: _, netAmount: __, ...line } = toLine({ ...row, fee_minor: 0 }, currency);
      return line;
    }),
    page: pageRequest.page,
    limit,
    total: Number(counted?.n ?? 0),
    nextCursor,
  };
}

/** Returns the position of a cursor, whose line may have been settled since. */
async function positionOf(read: Read, cursor: string | undefined): Promise<Position | null> {
  if (cursor === undefined) return null;
  const source = SOURCES.find((each) => isId(PREFIXES[each], cursor));
  if (source === undefined) return null;
  const row = await read.row(
    source === 'capture'
      ? SOURCE.capture.where('id', '=', cursor)
      : source === 'refund'
        ? SOURCE.refund.where('id', '=', cursor)
        : SOURCE.dispute.where('id', '=', cursor),
  );
  return row?.at ? { at: row.at, id: cursor } : null;
}

/** Returns the condition for rows after a position, newest first. Written as two conditions, because an index serves the first one. */
function isBefore(column: 'captured_at' | 'refunded_at' | 'at', position: Position | null): Condition {
  const { at, id } = position ?? { at: '', id: '' };
  return sql<boolean>`${sql.ref(column)} <= ${at} and (${sql.ref(column)} < ${at} or id < ${id})`;
}
