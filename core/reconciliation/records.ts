import { namedValues, type Read } from '#core/database';
import { assert } from '#core/kernel';
import type { Known, OurLine, TheirLine } from './match.ts';
import { pause } from './needs.ts';
import { WHOLE_TENANT } from './schema.ts';

/** Lines that are read at once: a page takes a few milliseconds, and others have their turn between two. */
const PAGE = 2_000;
/** How far back the settlement before one is looked for. */
const LOOK_BACK_DAYS = 100;
const LOOK_AHEAD_DAYS = 31;
const DAY_MS = 86_400_000;

/** Lists of values have one of a few lengths, so that there are few statements to prepare. */
const LIST_LENGTHS = [8, 32, 128, 512];

/** Values to put in `IN (…)`; the last one is said again until the list has its length. */
export function listOf(values: readonly string[]): { readonly list: string; readonly params: Record<string, string> } {
  const length = LIST_LENGTHS.find((each) => each >= values.length);
  assert(length !== undefined && values.length > 0, 'values are listed in blocks');
  const { names, params } = namedValues([...values, ...Array<string>(length - values.length).fill(values[values.length - 1] as string)]);
  return { list: names.join(', '), params };
}

/** A closed settlement of the date that is compared. */
export interface Settled {
  readonly id: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly cutoffAt: string;
}

/** The closed settlements of a date within a scope, by id. */
export async function settledOn(read: Read, scope: string, date: string): Promise<ReadonlyMap<string, Settled>> {
  const rows = await read.all<{ id: string; merchant_id: string; currency: string; cutoff_at: string }>(
    `SELECT id, merchant_id, currency, cutoff_at FROM settlements
     WHERE tenant_id = :tenantId AND settlement_date = :date AND status <> 'assembling' ORDER BY id`,
    { date },
  );
  const own = rows.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope);
  return new Map(own.map((row) => [row.id, { id: row.id, merchantId: row.merchant_id, currency: row.currency, cutoffAt: row.cutoff_at }]));
}

/** When the oldest sale was made that carries a date; null without any. */
export async function oldestSaleAt(read: Read, date: string): Promise<string | null> {
  const [oldest] = await read.all<{ id: string }>(
    `SELECT id FROM transactions WHERE tenant_id = :tenantId AND settlement_date = :date AND type = 'sale' ORDER BY id LIMIT 1`,
    { date },
  );
  if (!oldest) return null;
  const [row] = await read.all<{ created_at: string }>(
    'SELECT created_at FROM transactions WHERE tenant_id = :tenantId AND id = :id',
    oldest,
  );
  return row?.created_at ?? null;
}

/** Payments between the first and the last of a list that were given back by a void: no gateway reports their capture or their refund. */
async function voidedOf(read: Read, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await read.all<{ transaction_id: string }>(
    `SELECT transaction_id FROM refunds
     WHERE tenant_id = :tenantId AND sent_as = 'void' AND status = 'approved' AND transaction_id BETWEEN :from AND :to`,
    { from: ids[0] ?? '', to: ids.at(-1) ?? '' },
  );
  return new Set(rows.map(({ transaction_id }) => transaction_id));
}

/** The captures of a date in pages, in the order of their transactions. */
export async function* capturesOf(read: Read, settled: ReadonlyMap<string, Settled>, date: string): AsyncGenerator<OurLine[]> {
  if (settled.size === 0) return;
  for (let after = ''; ; ) {
    const rows = await read.all<{ id: string; settlement_id: string; captured_minor: number }>(
      `SELECT id, settlement_id, captured_minor FROM transactions
       WHERE tenant_id = :tenantId AND settlement_date = :date AND id > :after ORDER BY id LIMIT ${PAGE}`,
      { date, after },
    );
    const unreported = await voidedOf(
      read,
      rows.map(({ id }) => id),
    );
    yield rows.flatMap((row) => {
      const of = settled.get(row.settlement_id);
      if (!of || unreported.has(row.id)) return [];
      const { merchantId, currency } = of;
      return [{ subject: row.id, kind: 'capture', id: row.id, merchantId, currency, minor: row.captured_minor } as const];
    });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
    await pause();
  }
}

/** The refunds of a date in pages, in the order of their transactions. */
export async function* refundsOf(read: Read, settled: ReadonlyMap<string, Settled>, date: string): AsyncGenerator<OurLine[]> {
  if (settled.size === 0) return;
  for (let after = { transaction: '', id: '' }; ; ) {
    const rows = await read.all<{ transaction_id: string; id: string; settlement_id: string; amount_minor: number }>(
      `SELECT transaction_id, id, settlement_id, amount_minor FROM refunds
       WHERE tenant_id = :tenantId AND settlement_date = :date AND (transaction_id, id) > (:transaction, :id) ORDER BY transaction_id, id LIMIT ${PAGE}`,
      { date, ...after },
    );
    const unreported = await voidedOf(
      read,
      rows.map(({ transaction_id }) => transaction_id),
    );
    yield rows.flatMap((row) => {
      const of = settled.get(row.settlement_id);
      if (!of || unreported.has(row.transaction_id)) return [];
      const { merchantId, currency } = of;
      return [{ subject: row.transaction_id, kind: 'refund', id: row.id, merchantId, currency, minor: -row.amount_minor } as const];
    });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = { transaction: last.transaction_id, id: last.id };
    await pause();
  }
}

