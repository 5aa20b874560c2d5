import { READABLE_SETTLEMENTS } from '#core/books/settlement';
import {
  cutPage,
  idCursorOf,
  listOf,
  lit,
  newestPage,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  rowsToRead,
  TENANT,
} from '#core/database';
import { addDays, type Caller, type Currency, dateIn, isId, type Money, money, parseDate, ServiceError } from '#core/kernel';
import { READABLE_REFUNDS, READABLE_TRANSACTIONS } from '#core/sales/payments';
import { checkScope, type Dependencies, type Scope, scopeFor } from './dependencies.ts';
import { settledOn } from './our-lines.ts';
import type { Reconciliation, ReconciliationDay, ReconciliationItem, ReconciliationRun } from './records.ts';
import { stateOf, toItem, toRun } from './report.ts';
import { basisOf } from './run.ts';
import { ITEMS, RUNS, type RunRow, WHOLE_TENANT } from './schema.ts';

const queries = queriesOn(RUNS, ITEMS, READABLE_TRANSACTIONS, READABLE_REFUNDS, READABLE_SETTLEMENTS);

/** Largest number of discrepancies in a report; its items have all of them. */
const LISTED_MAX = 1_000;

export const ITEM_KINDS = ['matched', 'discrepancies', 'all'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

const toApiRun = (row: RunRow): ReconciliationRun => toRun(row, row.scope === WHOLE_TENANT ? null : row.scope);

/** Returns the present date in the time zone of the scope's merchant. */
export const todayOf = (deps: Dependencies, actor: Caller, { merchant }: Scope): string =>
  dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());

export async function reportOf(deps: Dependencies, actor: Caller, row: RunRow): Promise<Reconciliation> {
  const items = await deps.database.read(actor.tenantId).find(ITEMS, { run_id: row.id }, { orderBy: [['id', 'desc']], limit: LISTED_MAX });
  return { ...toApiRun(row), discrepancies: items.map(toItem) };
}

/**
 * Returns the report that GET shows for a date: the last run while its settlements are unchanged, or an empty report if nothing is settled.
 * Null requires a new run.
 */
export async function lastReport(
  deps: Dependencies,
  actor: Caller,
  scope: Scope,
  date: string,
): Promise<{ report: Reconciliation } | { report: null; importId: string | null }> {
  const read = deps.database.read(actor.tenantId);
  const settled = await settledOn(read, scope.scope, date);
  const last = await lastRun(read, scope.scope, date);
  if (last && last.basis === basisOf(settled)) return { report: await reportOf(deps, actor, last) };
  if (settled.size > 0) return { report: null, importId: last?.import_id ?? null };
  return { report: { ...toApiRun(emptyRun(scope, date)), discrepancies: [] } };
}

async function lastRun(read: Read, scope: string, date: string): Promise<RunRow | null> {
  const [row] = await read.find(RUNS, { scope, date }, { orderBy: [['id', 'desc']], limit: 1 });
  return row ?? null;
}

/** Report of a date without settlements that was never compared. */
function emptyRun({ scope, merchant }: Scope, date: string): RunRow {
  return {
    tenant_id: '',
    id: '',
    scope,
    date,
    source: 'gateway',
    import_id: null,
    basis: '',
    is_settled: 0,
    currency: merchant.currency,
    transactions_minor: 0,
    settlements_minor: 0,
    totals: '[]',
    matched_count: 0,
    discrepancy_count: 0,
    open_count: 0,
    created_at: '',
    created_by: '',
  };
}

/** Returns the runs of a scope, newest first. */
export async function runs(
  deps: Dependencies,
  actor: Caller,
  filter: { merchantId?: string; date?: string },
  pageRequest: PageRequest,
): Promise<Page<ReconciliationRun>> {
  const { scope } = await scopeFor(deps, actor, filter.merchantId);
  const date = filter.date === undefined ? undefined : parseDate(filter.date, 'date');
  const page = await newestPage(deps.database.read(actor.tenantId), RUNS, 'rec', { scope, date }, pageRequest);
  return { ...page, items: page.items.map(toApiRun) };
}

/** Returns a run that the caller may see. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
async function runOf(deps: Dependencies, actor: Caller, runId: string): Promise<RunRow> {
  const row = await deps.database.read(actor.tenantId).one(RUNS, { id: runId });
  if (!row) throw new ServiceError('NOT_FOUND', `There is no run ${runId.slice(0, 60)}.`, { details: { runId } });
  await checkScope(deps, actor, row.scope);
  return row;
}

/** Returns the lines of a run: first the discrepancies, then the matched lines, each newest first. */
export async function items(
  deps: Dependencies,
  actor: Caller,
  runId: string,
  kind: ItemKind,
  pageRequest: PageRequest,
): Promise<Page<ReconciliationItem>> {
  const read = deps.database.read(actor.tenantId);
  const row = await runOf(deps, actor, runId);
  const [discrepancies, matched] = [kind === 'matched' ? 0 : row.discrepancy_count, kind === 'discrepancies' ? 0 : row.matched_count];
  const total = discrepancies + matched;
  const limit = Math.trunc(pageRequest.limit);
  const position = positionOf(pageRequest, discrepancies);
  const found: ReconciliationItem[] = [];
  if (position.section === 'discrepancies' && discrepancies > 0)
    found.push(...(await readDiscrepancies(read, row, position, rowsToRead(limit))));
  const remaining = rowsToRead(limit) - found.length;
  if (remaining > 0 && matched > 0) {
    const offset = position.section === 'matched' ? position.offset : Math.max(0, position.offset - discrepancies);
    found.push(...(await readMatched(read, row, { offset, after: position.section === 'matched' ? position.after : null }, remaining)));
  }
  return {
    ...cutPage(found, limit, ({ id, refundId, transactionId }) => id ?? refundId ?? transactionId),
    page: pageRequest.page,
    limit,
    total,
  };
}

