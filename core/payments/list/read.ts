import { lit, type Page, type PageOf, queriesOn, type Read, sql, TENANT } from '#core/database';
import { type Actor, isId } from '#core/kernel';
import { checkScope } from '../capture/change.ts';
import type { Needs } from '../needs.ts';
import { historyOf, readRefund } from '../repository.ts';
import { latestRerunOf } from '../sale/rerun.ts';
import { REFUNDS, type RefundRow, TRANSACTIONS } from '../schema.ts';
import { type Refund, type Transaction, type TransactionDetail, toRefund, toTransaction } from '../transaction.ts';
import { checkPeriod, countOf, pageOf, type RefundFilter, refundCondition, type TransactionFilter, transactionCondition } from './list.ts';
import { pageWithTotal } from './slices.ts';

/** One transaction with every step made for it. TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function get(on: Needs, by: Actor, transactionId: string): Promise<TransactionDetail> {
  const row = await checkScope(on, by, transactionId);
  const read = on.database.read(by.tenantId);
  const [rerun, history] = await Promise.all([latestRerunOf(read, row), historyOf(read, transactionId)]);
  return { ...toTransaction(row), rerun, history };
}

/** The filter within the caller's scope, and the zone and decimals that its dates and amounts are read in. */
export async function scoped<Filter extends { merchantId?: string; startDate?: string; endDate?: string }>(
  on: Needs,
  by: Actor,
  filter: Filter,
) {
  checkPeriod(filter);
  const merchantId = filter.merchantId ?? by.merchantId ?? undefined;
  const merchant = await on.merchantFor(by, merchantId);
  return { filter: { ...filter, merchantId }, merchant };
}

/** One page of the transactions that a filter names, newest first, with their total (specification 4.4). */
export async function page(on: Needs, by: Actor, asked: TransactionFilter, at: PageOf): Promise<Page<Transaction>> {
  const { filter, merchant } = await scoped(on, by, asked);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = on.database.read(by.tenantId);
  const { rows, total } = await pageWithTotal(read, filter, condition, cursorOf('txn', at));
  return {
    items: rows.map(toTransaction),
    page: at.page,
    limit: at.limit,
    total,
    nextCursor: rows.length === at.limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** One refund. NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getRefund(on: Needs, by: Actor, refundId: string): Promise<Refund> {
  const row = await readRefund(on.database.read(by.tenantId), refundId);
  await on.merchantFor(by, row.merchant_id);
  return toRefund(row);
}

/** One page of refunds, newest first (specification 4.5). */
export async function refundPage(on: Needs, by: Actor, asked: RefundFilter, at: PageOf): Promise<Page<Refund>> {
  const { filter, merchant } = await scoped(on, by, asked);
  const condition = refundCondition(filter, merchant.timezone);
  const read = on.database.read(by.tenantId);
  const [rows, total] = await Promise.all([
    pageOf<RefundRow>(read, REFUNDS, condition, cursorOf('ref', at)),
    countOf(read, REFUNDS, condition),
  ]);
  return {
    items: rows.map(toRefund),
    page: at.page,
    limit: at.limit,
    total,
    nextCursor: rows.length === at.limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** A cursor is the id that the page before ended with; anything else names nothing and is left out. */
function cursorOf(prefix: 'txn' | 'ref', at: PageOf): PageOf {
  return at.cursor !== undefined && !isId(prefix, at.cursor) ? { page: at.page, limit: at.limit } : at;
}

/** When the newest payment of each customer that took money did so; customers without one are left out. */
export async function lastPayments(read: Read, customerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (customerIds.length === 0) return new Map();
  const values = sql<{ customer_id: string }>`(values ${sql.join(customerIds.map((id) => sql`(${id})`))})`;
  // One step down the index for each: a customer's history may be long.
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
  return new Map(rows.flatMap(({ customer_id, at }) => (at === null ? [] : [[customer_id, at]])));
}
