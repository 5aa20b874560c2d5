import { createHash } from 'node:crypto';
import type { Database, Read } from '#core/database';
import type { SettlementLine } from '#core/gateways';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { resolveAgain } from './import-lines.ts';
import { compare, type Finding, type Pages, type Tally, type TheirLine } from './match.ts';
import { checkScope, type Needs, pause, type Scope, scopeFor } from './needs.ts';
import {
  capturesOf,
  hasOneMerchant,
  importedLines,
  knownOf,
  listOf,
  oldestSaleAt,
  refundsOf,
  type Settled,
  settledOn,
  transactionsOf,
  windowsOf,
} from './records.ts';
import { IMPORTS, ITEMS, type ItemRow, RUNS, type RunRow, WHOLE_TENANT } from './schema.ts';

/** Lines of a report that are looked up at once, and discrepancies that are written in one unit of work. */
const BLOCK = 500;
/** A gateway's clock may differ from ours: its report is asked for with a margin, and what belongs to another date is left out. */
const MARGIN_MS = 3_600_000;

/** What is to be compared. */
export interface Wanted {
  readonly date: string;
  /** Compares with an imported file instead of the gateway's report. */
  readonly importId?: string;
  readonly merchantId?: string;
}

/** Stands for the settlements of a date, so that it is seen when there are others. */
export function basisOf(settled: Pick<ReadonlyMap<string, unknown>, 'keys'>): string {
  return createHash('sha256')
    .update([...settled.keys()].sort().join(' '))
    .digest('base64url');
}

/** Compares the settlements of a date with the gateway's report or an imported file, and keeps the run with its discrepancies (decisions 9, 11). */
export async function run(on: Needs, by: Actor, wanted: Wanted): Promise<RunRow> {
  const read = on.database.read(by.tenantId);
  const of = await scopeOf(on, by, wanted);
  const settled = await settledOn(read, of.scope, wanted.date);
  const theirs = await theirLines(on, by, wanted, of, settled);
  const tally: Tally = { sums: new Map(), matched: 0 };
  const now = on.clockOf(by.tenantId).now();
  const sides = { captures: capturesOf(read, settled, wanted.date), refunds: refundsOf(read, settled, wanted.date), theirs };
  const row = newRun(by, wanted, of, settled, now);
  const previous = await previousRun(read, row);
  let items: ItemRow[] = [];
  for await (const findings of compare(sides, (subjects) => knownOf(read, of.scope, settled, subjects), tally)) {
    if (items.length > 0) await writeItems(on.database, by.tenantId, items);
    items = await takenOver(
      read,
      previous,
      findings.map((finding) => itemOf(row, finding, now)),
    );
    row.discrepancy_count += items.length;
    row.open_count += items.filter(({ status }) => status === 'open').length;
  }
  await keep(on, by, { ...row, ...totalsOf(tally, of), matched_count: tally.matched }, items);
  return (await read.one(RUNS, { id: row.id })) as RunRow;
}

/** An import belongs to a scope of its own; else it is the caller's. */
async function scopeOf(on: Needs, by: Actor, { importId, merchantId }: Wanted): Promise<Scope> {
  if (importId === undefined) return scopeFor(on, by, merchantId);
  const found = await on.database.read(by.tenantId).one(IMPORTS, { id: importId });
  if (found?.status !== 'ready')
    throw new ServiceError('NOT_FOUND', `There is no import ${importId.slice(0, 60)}.`, { details: { importId } });
  return checkScope(on, by, found.scope);
}

function newRun(
  by: Actor,
  { date, importId }: Wanted,
  { scope, merchant }: Scope,
  settled: ReadonlyMap<string, Settled>,
  now: number,
): RunRow {
  return {
    tenant_id: by.tenantId,
    id: newId('rec', now),
    scope,
    date,
    source: importId === undefined ? 'gateway' : 'import',
    import_id: importId ?? null,
    basis: basisOf(settled),
    is_settled: settled.size > 0 ? 1 : 0,
    currency: merchant.currency,
    transactions_minor: 0,
    settlements_minor: 0,
    totals: '[]',
    matched_count: 0,
    discrepancy_count: 0,
    open_count: 0,
    created_at: isoTime(now),
    created_by: by.name,
  };
}

/** The last run of the same date and source, whose explanations go on. */
async function previousRun(read: Read, { scope, date, source }: RunRow): Promise<string | null> {
  const [row] = await read.all<{ id: string }>(
    `SELECT id FROM reconciliation_runs WHERE tenant_id = :tenantId AND scope = :scope AND date = :date AND source = :source ORDER BY id DESC LIMIT 1`,
    { scope, date, source },
  );
  return row?.id ?? null;
}

function theirLines(
  on: Needs,
  by: Actor,
  { date, importId }: Wanted,
  of: Scope,
  settled: ReadonlyMap<string, Settled>,
): Promise<Pages<TheirLine>> {
  if (importId === undefined) return reportedLines(on, by, of.scope, settled, date);
  return resolveAgain(on, by.tenantId, of.scope, importId).then(() => importedLines(on.database.read(by.tenantId), importId, date));
}

/**
 * The gateway's report around the windows of a date, in the order of our transactions. What nobody knows belongs to no merchant that could be named: it
 * is told to callers of the whole tenant, and to a merchant that is alone.
 */