interface Position {
  readonly section: 'discrepancies' | 'matched';
  readonly offset: number;
  readonly after: string | null;
}

function positionOf(request: PageRequest, discrepancies: number): Position {
  const { page, limit } = request;
  const cursor = idCursorOf(request, 'dsc', 'txn', 'ref');
  if (cursor !== undefined && isId('dsc', cursor)) return { section: 'discrepancies', offset: 0, after: cursor };
  if (cursor !== undefined && (isId('txn', cursor) || isId('ref', cursor))) return { section: 'matched', offset: 0, after: cursor };
  const offset = cursor === undefined ? (Math.trunc(page) - 1) * Math.trunc(limit) : 0;
  if (offset < discrepancies || discrepancies === 0)
    return { section: discrepancies === 0 ? 'matched' : 'discrepancies', offset, after: null };
  return { section: 'matched', offset: offset - discrepancies, after: null };
}

async function readDiscrepancies(read: Read, { id }: RunRow, { offset, after }: Position, limit: number): Promise<ReconciliationItem[]> {
  const items = queries.selectFrom('reconciliation_items').selectAll().where('tenant_id', '=', TENANT).where('run_id', '=', id);
  const rows = await read.rows(
    items
      .$if(after !== null, (query) => query.where('id', '<', after))
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset),
  );
  return rows.map(toItem);
}

/** Returns the equal lines of a run: lines of its date that were settled at its time and are not among its discrepancies. */
async function readMatched(
  read: Read,
  row: RunRow,
  filter: { offset: number; after: string | null },
  limit: number,
): Promise<ReconciliationItem[]> {
  const { scope, date, created_at: at } = row;
  const captures = queries
    .selectFrom('transactions as line')
    .select(['line.id', 'line.id as transaction_id', 'line.merchant_id', 'line.currency', 'line.captured_minor as minor'])
    .where('line.tenant_id', '=', TENANT)
    .where('line.settlement_date', '=', date)
    .where('line.settled_at', '<=', at)
    .$if(scope !== WHOLE_TENANT, (query) => query.where('line.merchant_id', '=', scope))
    .$if(filter.after !== null, (query) => query.where('line.id', '<', filter.after))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reconciliation_items as item')
            .select(lit(1).as('one'))
            .where('item.tenant_id', '=', TENANT)
            .where('item.run_id', '=', row.id)
            .whereRef('item.transaction_id', '=', 'line.id')
            .where('item.kind', '=', lit('capture')),
        ),
      ),
    );
  const refunds = queries
    .selectFrom('refunds as line')
    .select(({ neg }) => ['line.id', 'line.transaction_id', 'line.merchant_id', 'line.currency', neg('line.amount_minor').as('minor')])
    .where('line.tenant_id', '=', TENANT)
    .where('line.settlement_date', '=', date)
    .where('line.settled_at', '<=', at)
    .$if(scope !== WHOLE_TENANT, (query) => query.where('line.merchant_id', '=', scope))
    .$if(filter.after !== null, (query) => query.where('line.id', '<', filter.after))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reconciliation_items as item')
            .select(lit(1).as('one'))
            .where('item.tenant_id', '=', TENANT)
            .where('item.run_id', '=', row.id)
            .whereRef('item.transaction_id', '=', 'line.transaction_id')
            .whereRef('item.refund_id', '=', 'line.id'),
        ),
      ),
    );
  const rows = await read.rows(
    queries.selectFrom(captures.unionAll(refunds).as('matched')).selectAll().orderBy('id', 'desc').limit(limit).offset(filter.offset),
  );
  return rows.map((line) => {
    const amount = money(Number(line.minor), line.currency as Currency);
    const isRefund = line.id !== line.transaction_id;
    return {
      id: null,
      type: 'matched',
      kind: isRefund ? 'refund' : 'capture',
      merchantId: line.merchant_id,
      transactionId: line.transaction_id,
      refundId: isRefund ? line.id : null,
      settlementReference: null,
      currency: amount.currency,
      transactionAmount: amount,
      settledAmount: amount,
      difference: money(0, amount.currency),
      status: 'matched',
      note: null,
      resolvedBy: null,
      resolvedAt: null,
    };
  });
}

