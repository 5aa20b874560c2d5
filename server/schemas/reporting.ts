import { Type } from 'typebox';
import { GIFT_CARD_GROUPS, GROUPS } from '#core/books/reporting';
import { CurrencyIn, DateIn, DateQuery, PageQuery, Text } from './fields.ts';
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
  merchantId: Type.Optional(Text(60)),
});
export const AnalyticsQueryIn = Type.Object({
  ...DateQuery,
  ...InCurrency,
  groupBy: oneOf(...GROUPS),
  merchantId: Type.Optional(Text(60)),
});
export const GiftCardReportQueryIn = Type.Object({ ...AnalyticsQueryIn.properties, groupBy: oneOf(...GIFT_CARD_GROUPS) });
export const TipQueryIn = Type.Object({ ...DateQuery, ...InCurrency, merchantId: Type.Optional(Text(60)) });
export const DailySummaryQueryIn = Type.Object({
  ...InCurrency,
  date: Type.Optional(DateIn('a day, YYYY-MM-DD in the time zone of the merchant; by default today')),
  startDate: Type.Optional(DateIn('first day of a range of at most 93 days, in place of `date`')),
  endDate: Type.Optional(DateIn('last day of the range, inclusive; by default the first day')),
  merchantId: Type.Optional(Text(60)),
});

export const TodayQueryIn = Type.Object({ ...InCurrency, merchantId: Type.Optional(Text(60)) });
