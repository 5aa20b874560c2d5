import {
  type Condition,
  conditionsOn,
  cutPage,
  idCursorOf,
  lit,
  newestPage,
  type Page,
  type PageRequest,
  queriesOn,
  rowsToRead,
  TENANT,
} from '#core/database';
import { type Actor, money, parseDate } from '#core/kernel';
import { findDispute } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { toDispute, toMovement, toReport } from './dispute.ts';
import { daysBetween } from './due-dates.ts';
import type { Dispute, DisputeDetail, DisputeSummary } from './records.ts';
import { DISPUTE_REPORTS } from './reports/schema.ts';
import { DISPUTE_MOVEMENTS, DISPUTES, type DisputeRow } from './schema.ts';
import { ACTIVE_STATUSES, DISPUTE_STATUSES, type DisputeStatus, DUE_STATUSES } from './steps.ts';

type Caller = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Status, or a group: `active` are the disputes that are not concluded, `closed` the others, and `due` those that await a response. */
export const DISPUTE_FILTERS = [...DISPUTE_STATUSES, 'active', 'due', 'closed'] as const;
type DisputeStatusFilter = (typeof DISPUTE_FILTERS)[number];

/** Filters of the list; absent ones do not narrow. */
export interface DisputeFilter {
  readonly status?: DisputeStatusFilter;
  /** Last day to respond on or before this date. */
  readonly dueBefore?: string;
  readonly transactionId?: string;
  readonly merchantId?: string;
  /** Order by due date, earliest first, instead of newest first. */
  readonly order?: 'newest' | 'due-date';
}

const conditions = conditionsOn(DISPUTES);
const queries = queriesOn(DISPUTES);
const GROUPS = { active: ACTIVE_STATUSES, due: DUE_STATUSES, closed: ['won', 'lost', 'accepted'] } as const;

const statusesOf = (status: DisputeStatusFilter): readonly DisputeStatus[] =>
  status in GROUPS ? GROUPS[status as keyof typeof GROUPS] : [status as DisputeStatus];

async function scopeOf(deps: Dependencies, actor: Caller, merchantId?: string): Promise<{ merchant_id?: string }> {
  const requested = merchantId ?? actor.merchantId ?? undefined;
  if (requested === undefined) return {};
  await deps.merchantFor(actor, requested);
  return { merchant_id: requested };
}

/** Returns the disputes that the caller may see. @throws ServiceError INVALID_DATE, MERCHANT_NOT_AUTHORIZED. */
export async function page(deps: Dependencies, actor: Caller, filter: DisputeFilter, request: PageRequest): Promise<Page<Dispute>> {
  const scope = await scopeOf(deps, actor, filter.merchantId);
  const where = { ...scope, transaction_id: filter.transactionId };
  const found: Condition[] = [
    ...(filter.status === undefined
      ? []
      : [
          conditions(
            'status',
            'in',
            statusesOf(filter.status).map((status) => lit(status)),
          ),
        ]),
    ...(filter.dueBefore === undefined ? [] : [conditions('due_date', '<=', parseDate(filter.dueBefore, 'dueBefore'))]),
  ];
  const read = deps.database.read(actor.tenantId);
  const rows =
    filter.order === 'due-date'
      ? await pageByDueDate(deps, actor, where, found, request)
      : await newestPage(read, DISPUTES, 'dsp', where, request, found);
  return { ...rows, items: rows.items.map(toDispute) };
}

