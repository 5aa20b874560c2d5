import {
  cursorAt,
  cutPage,
  idCursorOf,
  type ListOrder,
  lit,
  NEWEST_FIRST,
  orderOf,
  type Page,
  type PageRequest,
  placeFrom,
  placeOf,
  queriesOn,
  type Read,
  type RowRange,
  rowsToRead,
  sql,
  TENANT,
} from '#core/database';
import { type Actor, checkPeriod } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { checkScope } from '../capture/change.ts';
import type { Dependencies } from '../dependencies.ts';
import { contextOf } from '../payer-context.ts';
import type { Refund, Transaction, TransactionDetail } from '../records.ts';
import { historyOf, readRefund } from '../repository.ts';
import { latestRerunOf } from '../sale/rerun.ts';
import { REFUNDS, type RefundRow, TRANSACTIONS } from '../schema.ts';
import { toRefund, toTransaction } from '../transaction.ts';
import { pageWithTotal, rowsInRange, totalOf } from './chunked-scan.ts';
import {
  countOf,
  type ListCondition,
  pageOf,
  type RefundFilter,
  refundCondition,
  type TransactionFilter,
  transactionCondition,
} from './list.ts';

/** Returns one transaction with its history. @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function get(deps: Dependencies, actor: Actor, transactionId: string): Promise<TransactionDetail> {
  const row = await checkScope(deps, actor, transactionId);
  const read = deps.database.read(actor.tenantId);
  const [rerun, history, { shippingAddress = null }] = await Promise.all([
    latestRerunOf(read, row),
    historyOf(read, transactionId),
    contextOf(deps, actor.tenantId, transactionId),
  ]);
  return {
    ...toTransaction(row),
    rerun,
    shippingAddress,
    history,
  };
}

/** Returns the filter limited to the caller's scope, and the merchant whose time zone and currency apply to dates and amounts. */
export async function resolveFilter<Filter extends { merchantId?: string; startDate?: string; endDate?: string }>(
  deps: Dependencies,
  actor: Actor,
  filter: Filter,
): Promise<{ readonly filter: Filter & { merchantId: string | undefined }; readonly merchant: Merchant }> {
  checkPeriod(filter);
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  const merchant = await deps.merchantFor(actor, merchantId);
  return { filter: { ...filter, merchantId }, merchant };
}

/** Columns of the fields by which the list can be sorted. */
export const SORTS = { createdAt: 'id', amount: 'amount_minor' };

async function orderedPage(read: Read, filter: TransactionFilter, condition: ListCondition, order: ListOrder, request: PageRequest) {
  const after = placeFrom(order, request, 'txn');
  const skip = after === undefined ? (Math.trunc(request.page) - 1) * Math.trunc(request.limit) : 0;
  const [rows, total] = await Promise.all([
    rowsInRange(read, filter, condition, { order, after, skip, limit: rowsToRead(request.limit) }),
    totalOf(read, filter, condition),
  ]);
  return { rows, total };
}

/** Returns one page of the transactions of a filter with their total, by default newest first. */
export async function page(
  deps: Dependencies,
  actor: Actor,
  requested: TransactionFilter,
  pageRequest: PageRequest,
): Promise<Page<Transaction>> {
  const { filter, merchant } = await resolveFilter(deps, actor, requested);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = deps.database.read(actor.tenantId);
  const order = orderOf(SORTS, pageRequest.sort);
  const { rows, total } =
    order === NEWEST_FIRST
      ? await pageWithTotal(read, filter, condition, withCursor('txn', pageRequest))
      : await orderedPage(read, filter, condition, order, pageRequest);
  const { items, nextCursor } = cutPage(rows, pageRequest.limit, (row) => cursorAt(order, placeOf(order, row)));
  return { items: items.map(toTransaction), page: pageRequest.page, limit: pageRequest.limit, total, nextCursor };
}

/** Returns a range of the transactions of a filter, newest first. Throws the same errors as the list. */
export async function range(deps: Dependencies, actor: Actor, requested: TransactionFilter, of: RowRange): Promise<Transaction[]> {
  const { filter, merchant } = await resolveFilter(deps, actor, requested);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  return (await rowsInRange(deps.database.read(actor.tenantId), filter, condition, of)).map(toTransaction);
}

/** Returns one refund. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getRefund(deps: Dependencies, actor: Actor, refundId: string): Promise<Refund> {
  const row = await readRefund(deps.database.read(actor.tenantId), refundId);
  await deps.merchantFor(actor, row.merchant_id);
  return toRefund(row);
}

/** Returns one page of refunds, newest first. */
export async function refundPage(
  deps: Dependencies,
  actor: Actor,
  requested: RefundFilter,
  pageRequest: PageRequest,
): Promise<Page<Refund>> {
  const { filter, merchant } = await resolveFilter(deps, actor, requested);
  const condition = refundCondition(filter, merchant.timezone);
  const read = deps.database.read(actor.tenantId);
  const [rows, total] = await Promise.all([
    pageOf<RefundRow>(read, REFUNDS, condition, withCursor('ref', pageRequest)),
    countOf(read, REFUNDS, condition),
  ]);
  const { items, nextCursor } = cutPage(rows, pageRequest.limit, ({ id }) => id);
  return { items: items.map(toRefund), page: pageRequest.page, limit: pageRequest.limit, total, nextCursor };
}

/** Returns the page request with its checked cursor, which is left out if it is empty. @throws ServiceError VALIDATION_ERROR. */
function withCursor(prefix: 'txn' | 'ref', { cursor: given, ...request }: PageRequest): PageRequest {
  const cursor = idCursorOf({ cursor: given }, prefix);
  return cursor === undefined ? request : { ...request, cursor };
}

/** Returns the time of each customer's newest successful payment; customers without one are missing. */
export async function lastPayments(read: Read, customerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (customerIds.length === 0) return new Map();
  const values = sql<{ customer_id: string }>`(values ${sql.join(customerIds.map((id) => sql`(${id})`))})`;
  // One index lookup per customer, because a customer's history may be long.
  const rows = await read.rows(
    queriesOn(TRANSACTIONS)
      .with('asked(customer_id)', () => values)
      .selectFrom('asked')
      .select(({ selectFrom }) => [
        'asked.customer_id',
        selectFrom('transactions as t')
          .select('t.captured_at')
          .where('t.tenant_id', '=', TENANT)
          .whereRef('t.customer_id', '=', 'asked.customer_id')
          .where('t.captured_minor', '>', lit(0))
          .orderBy('t.id', 'desc')
          .limit(1)
          .as('at'),
      ]),
  );
  return new Map(rows.flatMap(({ customer_id, at: pageRequest }) => (pageRequest === null ? [] : [[customer_id, pageRequest]])));
}
