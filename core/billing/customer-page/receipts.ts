import { lit, queriesOn, type Read, sql, TENANT } from '#core/database';
import { type Money, money, storedCurrency } from '#core/kernel';
import { READABLE_TRANSACTIONS } from '#core/sales/payments';
import { READABLE_TENDERS } from '#core/sales/tenders';
import type { PageLinkRow } from './schema.ts';

const queries = queriesOn(READABLE_TRANSACTIONS, READABLE_TENDERS);
const PER_PAGE = 24;

/** A payment whose receipt the page offers. */
export interface PageReceipt {
  /** ID of the transaction or tender. */
  readonly paymentId: string;
  readonly amount: Money;
  readonly createdAt: string;
}

/** Approved payments, and payments at the counter and by bank transfer that were not taken back; newest first. */
export interface PageReceipts {
  readonly items: readonly PageReceipt[];
  readonly page: number;
  /** Number of the first of `items`; 1 is the newest receipt. */
  readonly first: number;
  readonly total: number;
}

/** Returns a page of the receipts of a customer; the last one after it. */
export async function receiptsOf(
  read: Read,
  { customer_id: customerId, merchant_id: merchantId }: PageLinkRow,
  wantedPage: number,
): Promise<PageReceipts> {
  const payments = queries
    .selectFrom('transactions')
    .select([
      'id',
      'currency',
      'created_at',
      sql<number>`CASE WHEN captured_minor > 0 THEN captured_minor ELSE amount_minor END`.as('minor'),
    ])
    .where('tenant_id', '=', TENANT)
    .where('customer_id', '=', customerId)
    .where('merchant_id', '=', merchantId)
    .where('status', '=', lit('approved'))
    .where('type', '<>', lit('credit'));
  const tenders = queries
    .selectFrom('tenders')
    .select(['id', 'currency', 'created_at', 'amount_minor as minor'])
    .where('tenant_id', '=', TENANT)
    .where('customer_id', '=', customerId)
    .where('merchant_id', '=', merchantId)
    .where('returned_at', 'is', null);
  const all = payments.unionAll(tenders);
  const counted = await read.row(queries.selectFrom(all.as('r')).select(({ fn }) => fn.countAll<number>().as('n')));
  const total = Number(counted?.n ?? 0);
  const page = Math.max(1, Math.min(wantedPage, Math.ceil(total / PER_PAGE)));
  const skip = (page - 1) * PER_PAGE;
  const rows = await read.rows(all.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(PER_PAGE).offset(skip));
  const items = rows.map(({ id, currency, minor, created_at }) => ({
    paymentId: id,
    amount: money(Number(minor), storedCurrency(currency)),
    createdAt: created_at,
  }));
  return { items, page, first: skip + 1, total };
}