/** Unresolved discrepancies. The date is null if there are none. */
export interface OpenDiscrepancies {
  readonly count: number;
  /** Sum of their differences without signs, in the currency of the scope. */
  readonly difference: Money;
  readonly firstDate: string | null;
}

/** Days in which open discrepancies are looked for. */
const OPEN_WITHIN_DAYS = 400;

/** Returns the open discrepancies of the last run of each day of the last 400 days. */
export async function openDiscrepancies(deps: Dependencies, actor: Caller, merchantId?: string): Promise<OpenDiscrepancies> {
  const scope = await scopeFor(deps, actor, merchantId);
  const { currency } = scope.merchant;
  const read = deps.database.read(actor.tenantId);
  const runs = await read.rows(
    queries
      .selectFrom('reconciliation_runs')
      .select(['id', 'date', 'open_count'])
      .where('tenant_id', '=', TENANT)
      .where('open_count', '>', lit(0))
      .where('id', 'in', lastRunsOf(scope.scope, addDays(todayOf(deps, actor, scope), -OPEN_WITHIN_DAYS), '9999-12-31'))
      .orderBy('date'),
  );
  const [first] = runs;
  if (first === undefined) return { count: 0, difference: money(0, currency), firstDate: null };
  const differences = await read.row(
    queries
      .selectFrom('reconciliation_items')
      .select(({ fn }) => fn.sum<number | null>(fn<number>('abs', ['difference_minor'])).as('minor'))
      .where('tenant_id', '=', TENANT)
      .where('run_id', 'in', listOf(runs.map(({ id }) => id)))
      .where('status', '=', lit('open'))
      .where('currency', '=', currency),
  );
  return {
    count: runs.reduce((sum, run) => sum + Number(run.open_count), 0),
    difference: money(Math.min(Number(differences?.minor ?? 0), Number.MAX_SAFE_INTEGER), currency),
    firstDate: first.date,
  };
}

/** Returns a query of the IDs of the last run of each date of a scope. */
const lastRunsOf = (scope: string, from: string, to: string) =>
  queries
    .selectFrom('reconciliation_runs')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('tenant_id', '=', TENANT)
    .where('scope', '=', scope)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .groupBy('date');

const MONTH = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

/** Returns every day of a month with its state. A settled day that was not compared since is `open` without a difference. */
export async function days(
  deps: Dependencies,
  actor: Caller,
  filter: { month?: string; merchantId?: string },
): Promise<ReconciliationDay[]> {
  const scope = await scopeFor(deps, actor, filter.merchantId);
  const month = filter.month ?? todayOf(deps, actor, scope).slice(0, 7);
  if (!MONTH.test(month))
    throw new ServiceError('INVALID_DATE', '`month` must be an existing month in the format YYYY-MM.', { field: 'month' });
  return daysOfMonth(deps.database.read(actor.tenantId), scope.scope, month);
}

/** Returns the days of a month in one scope, as a unit of work or a read sees them. */
export async function daysOfMonth(read: Read, scope: string, month: string): Promise<ReconciliationDay[]> {
  const from = `${month}-01`;
  const to = `${month}-${new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()}`;
  const [settled, last] = await Promise.all([
    read.rows(
      queries
        .selectFrom('settlements')
        .select(['settlement_date', 'id'])
        .where('tenant_id', '=', TENANT)
        .where('settlement_date', '>=', from)
        .where('settlement_date', '<=', to)
        .where('status', '<>', lit('assembling'))
        .$if(scope !== WHOLE_TENANT, (query) => query.where('merchant_id', '=', scope)),
    ),
    read.rows(
      queries
        .selectFrom('reconciliation_runs')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', lastRunsOf(scope, from, to)),
    ),
  ]);
  const byDate = Map.groupBy(settled, ({ settlement_date }) => settlement_date);
  const runByDate = new Map(last.map((row) => [row.date, row]));
  const found: ReconciliationDay[] = [];
  for (let day = 1; day <= Number(to.slice(8)); day += 1) {
    const date = `${month}-${String(day).padStart(2, '0')}`;
    const basis = basisOf(new Map((byDate.get(date) ?? []).map(({ id }) => [id, date])));
    found.push(dayOf(date, byDate.has(date), runByDate.get(date), basis));
  }
  return found;
}

function dayOf(date: string, isSettled: boolean, run: RunRow | undefined, basis: string): ReconciliationDay {
  if (!run) {
    const state = isSettled ? 'open' : 'unsettled';
    return { date, state, currency: null, difference: null, discrepancyCount: 0, openCount: 0, runId: null, compared: false };
  }
  const [compared, currency] = [run.basis === basis, run.currency as Currency];
  return {
    date,
    state: compared ? stateOf(run) : 'open',
    currency,
    difference: money(run.transactions_minor - run.settlements_minor, currency),
    discrepancyCount: run.discrepancy_count,
    openCount: run.open_count,
    runId: run.id,
    compared,
  };
}
