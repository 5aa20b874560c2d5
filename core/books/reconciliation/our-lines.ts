import { READABLE_DISPUTE_REPORTS } from '#core/books/disputes';
import { READABLE_SETTLEMENTS } from '#core/books/settlement';
import { listOf, lit, queriesOn, type Read, type RowOf, sql, TENANT } from '#core/database';
import { READABLE_GATEWAYS, READABLE_MERCHANTS } from '#core/processing/merchants';
import { READABLE_ATTEMPTS, READABLE_REFUNDS, READABLE_TRANSACTIONS } from '#core/sales/payments';
import { pause } from './dependencies.ts';
import type { OurLine, TheirLine, TransactionDetails } from './match.ts';
import { settledInOtherFiles } from './other-files.ts';
import { IMPORT_LINES, type ImportLineRow, WHOLE_TENANT } from './schema.ts';

/** Lines per read: a page takes a few milliseconds, and other requests run in between. */
const PAGE = 2_000;
/** Number of days searched for the preceding settlement. */
const LOOK_BACK_DAYS = 100;
const LOOK_AHEAD_DAYS = 31;
const DAY_MS = 86_400_000;

type Transaction = RowOf<typeof READABLE_TRANSACTIONS>;
type Refund = RowOf<typeof READABLE_REFUNDS>;

const queries = queriesOn(
  READABLE_TRANSACTIONS,
  READABLE_REFUNDS,
  READABLE_ATTEMPTS,
  READABLE_SETTLEMENTS,
  READABLE_GATEWAYS,
  READABLE_MERCHANTS,
  READABLE_DISPUTE_REPORTS,
  IMPORT_LINES,
);

/** A closed settlement of the compared date. */
export interface Settled {
  readonly id: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly cutoffAt: string;
}

/** Returns the closed settlements of a date within a scope by ID. */
export async function settledOn(read: Read, scope: string, date: string): Promise<ReadonlyMap<string, Settled>> {
  const rows = await read.rows(
    queries
      .selectFrom('settlements')
      .select(['id', 'merchant_id', 'currency', 'cutoff_at'])
      .where('tenant_id', '=', TENANT)
      .where('settlement_date', '=', date)
      .where('status', '<>', lit('assembling'))
      .orderBy('id'),
  );
  const inScope = rows.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope);
  return new Map(
    inScope.map((row) => [row.id, { id: row.id, merchantId: row.merchant_id, currency: row.currency, cutoffAt: row.cutoff_at }]),
  );
}

/** Returns the time of the oldest sale with a date; null if there is none. */
export async function oldestSaleAt(read: Read, date: string): Promise<string | null> {
  const transactions = queries.selectFrom('transactions').where('tenant_id', '=', TENANT);
  const oldest = await read.row(
    transactions.select('id').where('settlement_date', '=', date).where('type', '=', lit('sale')).orderBy('id').limit(1),
  );
  if (!oldest) return null;
  const row = await read.row(transactions.select('created_at').where('id', '=', oldest.id));
  return row?.created_at ?? null;
}

/** Returns the payments of a range that were refunded by a void: gateways report neither their capture nor their refund. */
async function voidedOf(read: Read, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await read.rows(
    queries
      .selectFrom('refunds')
      .select('transaction_id')
      .where('tenant_id', '=', TENANT)
      .where('sent_as', '=', lit('void'))
      .where('status', '=', lit('approved'))
      .where('transaction_id', '>=', ids[0] ?? '')
      .where('transaction_id', '<=', ids.at(-1) ?? ''),
  );
  return new Set(rows.map(({ transaction_id }) => transaction_id));
}

