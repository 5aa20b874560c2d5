import type { Page, PageRequest } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Transaction, TransactionFilter, TransactionTotals } from '#core/payments';
import { accounts } from './accounts.ts';
import { analyseRefunds, analyseRevenue, analyseTransactions } from './analytics.ts';
import { type BatchFilter, batches } from './batches.ts';
import { type DailySummaryQuery, dailySummary } from './daily-summary.ts';
import type { By, Dependencies } from './dependencies.ts';
import type { AnalyticsQuery } from './scope.ts';

export type { Accounts } from './accounts.ts';
export type { Analysis } from './analytics.ts';
export type { Batches, BatchFilter } from './batches.ts';
export type { DailySummary } from './daily-summary.ts';
export { checkIntegrity, DIFFERENCES_MAX, type Difference, type IntegrityReport } from './integrity-check.ts';
export type { AnalyticsQuery } from './scope.ts';
export { GROUPS } from './series.ts';

/** A page of transactions with the totals of the filter. */
export interface TransactionReport {
  readonly page: Page<Transaction>;
  readonly totals: TransactionTotals;
}

/** Reports on payments and money over time (specification 4.14; decisions 9, 11). All sums of money come from the ledger. */
export function createReporting(deps: Dependencies) {
  return {
    async transactions(
      actor: Actor,
      { currency, ...filter }: TransactionFilter & { currency?: string },
      at: PageRequest,
    ): Promise<TransactionReport> {
      const [totals, page] = await Promise.all([
        deps.payments.totals(actor, { ...filter, currency }),
        deps.payments.page(actor, filter, at),
      ]);
      return { page, totals };
    },
    batches: (actor: By, filter: BatchFilter, at: PageRequest) => batches(deps, actor, filter, at),
    dailySummary: (actor: By, of: DailySummaryQuery) => dailySummary(deps, actor, of),
    analyseTransactions: (actor: By, of: AnalyticsQuery) => analyseTransactions(deps, actor, of),
    analyseRevenue: (actor: By, of: AnalyticsQuery) => analyseRevenue(deps, actor, of),
    analyseRefunds: (actor: By, of: AnalyticsQuery) => analyseRefunds(deps, actor, of),
    accounts: (actor: By, merchantId?: string) => accounts(deps, actor, merchantId),
  };
}