async function reportedLines(
  on: Needs,
  by: Actor,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  date: string,
): Promise<Pages<TheirLine>> {
  const read = on.database.read(by.tenantId);
  const windows = await windowsOf(read, scope, settled, date);
  const connector = on.gateways.of(by.tenantId);
  if (windows.length === 0) return inPages([]);
  // A payment whose answer was lost was taken by the gateway before it was captured here.
  const oldest = await oldestSaleAt(read, date);
  const from = [...windows.map((window) => window.from), ...(oldest === null ? [] : [oldest])].sort()[0] as string;
  const to = windows
    .map((window) => window.to)
    .sort()
    .at(-1) as string;
  const period = { from: isoTime(Math.max(0, Date.parse(from) - MARGIN_MS)), to: isoTime(Date.parse(to) + MARGIN_MS) };
  const report = await connector.settlementReport({ tenantId: by.tenantId, ...period }).catch((cause: unknown) => {
    throw cause instanceof ServiceError ? cause : new ServiceError('GATEWAY_ERROR', 'The gateway did not give its report.', { cause });
  });
  const isNamed = scope === WHOLE_TENANT || (await hasOneMerchant(read));
  const lines: TheirLine[] = [];
  for (let at = 0; at < report.length; at += BLOCK) {
    const block = report.slice(at, at + BLOCK);
    const subjects = await transactionsOf(
      read,
      block.map(({ processorRef }) => processorRef),
    );
    for (const line of block) {
      const subject = subjects.get(line.processorRef) ?? '';
      const isOfDate = windows.some((window) => line.at >= window.from && line.at < window.to);
      if (subject !== '' || isNamed) lines.push(lineOf(line, subject, isOfDate));
    }
    await pause();
  }
  lines.sort((left, right) => compareTexts(left.subject, right.subject) || compareTexts(left.reference, right.reference));
  return inPages(lines);
}

const compareTexts = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

function lineOf({ reference, kind, amount }: SettlementLine, subject: string, isOfDate: boolean): TheirLine {
  const minor = kind === 'refund' ? -amount.minor : amount.minor;
  return { subject, kind, reference, currency: amount.currency, minor, isOfDate };
}

async function* inPages(lines: readonly TheirLine[]): AsyncGenerator<readonly TheirLine[]> {
  for (let at = 0; at < lines.length; at += BLOCK) yield lines.slice(at, at + BLOCK);
}

function itemOf(row: RunRow, finding: Finding, now: number): ItemRow {
  const { type, kind, transactionId, refundId, reference, ours, theirs, ordinal } = finding;
  return {
    tenant_id: row.tenant_id,
    id: newId('dsc', now),
    run_id: row.id,
    identity: [type, kind, transactionId ?? reference, refundId, ours, theirs, ordinal].join('/'),
    type,
    kind,
    merchant_id: finding.merchantId,
    transaction_id: transactionId,
    refund_id: refundId,
    settlement_reference: reference,
    currency: finding.currency,
    transaction_minor: ours,
    settled_minor: theirs,
    difference_minor: (ours ?? 0) - (theirs ?? 0),
    status: 'open',
    note: null,
    resolved_by: null,
    resolved_at: null,
    created_at: isoTime(now),
  };
}

/** Discrepancies with the explanations that the run before has for the same ones. */
async function takenOver(read: Read, previous: string | null, items: ItemRow[]): Promise<ItemRow[]> {
  if (previous === null) return items;
  const known = new Map<string, ItemRow>();
  for (let at = 0; at < items.length; at += BLOCK) {
    const { list, params } = listOf(items.slice(at, at + BLOCK).map(({ identity }) => identity));
    const rows = await read.all<ItemRow>(
      `SELECT identity, note, resolved_by, resolved_at FROM reconciliation_items
       WHERE tenant_id = :tenantId AND run_id = :previous AND status = 'resolved' AND identity IN (${list})`,
      { ...params, previous },
    );
    for (const row of rows) known.set(row.identity, row);
  }
  return items.map((item) => {
    const same = known.get(item.identity);
    if (!same) return item;
    const { note, resolved_by, resolved_at } = same;
    return { ...item, status: 'resolved', note, resolved_by, resolved_at };
  });
}

async function writeItems(database: Database, tenantId: string, items: readonly ItemRow[]): Promise<void> {
  for (let at = 0; at < items.length; at += BLOCK) {
    await database.unitOfWork.record(tenantId, (batch) => {
      for (const item of items.slice(at, at + BLOCK)) batch.insert(ITEMS, item);
    });
  }
}

function totalsOf({ sums }: Tally, { merchant }: Scope): Pick<RunRow, 'currency' | 'transactions_minor' | 'settlements_minor' | 'totals'> {
  const all = [...sums].sort(([left], [right]) => compareTexts(left, right));
  const [first] = all;
  // A merchant that takes another currency than its own alone is told in that one.
  const main = sums.has(merchant.currency) || !first ? merchant.currency : first[0];
  const of = sums.get(main) ?? { transactions: 0, settlements: 0 };
  return {
    currency: main,
    transactions_minor: of.transactions,
    settlements_minor: of.settlements,
    totals: JSON.stringify(all.map(([currency, { transactions, settlements }]) => ({ currency, transactions, settlements }))),
  };
}

/** Writes the last discrepancies and, with its counts, the run: without it nobody sees any of them. */
async function keep(on: Needs, by: Actor, row: RunRow, items: readonly ItemRow[]): Promise<void> {
  const last = items.slice(-BLOCK);
  await writeItems(on.database, by.tenantId, items.slice(0, -BLOCK));
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    for (const item of last) await work.insert(ITEMS, item);
    await work.insert(RUNS, row);
    on.audit(work, {
      by,
      action: 'reconciliation.run',
      resource: `settlement/reconciliation/${row.id}`,
      merchantId: row.scope === WHOLE_TENANT ? null : row.scope,
      after: {
        date: row.date,
        source: row.source,
        importId: row.import_id,
        currency: row.currency,
        transactions: row.transactions_minor,
        settlements: row.settlements_minor,
        matched: row.matched_count,
        discrepancies: row.discrepancy_count,
      },
    });
    work.afterCommit(() => on.changed(by.tenantId, 'settlement'));
  });
}