/** The lines of an import in pages, in the order of the transactions that they were found to be. */
export async function* importedLines(read: Read, importId: string, date: string): AsyncGenerator<TheirLine[]> {
  interface Row {
    subject: string;
    reference: string;
    line: number;
    kind: TheirLine['kind'];
    currency: string;
    amount_minor: number;
    day: string;
  }
  for (let after = { subject: '', reference: '', line: -1 }; ; ) {
    const rows = await read.all<Row>(
      `SELECT subject, reference, line, kind, currency, amount_minor, day FROM settlement_import_lines
       WHERE tenant_id = :tenantId AND import_id = :importId AND (subject, reference, line) > (:subject, :reference, :line)
       ORDER BY subject, reference, line LIMIT ${PAGE}`,
      { importId, ...after },
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

/** What is known here of transactions, apart from the settlements that are compared. Those of other merchants are not in the answer. */
export async function knownOf(
  read: Read,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  if (subjects.length === 0) return new Map();
  const { list, params } = listOf(subjects);
  const transactions = await read.all<{ id: string; merchant_id: string; status: string; captured_minor: number }>(
    `SELECT id, merchant_id, status, captured_minor FROM transactions WHERE tenant_id = :tenantId AND id IN (${list})`,
    params,
  );
  const refunds = await read.all<{ transaction_id: string; currency: string; amount_minor: number; settlement_id: string | null }>(
    `SELECT transaction_id, currency, amount_minor, settlement_id FROM refunds
     WHERE tenant_id = :tenantId AND transaction_id IN (${list}) AND status = 'approved'`,
    params,
  );
  await pause();
  const others = Map.groupBy(
    refunds.filter(({ settlement_id }) => settlement_id === null || !settled.has(settlement_id)),
    ({ transaction_id }) => transaction_id,
  );
  const own = transactions.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope);
  return new Map(
    own.map(({ id, status, captured_minor }) => [
      id,
      {
        isCaptured: status === 'approved' && captured_minor > 0,
        otherRefunds: (others.get(id) ?? []).map(({ currency, amount_minor }) => ({ currency, minor: -amount_minor })),
      },
    ]),
  );
}

/** A stretch of time; what was taken in it belongs to one settlement date. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

const BEGINNING = '1970-01-01T00:00:00.000Z';
const dayFrom = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** From the cutoff before to its own, for every cutoff of the date: the windows of all dates lie side by side, so that an instant is one date's. */
export async function windowsOf(
  read: Read,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  date: string,
): Promise<readonly Window[]> {
  const cutoffs = [...new Set([...settled.values()].map(({ cutoffAt }) => cutoffAt))].sort();
  if (cutoffs.length === 0) return [];
  const rows = await read.all<{ cutoff_at: string; merchant_id: string }>(
    `SELECT DISTINCT cutoff_at, merchant_id FROM settlements
     WHERE tenant_id = :tenantId AND settlement_date BETWEEN :from AND :to ORDER BY cutoff_at`,
    { from: dayFrom(date, -LOOK_BACK_DAYS), to: dayFrom(date, LOOK_AHEAD_DAYS) },
  );
  const all = rows.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope).map(({ cutoff_at }) => cutoff_at);
  return cutoffs.map((to) => ({ from: all.findLast((cutoff) => cutoff < to) ?? BEGINNING, to }));
}

/** What a reference was found to be. */
export interface Subject {
  readonly transactionId: string;
  readonly isRefund: boolean;
}

/** The transactions that references mean: our own ids, our references of attempts, or the gateway's of what was settled. */
export async function subjectsOf(read: Read, scope: string, references: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
  const wanted = [...new Set(references)];
  if (wanted.length === 0) return new Map();
  const { list, params } = listOf(wanted);
  // By whole keys: SQLite would take a list of ids for more work than reading an index of the merchants through.
  const keys = list
    .split(', ')
    .map((name) => `(:tenantId, ${name})`)
    .join(', ');
  const rows = await read.all<{ reference: string; transaction_id: string; merchant_id: string; is_refund: number }>(
    `SELECT id AS reference, id AS transaction_id, merchant_id, 0 AS is_refund FROM transactions WHERE (tenant_id, id) IN (VALUES ${keys})
     UNION ALL SELECT id, transaction_id, merchant_id, 1 FROM refunds WHERE tenant_id = :tenantId AND id IN (${list})
     UNION ALL SELECT a.processor_ref, a.transaction_id, t.merchant_id, CASE WHEN a.operation = 'refund' THEN 1 ELSE 0 END
       FROM attempts a JOIN transactions t ON t.tenant_id = a.tenant_id AND t.id = a.transaction_id
       WHERE a.tenant_id = :tenantId AND a.processor_ref IN (${list})
     UNION ALL SELECT gateway_reference, id, merchant_id, 0 FROM transactions
       WHERE tenant_id = :tenantId AND settlement_date IS NOT NULL AND gateway_reference IN (${list})`,
    params,
  );
  const own = rows.filter(({ merchant_id }) => scope === WHOLE_TENANT || merchant_id === scope);
  return new Map(own.map((row) => [row.reference, { transactionId: row.transaction_id, isRefund: Number(row.is_refund) === 1 }]));
}

/** The transactions of a gateway's lines, whoever they are of: a report speaks of the whole tenant. */
export async function transactionsOf(read: Read, processorRefs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { list, params } = listOf([...new Set(processorRefs)]);
  const rows = await read.all<{ processor_ref: string; transaction_id: string }>(
    `SELECT processor_ref, transaction_id FROM attempts WHERE tenant_id = :tenantId AND processor_ref IN (${list})`,
    params,
  );
  return new Map(rows.map((row) => [row.processor_ref, row.transaction_id]));
}

/** Whether a tenant has, or had, one merchant alone: then what nobody knows is that merchant's. */
export async function hasOneMerchant(read: Read): Promise<boolean> {
  const [row] = await read.all<{ n: number }>('SELECT count(*) AS n FROM merchants WHERE tenant_id = :tenantId');
  return Number(row?.n ?? 0) === 1;
}
