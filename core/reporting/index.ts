import type { Page, PageOf } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Transaction, TransactionFilter, TransactionTotals } from '#core/payments';
import { accounts } from './accounts.ts';
import { analyseRefunds, analyseRevenue, analyseTransactions } from './analytics.ts';
import { type BatchFilter, batches } from './batches.ts';
import { type DailySummaryQuery, dailySummary } from './daily-summary.ts';
import type { By, Needs } from './needs.ts';
import type { AnalyticsQuery } from './scope.ts';

export type { Accounts } from './accounts.ts';
export type { Analysis } from './analytics.ts';
export type { Batches, BatchFilter } from './batches.ts';
export { type Books, compareBooks, DIFFERENCES_MAX, type Difference } from './books.ts';
export type { DailySummary } from './daily-summary.ts';
export type { AnalyticsQuery } from './scope.ts';
export { GROUPS } from './series.ts';

/** A page of transactions with what all of the filter's come to. */
export interface TransactionReport {
  readonly page: Page<Transaction>;
  readonly totals: TransactionTotals;
}

/** What is told of payments and money over time (specification 4.14; decisions 9, 11). All money sums are the ledger's. */
export function createReporting(on: Needs) {
  return {
    async transactions(
      by: Actor,
      { currency, ...filter }: TransactionFilter & { currency?: string },
      at: PageOf,
    ): Promise<TransactionReport> {
      const [totals, page] = await Promise.all([on.payments.totals(by, { ...filter, currency }), on.payments.page(by, filter, at)]);
      return { page, totals };
    },
    batches: (by: By, filter: BatchFilter, at: PageOf) => batches(on, by, filter, at),
    dailySummary: (by: By, of: DailySummaryQuery) => dailySummary(on, by, of),
    analyseTransactions: (by: By, of: AnalyticsQuery) => analyseTransactions(on, by, of),
    analyseRevenue: (by: By, of: AnalyticsQuery) => analyseRevenue(on, by, of),
    analyseRefunds: (by: By, of: AnalyticsQuery) => analyseRefunds(on, by, of),
    accounts: (by: By, merchantId?: string) => accounts(on, by, merchantId),
  };
}