/** Yields the captures of a date in pages, in the order of their transactions. */
export async function* capturesOf(read: Read, settled: ReadonlyMap<string, Settled>, date: string): AsyncGenerator<OurLine[]> {
  if (settled.size === 0) return;
  for (let after = ''; ; ) {
    const rows: Pick<Transaction, 'id' | 'settlement_id' | 'captured_minor'>[] = await read.rows(
      queries
        .selectFrom('transactions')
        .select(['id', 'settlement_id', 'captured_minor'])
        .where('tenant_id', '=', TENANT)
        .where('settlement_date', '=', date)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE),
    );
    const unreported = await voidedOf(
      read,
      rows.map(({ id }) => id),
    );
    yield rows.flatMap((row) => {
      const settlement = settled.get(row.settlement_id ?? '');
      if (!settlement || unreported.has(row.id)) return [];
      const { merchantId, currency } = settlement;
      return [{ subject: row.id, kind: 'capture', id: row.id, merchantId, currency, minor: row.captured_minor } as const];
    });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
    await pause();
  }
}

/** Yields the refunds of a date in pages, in the order of their transactions. */
export async function* refundsOf(read: Read, settled: ReadonlyMap<string, Settled>, date: string): AsyncGenerator<OurLine[]> {
  if (settled.size === 0) return;
  for (let after = { transaction: '', id: '' }; ; ) {
    const rows: Pick<Refund, 'transaction_id' | 'id' | 'settlement_id' | 'amount_minor'>[] = await read.rows(
      queries
        .selectFrom('refunds')
        .select(['transaction_id', 'id', 'settlement_id', 'amount_minor'])
        .where('tenant_id', '=', TENANT)
        .where('settlement_date', '=', date)
        .where(({ eb, refTuple, tuple }) => eb(refTuple('transaction_id', 'id'), '>', tuple(after.transaction, after.id)))
        .orderBy('transaction_id')
        .orderBy('id')
        .limit(PAGE),
    );
    const unreported = await voidedOf(
      read,
      rows.map(({ transaction_id }) => transaction_id),
    );
    yield rows.flatMap((row) => {
      const settlement = settled.get(row.settlement_id ?? '');
      if (!settlement || unreported.has(row.transaction_id)) return [];
      const { merchantId, currency } = settlement;
      return [{ subject: row.transaction_id, kind: 'refund', id: row.id, merchantId, currency, minor: -row.amount_minor } as const];
    });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = { transaction: last.transaction_id, id: last.id };
    await pause();
  }
}

/** Yields the lines of an import in pages, in the order of their transactions. */
export async function* importedLines(read: Read, importId: string, date: string): AsyncGenerator<TheirLine[]> {
  for (let after = { subject: '', reference: '', line: -1 }; ; ) {
    const rows: Omit<ImportLineRow, 'tenant_id' | 'import_id'>[] = await read.rows(
      queries
        .selectFrom('settlement_import_lines')
        .select(['line', 'reference', 'subject', 'kind', 'currency', 'amount_minor', 'day'])
        .where('tenant_id', '=', TENANT)
        .where('import_id', '=', importId)
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('subject', 'reference', 'line'), '>', tuple(after.subject, after.reference, after.line)),
        )
        .orderBy('subject')
        .orderBy('reference')
        .orderBy('line')
        .limit(PAGE),
    );
    yield rows.map(({ subject, reference, kind, currency, amount_minor: minor, day }) => ({
      subject,
      kind,
      reference,
      currency,
      minor,
      isOfDate: day === date,
    }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = { subject: last.subject, reference: last.reference, line: Number(last.line) };
    await pause();
  }
}

/**
 * Returns the details of transactions apart from the compared settlements, without those of other merchants. `importId` is the compared file, or undefined
 * for the gateway's report.
 */
