import { type TProperties, Type } from 'typebox';
import {
  type Accounts,
  type Analysis,
  type Batches,
  type DailySummary,
  GROUPS,
  type ItemReport,
  type TipReport,
  type TodayComparison,
  type TransactionReport,
} from '#core/books/reporting';
import { Settlement } from '#core/books/settlement';
import { type Money, toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { Transaction } from '#core/sales/payments';
import { CurrencyIn, DateIn, DateQuery, Maybe, PageQuery, Paginated, Text } from './fields.ts';
import { ListQuery, oneOf } from './list.ts';
import { named } from './named.ts';
import { paginated } from './page.ts';

const Amount = (description = 'major units') => Type.Number({ description });
const Count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

const InCurrency = {
  currency: Type.Optional({
    ...CurrencyIn,
    description: 'an ISO 4217 code such as USD; the currency of the totals, by default that of the merchant',
  }),
};
const OtherCurrencies = Type.Array(Type.Object({ currency: Type.String(), count: Count() }), {
  description: 'rows in other currencies, which the totals do not include',
});
const Declines = Type.Array(Type.Object({ code: Type.String(), count: Count() }));

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
export const TipQueryIn = Type.Object({ ...DateQuery, ...InCurrency, merchantId: Type.Optional(Text(60)) });
export const DailySummaryQueryIn = Type.Object({
  ...InCurrency,
  date: Type.Optional(DateIn('a day, YYYY-MM-DD in the time zone of the merchant; by default today')),
  startDate: Type.Optional(DateIn('first day of a range of at most 93 days, in place of `date`')),
  endDate: Type.Optional(DateIn('last day of the range, inclusive; by default the first day')),
  merchantId: Type.Optional(Text(60)),
});

const listed = (item: Parameters<typeof Paginated>[0], totals: TProperties) =>
  Type.Object({
    ...Paginated(item).properties,
    currency: Type.String(),
    totals: Type.Object(totals),
    otherCurrencies: OtherCurrencies,
  });

export const TransactionReportOut = listed(Transaction, {
  count: Count('transactions of the filter in this currency'),
  amount: Amount(),
  captured: Amount(),
  refunded: Amount(),
  fees: Amount('fees of settled transactions'),
  net: Amount('captured less refunded less fees'),
});
export const BatchesOut = listed(Settlement, {
  count: Count('settlements of the filter in this currency'),
  transactionCount: Count(),
  refundCount: Count(),
  captures: Amount(),
  refunds: Amount(),
  disputes: Amount('reversals less chargebacks and dispute fees; negative if money was withheld'),
  amount: Amount('captures less refunds, plus `disputes`'),
  fees: Amount(),
  netAmount: Amount('amount less fees'),
  paidAmount: Amount(),
});

const analysis = (sums: TProperties) =>
  Type.Object({
    startDate: Type.String(),
    endDate: Type.String(),
    groupBy: literals(GROUPS),
    currency: Type.String(),
    totals: Type.Object(sums),
    series: Type.Array(
      Type.Object({
        key: Type.String({ description: 'the day, the Monday of the week, the month as YYYY-MM, the brand or the merchant ID' }),
        label: Type.String(),
        ...sums,
      }),
    ),
    otherCurrencies: OtherCurrencies,
  });

const Rate = (description: string) => Type.Number({ description: `${description}; 0 to 1, four decimals` });

export const TransactionAnalysisOut = analysis({
  count: Count(),
  approved: Count(),
  declined: Count(),
  voided: Count(),
  failed: Count(),
  pending: Count(),
  approvalRate: Rate('share of approved transactions, including later voided ones, among all approved and declined ones'),
  amount: Amount('total of approved sales and authorizations'),
  averageAmount: Amount(),
  declines: Declines,
});
const PersonTipsOut = named(
  'PersonTips',
  Type.Object({
    person: Maybe(Type.String({ description: 'name of the person or API key that made the payments' })),
    count: Count('captured payments with a tip'),
    tips: Amount('tips of these payments'),
    refunded: Amount('refunded tips'),
    net: Amount('tips less refunded tips'),
  }),
);
/** Tips of a period by person. */
export const TipReportOut = named(
  'TipReport',
  Type.Object({
    startDate: Type.String(),
    endDate: Type.String(),
    currency: Type.String(),
    total: Amount('net tips of all people'),
    people: Type.Array(PersonTipsOut),
  }),
);
const ItemSums = {
  count: Count('sales with the item'),
  sales: Amount('sales with their taxes'),
  taxes: Amount('taxes within the sales'),
  discounts: Amount('discounts of the lines; the sales are after them'),
  refunds: Amount('part of the refunds of these sales until now, in proportion to their lines'),
  net: Amount('sales less refunds'),
};
const ItemSalesOut = named(
  'ItemSales',
  Type.Object({
    itemId: Maybe(Type.String({ description: 'item; null for lines without one, which are grouped by their description' })),
    name: Type.String({ description: 'description in the newest sale' }),
    category: Maybe(Type.String({ description: 'present category of the item; null without one' })),
    quantity: Type.Number({ description: 'units sold' }),
    ...ItemSums,
  }),
);
const CategorySalesOut = named(
  'CategorySales',
  Type.Object({
    category: Maybe(Type.String({ description: 'present category of the items; null for lines without one' })),
    quantity: Type.Number({ description: 'units sold' }),
    ...ItemSums,
    count: Count('sales with an item of the category'),
  }),
);
/** Sales of a period by item. */
export const ItemReportOut = named(
  'ItemReport',
  Type.Object({
    startDate: Type.String(),
    endDate: Type.String(),
    currency: Type.String(),
    total: Type.Object({ ...ItemSums, count: Count('itemized sales') }, { description: 'sums of all items' }),
    items: Type.Array(ItemSalesOut, { description: 'items, the highest net sales first' }),
    categories: Type.Array(CategorySalesOut, {
      description: 'sums of the items by category, the highest net sales first; empty if no item of the report has a category',
    }),
  }),
);
export const RevenueAnalysisOut = analysis({
  gross: Amount('captures less voids and canceled captures'),
  refunds: Amount(),
  fees: Amount('fees of the captures, on the day of the capture; known once they are settled'),
  giftCardsSold: Amount('sold less taken back'),
  net: Amount('gross less refunds, gift cards and fees'),
  tips: Amount('tips within the sales, less refunded ones'),
  surcharges: Amount('surcharges within the sales, less refunded ones'),
  taxes: Amount('sales tax within the sales, less refunded tax'),
  credits: Amount('unlinked credits, which are not part of net'),
  refundedOutside: Amount('refunds recorded without a processor'),
});
export const RefundAnalysisOut = analysis({
  count: Count(),
  amount: Amount(),
  fullCount: Count(),
  partialCount: Count(),
  declined: Count('refunds whose first attempt was declined, whatever the retries achieved'),
  rate: Rate('refunded amount divided by the amount captured in the same period'),
  outsideCount: Count('refunds recorded without a processor'),
  outsideAmount: Amount(),
});

const Shares = (description: string) => Type.Array(Type.Object({ key: Type.String(), count: Count(), amount: Amount() }), { description });

const ShiftPaymentsOut = named(
  'ShiftPayments',
  Type.Object(
    {
      zReportsAmount: Amount('net sales of the Z reports of the day'),
      fromOtherDaysAmount: Amount('payments of other days in these Z reports'),
      inOtherReportsAmount: Amount('payments of the day in the Z reports of other days'),
      openShiftsAmount: Amount('payments in shifts that are open now'),
      lateAmount: Amount('payments whose outcome arrived after the close of their shift, and that no Z report counts'),
      late: Type.Array(
        Type.Object({
          shiftId: Type.String(),
          zNumber: Type.Integer({ description: 'Z report of the shift, which does not contain them' }),
          drawer: Type.String(),
          openedBy: Type.String(),
          count: Count('movements'),
          amount: Amount(),
        }),
        { description: 'the late payments by shift' },
      ),
      withoutShiftAmount: Amount('payments outside of shifts, such as those of pay pages and subscriptions'),
      totalAmount: Amount('sales less refunds and credits of the day'),
    },
    {
      description:
        'the payments of the day of all kinds, sales less refunds, by the Z report that counts them; null for merchants that never opened a shift. `totalAmount` is `zReportsAmount` less `fromOtherDaysAmount`, plus all other amounts',
    },
  ),
);
const DaySums = {
  salesCount: Count('captures of the day less captures that were voided or canceled on the same day, and sales without a processor'),
  salesAmount: Amount(),
  refundsCount: Count(),
  refundsAmount: Amount(),
  voidsCount: Count('payments of the day that are voided now'),
  declinedCount: Count('payments of the day that were declined'),
  tipsAmount: Amount('tips within the sales, less refunded ones'),
  surchargesAmount: Amount('surcharges within the sales, less refunded ones'),
  taxesAmount: Amount('sales tax within the sales, less refunded tax'),
  feesAmount: Amount('fees of the sales of the day, known once they are settled'),
  chargebacksCount: Count('chargebacks of the day'),
  chargebacksAmount: Amount('chargebacks of the day less those that were returned on it'),
  disputeFeesAmount: Amount('fees of processors for disputes'),
  giftCardsSoldAmount: Amount('sold less taken back'),
  netAmount: Amount('sales less refunds, gift cards and fees; disputes are listed apart'),
};
const Day = Type.String({ examples: ['2026-11-24'] });
const DayOut = named('DailySums', Type.Object({ date: Day, ...DaySums }));
export const DailySummaryOut = named(
  'DailySummary',
  Type.Object({
    date: Type.String({ description: 'the day; the last one of a range', examples: ['2026-11-24'] }),
    startDate: Day,
    endDate: Day,
    currency: Type.String(),
    ...DaySums,
    days: Type.Array(DayOut, { description: 'one row for each day; their sums are those of the summary' }),
    tipsByPerson: Type.Array(PersonTipsOut),
    byType: Shares('`sale` and `auth` sum to the sales; `credit` and `refund` are outgoing amounts'),
    byMethod: Shares('shares of the sales'),
    byBrand: Shares('shares of the sales'),
    tenders: Type.Array(
      Type.Object({
        kind: Type.Union([Type.Literal('cash'), Type.Literal('check'), Type.Literal('other'), Type.Literal('gift_card')]),
        salesCount: Count('payments of this kind without a processor'),
        salesAmount: Amount(),
        refundsCount: Count(),
        refundsAmount: Amount(),
      }),
      { description: 'the part of the sales and refunds that no processor took, by kind' },
    ),
    shifts: Type.Object(
      {
        openCount: Count('shifts that are open now'),
        closedCount: Count('shifts that were closed on the day'),
        floatAmount: Amount('floats of the shifts that were opened on the day, in major units'),
        payInsAmount: Amount(),
        payOutsAmount: Amount(),
        cashSalesAmount: Amount('cash sales in shifts'),
        cashRefundsAmount: Amount('cash refunds in shifts'),
        cashRoundingAmount: Amount('cash received by rounding, less cash given up by it'),
        countedAmount: Amount('counted cash of the closed shifts'),
        varianceAmount: Amount('counted less expected cash of the closed shifts'),
        cardsAmount: Amount('card and bank payments in the Z reports of the day'),
        closed: Type.Array(
          Type.Object({
            shiftId: Type.String(),
            zNumber: Type.Integer(),
            drawer: Type.String(),
            closedBy: Type.String(),
            countedAmount: Amount(),
            varianceAmount: Amount('counted less expected cash'),
            cardsAmount: Amount('card and bank payments in the Z report'),
            netSalesAmount: Amount('sales less refunds of all payments in the Z report'),
          }),
          { description: 'shifts that were closed on the day' },
        ),
        payments: Maybe(ShiftPaymentsOut),
      },
      { description: 'sums of the shifts of the day' },
    ),
    declines: Declines,
    otherCurrencies: OtherCurrencies,
  }),
);

export const TodayQueryIn = Type.Object({ ...InCurrency, merchantId: Type.Optional(Text(60)) });
const PartialDayOut = Type.Object({
  date: Type.String({ description: 'the day in the time zone of the merchant', examples: ['2026-11-24'] }),
  until: Type.String({ description: 'the end of the compared part of the day, exclusive', examples: ['2026-11-24T17:30:00.000Z'] }),
  salesCount: Count('captures of that part of the day less voided and canceled captures'),
  salesAmount: Amount(),
  refundsCount: Count(),
  refundsAmount: Amount(),
  giftCardsSoldAmount: Amount(),
  approvedCount: Count('approved payments, including those voided since'),
  declinedCount: Count(),
  approvalRate: Rate('share of approved payments among the decided ones'),
});
export const TodayOut = named(
  'TodayComparison',
  Type.Object({ currency: Type.String({ examples: ['USD'] }), today: PartialDayOut, weekBefore: PartialDayOut }),
);

const Signed = Type.Number({ description: 'debits less credits, in major units' });
const ACCOUNTS = [
  'processor',
  'unsettled',
  'settled',
  'fees',
  'paidOut',
  'credited',
  'ownFunds',
  'refundedOutside',
  'bank',
  'bankFees',
  'bankChargebacks',
  'sales',
  'tips',
  'surcharges',
  'taxes',
  'cash',
  'checks',
  'otherTenders',
  'giftCards',
  'giftCardsGiven',
  'tenderSales',
  'cashDifferences',
] as const;
export const LedgerOut = named(
  'Ledger',
  Type.Object({
    merchants: Type.Array(
      Type.Object({
        merchantId: Type.String(),
        currency: Type.String(),
        accounts: Type.Object(
          Object.fromEntries(ACCOUNTS.map((name) => [name, Signed])) as Record<(typeof ACCOUNTS)[number], typeof Signed>,
        ),
      }),
    ),
    balanced: Type.Boolean({ description: 'whether the accounts of every merchant sum to zero' }),
  }),
);

/** Type of a value in which every amount of money is a number of major units. */
export type Shown<Value> = Value extends Money
  ? number
  : Value extends readonly (infer Item)[]
    ? Shown<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Shown<Value[Name]> }
      : Value;

