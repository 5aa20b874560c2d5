import { Type } from 'typebox';
import { GIFT_CARD_GROUPS, GROUPS, MAILABLE_REPORTS } from '#core/books/reporting';
import { literals } from '#core/platform/fields';
import { CurrencyIn, DateIn, DateQuery, EmailIn, MerchantIn, PageQuery } from './fields.ts';
import { ListQuery, oneOf } from './list.ts';

const InCurrency = {
  currency: Type.Optional({
    ...CurrencyIn,
    description: 'an ISO 4217 code such as USD; the currency of the totals, by default that of the merchant',
  }),
};
/** Filters of the reports on transactions: those of the list. */
export const ReportQuery = Type.Object({ ...ListQuery.properties, ...InCurrency });
export const BatchQuery = Type.Object({
  ...PageQuery,
  ...DateQuery,
  ...InCurrency,
  status: oneOf('pending', 'paid'),
  merchantId: MerchantIn,
});
const GroupBy = <const Words extends readonly string[]>(words: Words) =>
  Type.Optional(literals(words, 'What an entry of `series` stands for'));
export const AnalyticsQueryIn = Type.Object({
  ...DateQuery,
  ...InCurrency,
  groupBy: GroupBy(GROUPS),
  merchantId: MerchantIn,
});
export const ReportMailBody = Type.Object({
  report: literals(MAILABLE_REPORTS, 'report that is sent'),
  email: EmailIn(),
  ...AnalyticsQueryIn.properties,
});
export const GiftCardReportQueryIn = Type.Object({ ...AnalyticsQueryIn.properties, groupBy: GroupBy(GIFT_CARD_GROUPS) });
export const TipQueryIn = Type.Object({ ...DateQuery, ...InCurrency, merchantId: MerchantIn });
export const DailySummaryQueryIn = Type.Object({
  ...InCurrency,
  date: Type.Optional(DateIn('a day, YYYY-MM-DD in the time zone of the merchant; by default today')),
  startDate: Type.Optional(DateIn('first day of a range of at most 93 days, in place of `date`')),
  endDate: Type.Optional(DateIn('last day of the range, inclusive; by default the first day')),
  merchantId: MerchantIn,
});

export const TodayQueryIn = Type.Object({ ...InCurrency, merchantId: MerchantIn });