export async function transactionDetailsOf(
  read: Read,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  importId: string | undefined,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, TransactionDetails>> {
  if (subjects.length === 0) return new Map();
  const list = listOf(subjects);
  const transactions = await read.rows(
    queries
      .selectFrom('transactions')
      .select(['id', 'merchant_id', 'status', 'currency', 'captured_minor', 'settlement_date'])
      .where('tenant_id', '=', TENANT)
      .where('id', 'in', list),
  );
  const refunds = await read.rows(
    queries
      .selectFrom('refunds')
      .select(['transaction_id', 'currency', 'amount_minor', 'settlement_id', 'status', 'sent_as'])
      .where('tenant_id', '=', TENANT)
      .where('transaction_id', 'in', list),
  );
  await pause();
  // Not filtered by SQLite, which would read all approved refunds of the tenant through the index of the states.
  const approved = refunds.filter(({ status }) => status === 'approved');
  // A gateway reports neither the capture nor the refund of these payments.
  const voided = new Set(approved.filter(({ sent_as }) => sent_as === 'void').map(({ transaction_id }) => transaction_id));
  const others = Map.groupBy(
    approved.filter(
      ({ transaction_id, settlement_id }) => !voided.has(transaction_id) && (settlement_id === null || !settled.has(settlement_id)),
    ),
    ({ transaction_id }) => transaction_id,
  );
  const inScope = transactions.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope);
  const inOtherFiles = await settledInOtherFiles(read, scope, importId, inScope);
  return new Map(
    inScope.map(({ id, status, currency, captured_minor }) => [
      id,
      {
        capturedIn: status === 'approved' && captured_minor > 0 && !voided.has(id) ? currency : null,
        isSettledInOtherFile: inOtherFiles.has(id),
        otherRefunds: (others.get(id) ?? []).map(({ currency, amount_minor }) => ({ currency, minor: -amount_minor })),
      },
    ]),
  );
}

/** A period of time whose payments belong to one settlement date. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

const BEGINNING = '1970-01-01T00:00:00.000Z';
const dayFrom = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns a window for every cutoff of the date: from the previous cutoff to this one. Windows do not overlap, so an instant belongs to
 * exactly
 * one date.
 */
export async function windowsOf(
  read: Read,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  date: string,
): Promise<readonly Window[]> {
  const cutoffs = [...new Set([...settled.values()].map(({ cutoffAt }) => cutoffAt))].sort();
  if (cutoffs.length === 0) return [];
  const rows = await read.rows(
    queries
      .selectFrom('settlements')
      .select(['cutoff_at', 'merchant_id'])
      .distinct()
      .where('tenant_id', '=', TENANT)
      .where('settlement_date', '>=', dayFrom(date, -LOOK_BACK_DAYS))
      .where('settlement_date', '<=', dayFrom(date, LOOK_AHEAD_DAYS))
      .orderBy('cutoff_at'),
  );
  const allCutoffs = rows.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope).map(({ cutoff_at }) => cutoff_at);
  return cutoffs.map((to) => ({ from: allCutoffs.findLast((cutoff) => cutoff < to) ?? BEGINNING, to }));
}

/** The transaction that a reference belongs to. */
export interface Subject {
  readonly transactionId: string;
  readonly isRefund: boolean;
}

/** Returns the transactions of references: our IDs, our references of attempts, or the gateway's references of settled payments. */
export async function subjectsOf(read: Read, scope: string, references: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
  const unique = [...new Set(references)];
  if (unique.length === 0) return new Map();
  const list = listOf(unique);
  const rows = await read.rows(ownIds(list).unionAll(refundIds(list)).unionAll(attemptReferences(list)).unionAll(gatewayReferences(list)));
  const inScope = rows.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope);
  return new Map(inScope.map((row) => [row.reference, { transactionId: row.transaction_id, isRefund: Number(row.is_refund) === 1 }]));
}

/**
 * References as rows with one column, `column1`. They come first in a cross join, so that SQLite looks up each of them by the index of the joined table. With a
 * list of values it reads all payments of the tenant through another index that contains the selected columns.
 */
const rowsOfList = (list: readonly string[]) =>
  sql<{ column1: string }>`(values ${sql.join(list.map((value) => sql`(${value})`))})`.as('r');

