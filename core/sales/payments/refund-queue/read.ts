import { conditionsOn, cutPage, idCursorOf, lit, type Page, type PageRequest, queriesOn, type Read, TENANT } from '#core/database';
import {
  type Actions,
  type Actor,
  actionsOf,
  addDays,
  agreedValue,
  checkPeriod,
  ServiceError,
  startOfDate,
  type WithActions,
} from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import { Conditions, countOf, pageOf } from '../list/list.ts';
import { getRefund } from '../list/read.ts';
import { readEntry, toEntry } from '../queue-entries/entry.ts';
import { type QueueRow, type QueueStatus, REFUND_QUEUE } from '../queue-entries/schema.ts';
import type { QueueEntry, QueueEntryWithAttempts, QueueStats, RefundWithEntry } from '../records.ts';
import { readTransaction, retriesOf } from '../repository.ts';
import { checkAction, type QueueAction } from './operations.ts';

/** Filters of the queue; `open` are pending, retry and processing, `closed` resolved and canceled. Dates are calendar days of the merchant. */
export interface QueueFilter {
  readonly status?: QueueStatus | 'open' | 'closed';
  readonly merchantId?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  /** Other names of `startDate` and `endDate`. */
  readonly fromDate?: string;
  readonly toDate?: string;
}

/** Query of the statistics: a period until now, or a range of days of the merchant. */
export interface StatsQuery {
  readonly period?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly merchantId?: string;
}

export const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '365d': 365, all: null } as const;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const entry = conditionsOn(REFUND_QUEUE);
const GROUPS = {
  open: entry('status', 'in', [lit('pending'), lit('retry'), lit('processing')]),
  closed: entry('status', 'in', [lit('resolved'), lit('cancelled')]),
} as const;

/** Returns one page of entries, newest first. */
export async function queuePage(
  deps: Dependencies,
  actor: Actor,
  filter: QueueFilter,
  pageRequest: PageRequest,
): Promise<Page<QueueEntry>> {
  const merchant = await deps.merchantFor(actor, filter.merchantId);
  const merchantId = filter.merchantId ?? actor.merchantId;
  const conditions = new Conditions();
  const { startDate, endDate, fromDate, toDate } = filter;
  const names = { start: startDate === undefined ? 'fromDate' : 'startDate', end: endDate === undefined ? 'toDate' : 'endDate' };
  const period = { startDate: agreedValue({ startDate, fromDate }), endDate: agreedValue({ endDate, toDate }) };
  conditions.period('rdq', merchant.timezone, period, names);
  if (merchantId !== null && merchantId !== undefined) conditions.add(entry('merchant_id', '=', merchantId));
  if (filter.status === 'open' || filter.status === 'closed') conditions.add(GROUPS[filter.status]);
  else if (filter.status !== undefined) conditions.add(entry('status', '=', filter.status));
  const condition = conditions.done(false);
  const read = deps.database.read(actor.tenantId);
  const cursor = idCursorOf(pageRequest, 'rdq');
  const [rows, total] = await Promise.all([
    pageOf<QueueRow>(read, REFUND_QUEUE, condition, { ...pageRequest, cursor }),
    countOf(read, REFUND_QUEUE, condition),
  ]);
  const { items, nextCursor } = cutPage(rows, pageRequest.limit, ({ id }) => id);
  return { items: items.map(toEntry), page: pageRequest.page, limit: pageRequest.limit, total, nextCursor };
}

