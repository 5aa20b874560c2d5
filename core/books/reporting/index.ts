import type { PageRequest } from '#core/database';
import type { Actor } from '#core/kernel';
import type { TransactionFilter } from '#core/sales/payments';
import { accounts } from './accounts.ts';
import { analyseRefunds, analyseRevenue, analyseTransactions } from './analytics.ts';
import { type BatchFilter, batches } from './batches.ts';
import { type DailySummaryQuery, dailySummary } from './daily-summary.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { giftCardReport } from './gift-cards.ts';
import { itemReport } from './item-sales.ts';
import type { AnalyticsQuery } from './scope.ts';
import { tipReport } from './tips.ts';
import { compareToday } from './today.ts';

export type { BatchFilter } from './batches.ts';
export { checkIntegrity, countTransfers, type Difference } from './integrity-check.ts';
export {
  BatchTotals,
  DailySummary,
  GIFT_CARD_GROUPS,
  GiftCardReport,
  GROUPS,
  ItemReport,
  Ledger,
  OtherCurrencies,
  RefundAnalysis,
  RevenueAnalysis,
  TipReport,
  TodayComparison,
  TransactionAnalysis,
  TransactionReportTotals,
} from './records.ts';
export type { AnalyticsQuery } from './scope.ts';

/** Reports on payments and money movements. All sums of money come from the ledger. */
export function createReporting(deps: Dependencies) {
  return {
    async transactions(actor: Actor, { currency, ...filter }: TransactionFilter & { currency?: string }, pageRequest: PageRequest) {
      const [{ currency: used, otherCurrencies, ...totals }, page] = await Promise.all([
        deps.payments.totals(actor, { ...filter, currency }),
        deps.payments.page(actor, filter, pageRequest),
      ]);
      return { page, currency: used, totals, otherCurrencies };
    },
    batches: (actor: Caller, filter: BatchFilter, pageRequest: PageRequest) => batches(deps, actor, filter, pageRequest),
    dailySummary: (actor: Caller, query: DailySummaryQuery) => dailySummary(deps, actor, query),
    analyseTransactions: (actor: Caller, query: AnalyticsQuery) => analyseTransactions(deps, actor, query),
    analyseRevenue: (actor: Caller, query: AnalyticsQuery) => analyseRevenue(deps, actor, query),
    analyseRefunds: (actor: Caller, query: AnalyticsQuery) => analyseRefunds(deps, actor, query),
    compareToday: (actor: Caller, query: { merchantId?: string; currency?: string }) => compareToday(deps, actor, query),
    tips: (actor: Caller, query: AnalyticsQuery) => tipReport(deps, actor, query),
    giftCards: (actor: Caller, query: AnalyticsQuery) => giftCardReport(deps, actor, query),
    items: (actor: Caller, query: AnalyticsQuery) => itemReport(deps, actor, query),
    accounts: (actor: Caller, merchantId?: string) => accounts(deps, actor, merchantId),
  };
}