async function pageByDueDate(
  deps: Dependencies,
  actor: Caller,
  where: { merchant_id?: string; transaction_id?: string | undefined },
  found: readonly Condition[],
  request: PageRequest,
): Promise<Page<DisputeRow>> {
  const read = deps.database.read(actor.tenantId);
  let rows = queries.selectFrom('disputes').where('tenant_id', '=', TENANT);
  if (where.merchant_id !== undefined) rows = rows.where('merchant_id', '=', where.merchant_id);
  if (where.transaction_id !== undefined) rows = rows.where('transaction_id', '=', where.transaction_id);
  for (const condition of found) rows = rows.where(condition);
  const cursor = idCursorOf(request, 'dsp');
  const last = cursor === undefined ? null : await read.one(DISPUTES, { id: cursor });
  const after =
    last === null ? rows : rows.where(({ eb, refTuple, tuple }) => eb(refTuple('due_date', 'id'), '>', tuple(last.due_date, last.id)));
  const limit = Math.trunc(request.limit);
  const offset = last === null ? (Math.trunc(request.page) - 1) * limit : 0;
  const [disputes, counted] = await Promise.all([
    read.rows(after.selectAll().orderBy('due_date').orderBy('id').limit(rowsToRead(limit)).offset(offset)),
    read.row(rows.select(({ fn }) => fn.countAll<number>().as('n'))),
  ]);
  return { ...cutPage(disputes, limit, ({ id }) => id), page: request.page, limit: request.limit, total: Number(counted?.n ?? 0) };
}

/** Returns a dispute with the money that it moved. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export const get = async (deps: Dependencies, actor: Caller, disputeId: string): Promise<DisputeDetail> =>
  detailOf(deps, await findDispute(deps, actor, disputeId));

export async function detailOf(deps: Dependencies, row: DisputeRow): Promise<DisputeDetail> {
  const { id: disputeId } = row;
  const read = deps.database.read(row.tenant_id);
  const [movements, reports] = await Promise.all([
    read.find(DISPUTE_MOVEMENTS, { dispute_id: disputeId }, { orderBy: [['id', 'asc']] }),
    read.find(DISPUTE_REPORTS, { dispute_id: disputeId }, { orderBy: [['received_at', 'asc']] }),
  ]);
  return { ...toDispute(row), movements: movements.map(toMovement), reports: reports.map(toReport) };
}

const SOON_DAYS = 7;

/** Returns the figures of the disputes screen. Amounts are those in the merchant's currency; counts include every currency. */
export async function summary(deps: Dependencies, actor: Caller, merchantId?: string): Promise<DisputeSummary> {
  const scope = await scopeOf(deps, actor, merchantId);
  const merchant = await deps.merchantFor(actor, merchantId);
  const rows = await deps.database.read(actor.tenantId).rows(
    queries
      .selectFrom('disputes')
      .select(({ fn }) => ['status', 'currency', 'due_date', fn.countAll<number>().as('n'), fn.sum<number>('amount_minor').as('amount')])
      .where('tenant_id', '=', TENANT)
      .$if(scope.merchant_id !== undefined, (query) => query.where('merchant_id', '=', scope.merchant_id ?? ''))
      .groupBy(['status', 'currency', 'due_date']),
  );
  const today = new Date(deps.clockOf(actor.tenantId).now()).toISOString().slice(0, 10);
  const count = (statuses: readonly string[], isCounted: (row: (typeof rows)[number]) => boolean = () => true) =>
    rows.filter((row) => statuses.includes(row.status) && isCounted(row)).reduce((sum, row) => sum + Number(row.n), 0);
  const due = rows.filter((row) => (DUE_STATUSES as readonly string[]).includes(row.status));
  const atStake = rows.filter((row) => (ACTIVE_STATUSES as readonly string[]).includes(row.status) && row.currency === merchant.currency);
  const [wonCount, lostCount] = [count(['won']), count(['lost', 'accepted'])];
  return {
    currency: merchant.currency,
    dueCount: count(DUE_STATUSES),
    dueSoonCount: count(DUE_STATUSES, ({ due_date }) => daysBetween(today, due_date) <= SOON_DAYS),
    nextDueDate: due.map(({ due_date }) => due_date).toSorted()[0] ?? null,
    activeCount: count(ACTIVE_STATUSES),
    amountAtStake: money(
      atStake.reduce((sum, { amount }) => sum + Number(amount), 0),
      merchant.currency,
    ),
    wonCount,
    lostCount,
    winRate: wonCount + lostCount === 0 ? null : wonCount / (wonCount + lostCount),
  };
}
