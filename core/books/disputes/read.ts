import {
  type Condition,
  conditionsOn,
  lit,
  newestPage,
  orderOf,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  TENANT,
} from '#core/database';
import { type Caller, money, parseDate } from '#core/kernel';
import { type ListTotal, totalsOf } from '#core/platform/list-totals';
import { findDispute } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { toDispute, toMovement, toReport } from './dispute.ts';
import { daysBetween } from './due-dates.ts';
import type { DisputeDetail, DisputeListItem, DisputeSummary } from './records.ts';
import { DISPUTE_REPORTS } from './report-schema.ts';
import { DISPUTE_ATTACHMENTS, DISPUTE_MOVEMENTS, DISPUTE_PACKS, DISPUTES, type DisputeRow } from './schema.ts';
import { ACTIVE_STATUSES, DISPUTE_STATUSES, type DisputeStatus, DUE_STATUSES } from './steps.ts';

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
}

const conditions = conditionsOn(DISPUTES);
const queries = queriesOn(DISPUTES, DISPUTE_ATTACHMENTS, DISPUTE_PACKS);
/** Columns of the fields by which the list can be sorted. */
const SORTS = { createdAt: 'id', dueDate: 'due_date', amount: 'amount_minor' };
const GROUPS = { active: ACTIVE_STATUSES, due: DUE_STATUSES, closed: ['won', 'lost', 'accepted'] } as const;

const statusesOf = (status: DisputeStatusFilter): readonly DisputeStatus[] =>
  status in GROUPS ? GROUPS[status as keyof typeof GROUPS] : [status as DisputeStatus];

async function scopeOf(deps: Dependencies, actor: Caller, merchantId?: string): Promise<{ merchant_id?: string }> {
  const requested = merchantId ?? actor.merchantId ?? undefined;
  if (requested === undefined) return {};
  await deps.merchantFor(actor, requested);
  return { merchant_id: requested };
}

async function conditionsOf(deps: Dependencies, actor: Caller, filter: DisputeFilter): Promise<Condition[]> {
  const scope = await scopeOf(deps, actor, filter.merchantId);
  const { status, dueBefore, transactionId } = filter;
  return [
    ...(scope.merchant_id === undefined ? [] : [conditions('merchant_id', '=', scope.merchant_id)]),
    ...(transactionId === undefined ? [] : [conditions('transaction_id', '=', transactionId)]),
    ...(status === undefined
      ? []
      : [
          conditions(
            'status',
            'in',
            statusesOf(status).map((each) => lit(each)),
          ),
        ]),
    ...(dueBefore === undefined ? [] : [conditions('due_date', '<=', parseDate(dueBefore, 'dueBefore'))]),
  ];
}

/** Returns true if one of these payments has a dispute that was not won. */
export async function isAnyDisputed(read: Pick<Read, 'find'>, transactionIds: readonly string[]): Promise<boolean> {
  for (const transactionId of transactionIds) {
    const disputes = await read.find(DISPUTES, { transaction_id: transactionId });
    if (disputes.some(({ status }) => status !== 'won')) return true;
  }
  return false;
}

/** Returns the disputes that the caller may see. @throws ServiceError INVALID_DATE, MERCHANT_NOT_AUTHORIZED. */
export async function page(deps: Dependencies, actor: Caller, filter: DisputeFilter, request: PageRequest): Promise<Page<DisputeListItem>> {
  const found = await conditionsOf(deps, actor, filter);
  const read = deps.database.read(actor.tenantId);
  const rows = await newestPage(read, DISPUTES, 'dsp', {}, request, found, undefined, orderOf(SORTS, request.sort));
  const ids = rows.items.map(({ id }) => id);
  const [documents, packs] = await Promise.all([countOf(read, 'dispute_attachments', ids), countOf(read, 'dispute_packs', ids)]);
  return {
    ...rows,
    items: rows.items.map((row) => ({ ...toDispute(row), documentCount: documents.get(row.id) ?? 0, packCount: packs.get(row.id) ?? 0 })),
  };
}

/** Returns the number of records of each dispute that has any. */
async function countOf(
  read: Read,
  from: 'dispute_attachments' | 'dispute_packs',
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await read.rows(
    queries
      .selectFrom(from)
      .select(({ fn }) => ['dispute_id', fn.countAll<number>().as('n')])
      .where('tenant_id', '=', TENANT)
      .where('dispute_id', 'in', [...ids])
      .groupBy('dispute_id'),
  );
  return new Map(rows.map(({ dispute_id, n }) => [dispute_id, Number(n)]));
}

/** Returns the number and the amount of the disputes of a filter, by currency. */
export async function listTotals(deps: Dependencies, actor: Caller, filter: DisputeFilter): Promise<ListTotal[]> {
  return totalsOf(deps.database.read(actor.tenantId), DISPUTES, await conditionsOf(deps, actor, filter));
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
