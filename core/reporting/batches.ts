import { newestOf, type Page, type PageOf } from '#core/database';
import { type Currency, type Money, money, parseDate, ServiceError } from '#core/kernel';
import { SETTLEMENTS, type Settlement, toSettlement } from '#core/settlement';
import type { By, Needs } from './needs.ts';
import { whose } from './scope.ts';

/** Filters of the settlements; days are those of the settlement date, inclusive. */
export interface BatchFilter {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly status?: 'pending' | 'paid';
  readonly merchantId?: string;
  readonly currency?: string;
}

/** What the settlements of a filter come to, in one currency. */
interface BatchTotals {
  readonly count: number;
  readonly transactionCount: number;
  readonly refundCount: number;
  readonly captures: Money;
  readonly refunds: Money;
  readonly amount: Money;
  readonly fees: Money;
  readonly netAmount: Money;
  readonly paidAmount: Money;
}

export interface Batches {
  readonly page: Page<Settlement>;
  readonly currency: Currency;
  readonly totals: BatchTotals;
  readonly otherCurrencies: readonly { readonly currency: string; readonly count: number }[];
}

type Sums = Record<'count' | 'transactions' | 'refund_count' | 'captures' | 'refunds' | 'fees' | 'paid', number> & { currency: string };

/** Settlements of all merchants in scope, newest first, with their sums. */
export async function batches(on: Needs, by: By, filter: BatchFilter, at: PageOf): Promise<Batches> {
  const { startDate, endDate, status } = filter;
  if (startDate !== undefined) parseDate(startDate, 'startDate');
  if (endDate !== undefined) parseDate(endDate, 'endDate');
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
  const { merchantId, currency } = await whose(on, by, filter);
  const read = on.database.read(by.tenantId);
  const also = {
    sql: `${status === undefined ? "status <> 'assembling' AND " : ''}settlement_date >= :from AND settlement_date <= :to`,
    params: { from: startDate ?? '', to: endDate ?? '9999' },
  };
  const where = { merchant_id: merchantId, status };
  const own = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const [page, sums] = await Promise.all([
    newestOf(read, SETTLEMENTS, 'stl', where, at, also),
    read.all<Sums>(
      `SELECT currency, count(*) AS count, sum(transaction_count) AS transactions, sum(refund_count) AS refund_count, sum(captures_minor) AS captures, sum(refunds_minor) AS refunds, sum(fees_minor) AS fees, sum(paid_minor) AS paid
       FROM settlements WHERE ${['tenant_id = :tenantId', ...own.map(([column]) => `${column} = :${column}`), also.sql].join(' AND ')} GROUP BY currency`,
      { ...Object.fromEntries(own), ...also.params },
    ),
  ]);
  const mine = sums.find((row) => row.currency === currency);
  const number = (name: keyof Omit<Sums, 'currency'>) => Number(mine?.[name] ?? 0);
  const of = (minor: number) => money(minor, currency);
  const [captures, refunds, fees] = [number('captures'), number('refunds'), number('fees')];
  return {
    page: { ...page, items: page.items.map(toSettlement) },
    currency,
    totals: {
      count: number('count'),
      transactionCount: number('transactions'),
      refundCount: number('refund_count'),
      captures: of(captures),
      refunds: of(refunds),
      amount: of(captures - refunds),
      fees: of(fees),
      netAmount: of(captures - refunds - fees),
      paidAmount: of(number('paid')),
    },
    otherCurrencies: sums
      .filter((row) => row.currency !== currency)
      .map((row) => ({ currency: row.currency, count: Number(row.count) }))
      .sort((left, right) => right.count - left.count),
  };
}
