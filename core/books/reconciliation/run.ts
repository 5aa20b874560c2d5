import { createHash } from 'node:crypto';
import { type Database, queriesOn, TENANT } from '#core/database';
import { type Actor, idFloor, isoTime, newId, ServiceError } from '#core/kernel';
import { checkScope, type Dependencies, pause, type Scope, scopeFor } from './dependencies.ts';
import { explainedRuns, refreshExplanations, withEarlierExplanations } from './explanations.ts';
import { compareTexts, type SortedItems } from './external-sort.ts';
import { resolveUnknownLines } from './import-lines.ts';
import { compare, type Finding, type Tally, type TheirLine } from './match.ts';
import { capturesOf, importedLines, refundsOf, type Settled, settledOn, transactionDetailsOf } from './our-lines.ts';
import { reportedLines } from './processor-report.ts';
import { IMPORTS, ITEMS, type ItemRow, RUNS, type RunRow, WHOLE_TENANT } from './schema.ts';

/** Number of discrepancies that are written in one unit of work. */
const BLOCK = 500;
/** Longest time that a run takes. The discrepancies of an older run without a row are what a killed server left. */
const RUN_MAX_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Days in which the maintenance looks for incomplete runs. */
const SWEPT_DAYS = 7;

/** Subject of a comparison. */
export interface ComparisonInput {
  readonly date: string;
  /** Compares with an imported file instead of the gateway's report. */
  readonly importId?: string;
  readonly merchantId?: string;
}

/** Returns a value that changes when the settlements of a date change. */
export function basisOf(settled: Pick<ReadonlyMap<string, unknown>, 'keys'>): string {
  return createHash('sha256')
    .update([...settled.keys()].sort().join(' '))
    .digest('base64url');
}

/**
 * Compares the settlements of a date with the gateway's report or an imported file, and stores the run with its discrepancies. Only a run that a person or program requested is audited: the first reading of a report, and the service's own comparisons, change
 * nothing of the account.
 */
export async function run(deps: Dependencies, actor: Actor, input: ComparisonInput, isRequested: boolean): Promise<RunRow> {
  const read = deps.database.read(actor.tenantId);
  const scope = await scopeOf(deps, actor, input);
  const settled = await settledOn(read, scope.scope, input.date);
  const theirs = await theirLines(deps, actor, input, scope, settled);
  try {
    return await compareSides(deps, actor, input, scope, settled, theirs, isRequested);
  } finally {
    await theirs.dispose();
  }
}

async function compareSides(
  deps: Dependencies,
  actor: Actor,
  input: ComparisonInput,
  scope: Scope,
  settled: ReadonlyMap<string, Settled>,
  { pages: theirs }: SortedItems<TheirLine>,
  isRequested: boolean,
): Promise<RunRow> {
  const read = deps.database.read(actor.tenantId);
  const tally: Tally = { sums: new Map(), matched: 0 };
  const now = deps.clockOf(actor.tenantId).now();
  const sides = { captures: capturesOf(read, settled, input.date), refunds: refundsOf(read, settled, input.date), theirs };
  const row = newRun(actor, input, scope, settled, now);
  const findings = compare(sides, (subjects) => transactionDetailsOf(read, scope.scope, settled, input.importId, subjects), tally);
  try {
    const last = await writeFindings(deps, row, findings, now);
    await writeRun(deps, actor, { ...row, ...totalsOf(tally, scope), matched_count: tally.matched }, last, isRequested);
  } catch (error) {
    // If the removal fails as well, the maintenance repeats it.
    await removeItems(deps.database, actor.tenantId, row.id).catch(() => {});
    throw error;
  }
  return (await read.one(RUNS, { id: row.id })) as RunRow;
}

/** Writes the discrepancies of a run except the last ones, which it returns, and adds all of them to its counts. */
async function writeFindings(
  { database }: Pick<Dependencies, 'database'>,
  row: RunRow,
  pages: AsyncIterable<readonly Finding[]>,
  now: number,
): Promise<ItemRow[]> {
  const read = database.read(row.tenant_id);
  const explainedRunIds = await explainedRuns(read, row);
  let items: ItemRow[] = [];
  for await (const findings of pages) {
    if (items.length > 0) await writeItems(database, row.tenant_id, items);
    items = await withEarlierExplanations(
      read,
      explainedRunIds,
      findings.map((finding) => itemOf(row, finding, now)),
    );
    row.discrepancy_count += items.length;
    row.open_count += items.filter(({ status }) => status === 'open').length;
  }
  return items;
}