/** Returns one entry with its retries and what can be done with it now. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getEntry(deps: Dependencies, actor: Actor, id: string): Promise<QueueEntryWithAttempts & WithActions<QueueAction>> {
  const read = deps.database.read(actor.tenantId);
  const row = await readEntry(read, id);
  await deps.merchantFor(actor, row.merchant_id);
  const retries = await retriesOf(read, row.transaction_id, row.refund_id);
  const attempts = retries.map((attempt, index) => {
    const result = attempt.result ?? (attempt.state === 'unconfirmed' ? 'unconfirmed' : 'pending');
    return {
      attemptNumber: index + 1,
      attemptedAt: attempt.created_at,
      result: result as QueueEntryWithAttempts['attempts'][number]['result'],
      error: attempt.reason,
    };
  });
  return { ...toEntry(row), attempts, actions: await actionsOn(read, row) };
}

/** Returns one refund with its entry and what can be done with it now. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function refundWithEntry(
  deps: Dependencies,
  actor: Actor,
  refundId: string,
): Promise<RefundWithEntry & WithActions<QueueAction>> {
  const refund = await getRefund(deps, actor, refundId);
  const read = deps.database.read(actor.tenantId);
  const row = await read.one(REFUND_QUEUE, { refund_id: refundId });
  return { ...refund, queueEntryId: row?.id ?? null, actions: await actionsOn(read, row) };
}

/** Returns the operations on an entry, by the checks of the operations. A refund that was not declined has no entry. */
async function actionsOn(read: Read, row: QueueRow | null): Promise<Actions<QueueAction>> {
  const transaction = row && (await readTransaction(read, row.transaction_id));
  const check = (operation: QueueAction) => () => {
    if (!row || !transaction) throw new ServiceError('NOT_FOUND', 'This refund is not in the refund decline queue.');
    checkAction(row, transaction, operation);
    return {};
  };
  return actionsOf({ retry: check('retry'), resolve: check('resolve'), cancel: check('cancel') });
}

/** Returns counts and averages of the entries created within a period of the tenant's clock. */
export async function queueStats(deps: Dependencies, actor: Actor, options: StatsQuery): Promise<QueueStats> {
  const { startDate, endDate } = options;
  const isRange = startDate !== undefined || endDate !== undefined;
  if (isRange && options.period !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'Send either `period` or `startDate` and `endDate`.', { field: 'period' });
  checkPeriod({ startDate, endDate });
  const period = options.period ?? (isRange ? 'all' : '30d');
  if (!Object.hasOwn(PERIODS, period)) {
    throw new ServiceError('VALIDATION_ERROR', `\`period\` must be one of ${Object.keys(PERIODS).join(', ')}.`, { field: 'period' });
  }
  const days = PERIODS[period as keyof typeof PERIODS];
  const { timezone } = await deps.merchantFor(actor, options.merchantId);
  const merchantId = options.merchantId ?? actor.merchantId;
  let entries = queriesOn(REFUND_QUEUE)
    .selectFrom('refund_decline_queue')
    .select(({ fn, eb, ref }) => [
      'status',
      fn.countAll<number>().as('n'),
      fn.sum<number>('attempt_count').as('attempts'),
      fn.sum<number | null>(eb('resolved_ms', '-', ref('created_ms'))).as('waited_ms'),
    ])
    .where('tenant_id', '=', TENANT)
    .groupBy('status');
  if (merchantId !== null) entries = entries.where('merchant_id', '=', merchantId);
  if (startDate !== undefined) entries = entries.where('created_ms', '>=', startOfDate(timezone, startDate));
  if (endDate !== undefined) entries = entries.where('created_ms', '<', startOfDate(timezone, addDays(endDate, 1)));
  if (days !== null) entries = entries.where('created_ms', '>=', deps.clockOf(actor.tenantId).now() - days * DAY_MS);
  const rows = await deps.database.read(actor.tenantId).rows(entries);
  const countOfStatuses = (...statuses: QueueStatus[]) =>
    rows.filter((row) => statuses.includes(row.status)).reduce((sum, row) => sum + Number(row.n), 0);
  const [resolved, failed, cancelled, pending] = [
    countOfStatuses('resolved'),
    countOfStatuses('failed'),
    countOfStatuses('cancelled'),
    countOfStatuses('pending', 'retry', 'processing'),
  ];
  const totalEntries = resolved + failed + cancelled + pending;
  const closed = resolved + failed + cancelled;
  const attempts = rows.reduce((sum, row) => sum + Number(row.attempts), 0);
  const waitedMs = rows.reduce((sum, row) => sum + Number(row.waited_ms ?? 0), 0);
  return {
    totalEntries,
    resolved,
    failed,
    cancelled,
    pending,
    resolutionRate: closed === 0 ? 0 : rounded(resolved / closed, 4),
    averageAttempts: totalEntries === 0 ? 0 : rounded(attempts / totalEntries, 2),
    averageResolutionTime: duration(resolved === 0 ? 0 : waitedMs / resolved),
  };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function duration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