const isMoney = (value: object): value is Money => 'minor' in value;

/** Returns a report with its amounts as numbers of major units. */
function inNumbers<Value>(value: Value): Shown<Value>;
function inNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inNumbers(item));
  if (isMoney(value)) return toNumber(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inNumbers(part)]));
}

export function transactionReportRecord({ page, totals: { currency, otherCurrencies, ...totals } }: TransactionReport) {
  return { ...paginated(page, (transaction) => transaction), currency, totals: inNumbers(totals), otherCurrencies };
}

export function batchesRecord({ page, currency, totals, otherCurrencies }: Batches) {
  return { ...paginated(page, (settlement) => settlement), currency, totals: inNumbers(totals), otherCurrencies };
}

export const analysisRecord = <Totals>(found: Analysis<Totals>): Shown<Analysis<Totals>> => inNumbers(found);
export const todayRecord = (found: TodayComparison): Shown<TodayComparison> => inNumbers(found);
export const tipReportRecord = (found: TipReport): Shown<TipReport> => inNumbers(found);
export const itemReportRecord = (found: ItemReport): Shown<ItemReport> => inNumbers(found);
export const dailySummaryRecord = (found: DailySummary): Shown<DailySummary> => inNumbers(found);

export function ledgerRecord({ merchants, balanced }: Accounts) {
  return {
    merchants: merchants.map(
      ({
        accounts: {
          paid_out,
          own_funds,
          refunded_outside,
          bank_fees,
          bank_chargebacks,
          other_tenders,
          tender_sales,
          cash_differences,
          gift_cards,
          gift_cards_given,
          ...accounts
        },
        ...merchant
      }) => ({
        ...merchant,
        accounts: inNumbers({
          ...accounts,
          paidOut: paid_out,
          ownFunds: own_funds,
          refundedOutside: refunded_outside,
          bankFees: bank_fees,
          bankChargebacks: bank_chargebacks,
          otherTenders: other_tenders,
          tenderSales: tender_sales,
          cashDifferences: cash_differences,
          giftCards: gift_cards,
          giftCardsGiven: gift_cards_given,
        }),
      }),
    ),
    balanced,
  };
}