/** Returns the scope of an import, or that of the caller. */
async function scopeOf(deps: Dependencies, actor: Actor, { importId, merchantId }: ComparisonInput): Promise<Scope> {
  if (importId === undefined) return scopeFor(deps, actor, merchantId);
  const found = await deps.database.read(actor.tenantId).one(IMPORTS, { id: importId });
  if (found?.status !== 'ready')
    throw new ServiceError('NOT_FOUND', `There is no import ${importId.slice(0, 60)}.`, { details: { importId } });
  return checkScope(deps, actor, found.scope);
}

function newRun(
  actor: Actor,
  { date, importId }: ComparisonInput,
  { scope, merchant }: Scope,
  settled: ReadonlyMap<string, Settled>,
  now: number,
): RunRow {
  return {
    tenant_id: actor.tenantId,
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
    created_by: actor.name,
  };
}

/** Returns the lines of the report or file, in the order of our transactions. The caller disposes of them. */
async function theirLines(
  deps: Dependencies,
  actor: Actor,
  { date, importId }: ComparisonInput,
  scope: Scope,
  settled: ReadonlyMap<string, Settled>,
): Promise<SortedItems<TheirLine>> {
  if (importId === undefined) return reportedLines(deps, actor, scope.scope, settled, date);
  await resolveUnknownLines(deps, actor.tenantId, scope.scope, importId);
  return { pages: importedLines(deps.database.read(actor.tenantId), importId, date), dispose: async () => {} };
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
  for (let start = 0; start < items.length; start += BLOCK) {
    await database.unitOfWork.writeBatch(tenantId, (batch) => {
      for (const item of items.slice(start, start + BLOCK)) batch.insert(ITEMS, item);
    });
  }
}

function totalsOf({ sums }: Tally, { merchant }: Scope): Pick<RunRow, 'currency' | 'transactions_minor' | 'settlements_minor' | 'totals'> {
  const all = [...sums].sort(([left], [right]) => compareTexts(left, right));
  const [first] = all;
  // A merchant that takes payments only in another currency than its own is reported in that currency.
  const mainCurrency = sums.has(merchant.currency) || !first ? merchant.currency : first[0];
  const mainSums = sums.get(mainCurrency) ?? { transactions: 0, settlements: 0 };
  return {
    currency: mainCurrency,
    transactions_minor: mainSums.transactions,
    settlements_minor: mainSums.settlements,
    totals: JSON.stringify(all.map(([currency, { transactions, settlements }]) => ({ currency, transactions, settlements }))),
  };
}

/** Writes the last discrepancies and, with its counts, the run, which makes all of them visible. */
async function writeRun(deps: Dependencies, actor: Actor, row: RunRow, items: readonly ItemRow[], isRequested: boolean): Promise<void> {
  await writeItems(deps.database, actor.tenantId, items.slice(0, -BLOCK));
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const { last, openCount } = await refreshExplanations(work, row, items.slice(-BLOCK));
    for (const item of last) work.insert(ITEMS, item);
    work.insert(RUNS, { ...row, open_count: openCount });
    if (isRequested)
      deps.audit(work, {
        actor,
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
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', row.scope === WHOLE_TENANT ? null : row.scope));
  });
}

/** Removes the discrepancies of a run that was not completed, in blocks. */
async function removeItems(database: Database, tenantId: string, runId: string): Promise<void> {
  const queries = queriesOn(ITEMS);
  const ofRun = queries.selectFrom('reconciliation_items').select('id').where('tenant_id', '=', TENANT).where('run_id', '=', runId);
  const removal = queries
    .deleteFrom('reconciliation_items')
    .where('tenant_id', '=', TENANT)
    .where('id', 'in', ofRun.orderBy('id').limit(BLOCK));
  for (let removed = BLOCK; removed === BLOCK; await pause())
    removed = await database.unitOfWork.transaction(tenantId, (work) => work.execute(removal));
}

/** Removes the discrepancies of runs of the last days whose server was killed. Without their run, no list contains them. */
export async function removeIncompleteRuns(deps: Pick<Dependencies, 'database' | 'clockOf'>, tenantId: string): Promise<void> {
  const now = deps.clockOf(tenantId).now();
  const incomplete = await deps.database.read(tenantId).rows(
    queriesOn(ITEMS, RUNS)
      .selectFrom('reconciliation_items as i')
      .select('i.run_id')
      .distinct()
      .where('i.tenant_id', '=', TENANT)
      .where('i.run_id', '>', idFloor('rec', now - SWEPT_DAYS * DAY_MS))
      .where('i.run_id', '<', idFloor('rec', now - RUN_MAX_MS))
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(selectFrom('reconciliation_runs as r').select('r.id').where('r.tenant_id', '=', TENANT).whereRef('r.id', '=', 'i.run_id')),
        ),
      ),
  );
  for (const { run_id } of incomplete) await removeItems(deps.database, tenantId, run_id);
}
