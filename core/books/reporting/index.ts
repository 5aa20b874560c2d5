import type { PageRequest } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import type { TransactionFilter } from '#core/sales/payments';
import { accounts } from './accounts.ts';
import { analyseRefunds, analyseRevenue, analyseTransactions } from './analytics.ts';
import { batches } from './batches.ts';
import { dailySummary } from './daily-summary.ts';
import type { Dependencies } from './dependencies.ts';
import { giftCardReport } from './gift-cards.ts';
import { itemReport } from './item-sales.ts';
import { mailBusinessReport } from './report-mail.ts';
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
export { MAILABLE_REPORTS, type ReportMail } from './report-mail.ts';
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
    ...bind(deps, { batches, dailySummary, analyseTransactions, analyseRevenue, analyseRefunds, compareToday, tips: tipReport }),
    ...bind(deps, { giftCards: giftCardReport, items: itemReport, accounts, mail: mailBusinessReport }),
  };
}
