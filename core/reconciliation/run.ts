import { createHash } from 'node:crypto';
import type { Database } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { explainedRuns, takenOver } from './explanations.ts';
import { resolveAgain } from './import-lines.ts';
import { compare, type Finding, type Tally, type TheirLine } from './match.ts';
import { checkScope, type Needs, type Scope, scopeFor } from './needs.ts';
import { capturesOf, importedLines, knownOf, refundsOf, type Settled, settledOn } from './records.ts';
import { reportedLines } from './reported.ts';
import { IMPORTS, ITEMS, type ItemRow, RUNS, type RunRow, WHOLE_TENANT } from './schema.ts';
import { compareTexts, type Sorted } from './sorted.ts';

/** Discrepancies that are written in one unit of work. */
const BLOCK = 500;

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
  try {
    return await comparedWith(on, by, wanted, of, settled, theirs);
  } finally {
    await theirs.dispose();
  }
}

async function comparedWith(
  on: Needs,
  by: Actor,
  wanted: Wanted,
  of: Scope,
  settled: ReadonlyMap<string, Settled>,
  { pages: theirs }: Sorted<TheirLine>,
): Promise<RunRow> {
  const read = on.database.read(by.tenantId);
  const tally: Tally = { sums: new Map(), matched: 0 };
  const now = on.clockOf(by.tenantId).now();
  const sides = { captures: capturesOf(read, settled, wanted.date), refunds: refundsOf(read, settled, wanted.date), theirs };
  const row = newRun(by, wanted, of, settled, now);
  const explained = await explainedRuns(read, row);
  let items: ItemRow[] = [];
  for await (const findings of compare(sides, (subjects) => knownOf(read, of.scope, settled, subjects), tally)) {
    if (items.length > 0) await writeItems(on.database, by.tenantId, items);
    items = await takenOver(
      read,
      explained,
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

/** The other side, in the order of our transactions; the caller disposes of it. */
async function theirLines(
  on: Needs,
  by: Actor,
  { date, importId }: Wanted,
  of: Scope,
  settled: ReadonlyMap<string, Settled>,
): Promise<Sorted<TheirLine>> {
  if (importId === undefined) return reportedLines(on, by, of.scope, settled, date);
  await resolveAgain(on, by.tenantId, of.scope, importId);
  return { pages: importedLines(on.database.read(by.tenantId), importId, date), dispose: async () => {} };
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
    for (const item of last) work.insert(ITEMS, item);
    work.insert(RUNS, row);
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