const ownIds = (list: readonly string[]) =>
  queries
    .selectFrom(rowsOfList(list))
    .crossJoin('transactions as t')
    .select(['t.id as reference', 't.id as transaction_id', 't.merchant_id', lit<number>(0).as('is_refund')])
    .where('t.tenant_id', '=', TENANT)
    .whereRef('t.id', '=', 'r.column1');

const refundIds = (list: readonly string[]) =>
  queries
    .selectFrom('refunds')
    .select(['id as reference', 'transaction_id', 'merchant_id', lit<number>(1).as('is_refund')])
    .where('tenant_id', '=', TENANT)
    .where('id', 'in', list);

const attemptReferences = (list: readonly string[]) =>
  queries
    .selectFrom('attempts as a')
    .innerJoin('transactions as t', (join) => join.onRef('t.tenant_id', '=', 'a.tenant_id').onRef('t.id', '=', 'a.transaction_id'))
    .select(['a.processor_ref as reference', 'a.transaction_id', 't.merchant_id'])
    .select(({ eb }) => eb.case().when('a.operation', '=', lit('refund')).then(lit<number>(1)).else(lit<number>(0)).end().as('is_refund'))
    .where('a.tenant_id', '=', TENANT)
    .where('a.processor_ref', 'in', list);

const gatewayReferences = (list: readonly string[]) =>
  queries
    .selectFrom(rowsOfList(list))
    .crossJoin('transactions as t')
    .select(['r.column1 as reference', 't.id as transaction_id', 't.merchant_id', lit<number>(0).as('is_refund')])
    .where('t.tenant_id', '=', TENANT)
    .where('t.settlement_date', 'is not', null)
    .whereRef('t.gateway_reference', '=', 'r.column1');

/** Returns the transactions of a gateway's lines for all merchants, because a report covers the tenant. */
export async function transactionsOf(read: Read, processorRefs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await read.rows(
    queries
      .selectFrom('attempts')
      .select(['processor_ref', 'transaction_id'])
      .where('tenant_id', '=', TENANT)
      .where('processor_ref', 'in', listOf([...new Set(processorRefs)])),
  );
  return new Map(rows.map((row) => [row.processor_ref, row.transaction_id]));
}

/** Returns the chargebacks and reversals of processors that belong to no dispute, received within a window. */
export async function openChargebacks(read: Read, { from, to }: Window): Promise<readonly TheirLine[]> {
  const rows = await read.rows(
    queries
      .selectFrom('dispute_reports')
      .select(['transaction_id', 'reference', 'kind', 'currency', 'amount_minor'])
      .where('tenant_id', '=', TENANT)
      .where('result', 'in', [lit('unmatched'), lit('conflict')])
      .where('received_at', '>=', from)
      .where('received_at', '<', to)
      .orderBy('id'),
  );
  return rows.map(({ transaction_id, reference, kind, currency, amount_minor: minor }) => ({
    subject: transaction_id ?? '',
    kind: 'chargeback',
    reference,
    currency,
    minor: kind === 'reversal' ? minor : -minor,
    isOfDate: true,
  }));
}

/** Returns true if a tenant has only ever had one merchant, so that unknown lines belong to it. */
export async function hasOneMerchant(read: Read): Promise<boolean> {
  const row = await read.row(
    queries
      .selectFrom('merchants')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('tenant_id', '=', TENANT),
  );
  return Number(row?.n ?? 0) === 1;
}

/** Returns removed gateways without payments of the date. Their reports are not requested, because their credentials may be revoked. */
export async function skippedGateways(read: Read, date: string): Promise<ReadonlySet<string>> {
  const rows = await read.rows(
    queries
      .selectFrom('gateways as g')
      .select('g.id')
      .where('g.tenant_id', '=', TENANT)
      .where('g.removed_at', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('transactions as t')
              .select(lit(1).as('one'))
              .whereRef('t.tenant_id', '=', 'g.tenant_id')
              .where('t.settlement_date', '=', date)
              .whereRef('t.gateway_id', '=', 'g.id'),
          ),
        ),
      ),
  );
  return new Set(rows.map(({ id }) => id));
}
