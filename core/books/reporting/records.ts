import type { TProperties } from 'typebox';
import type { Money } from '#core/kernel';
import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  group,
  list,
  literals,
  nullable,
  number,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { ACCOUNTS, type Account } from '#core/records/ledger';

export const GROUPS = ['day', 'week', 'month', 'brand', 'merchant'] as const;
export type GroupBy = (typeof GROUPS)[number];
/** Payments without a processor, in the order in which a daily summary lists them. */
export const TENDER_KINDS = ['cash', 'check', 'other', 'gift_card'] as const;

const currency = currencyCode('ISO 4217 code of the currency of all amounts');
const period = { startDate: day('First day'), endDate: day('Last day, inclusive'), currency };
const rate = (description: string) => number(`${description}; 0 to 1, four decimals`, 0.98);
const declines = list(
  group('A reason and its number of payments', { code: text('Code of the reason', 'insufficient_funds'), count: count('Payments', 1) }),
  'Reasons of the declines, the most frequent first',
);
export const OtherCurrencies = list(
  group('A currency and its number of rows', { currency: text('ISO 4217 code', 'CAD'), count: count('Rows', 2) }),
  'Rows in other currencies, which the totals do not include',
);

/** Totals of the transactions of a filter in one currency. */
export const TransactionReportTotals = group('Totals of all transactions of the filter', {
  count: count('Transactions of the filter in this currency', 12),
  amount: amount('Amounts', 1000),
  captured: amount('Captured amounts', 1000),
  refunded: amount('Refunded amounts', 20),
  fees: amount('Fees of settled transactions', 29.3),
  net: amount('Captured less refunded less fees', 950.7),
});
/** Totals of the settlements of a filter in one currency. */
export const BatchTotals = group('Totals of all settlements of the filter', {
  count: count('Settlements of the filter in this currency', 1),
  transactionCount: count('Captures', 12),
  refundCount: count('Refunds', 1),
  captures: amount('Captures', 1000),
  refunds: amount('Refunds', 20),
  disputes: amount('Reversals less chargebacks and dispute fees; negative if money was withheld', 0),
  amount: amount('Captures less refunds, plus `disputes`', 980),
  fees: amount('Fees', 29.3),
  netAmount: amount('Amount less fees', 950.7),
  paidAmount: amount('Part of netAmount that is paid', 0),
});
export type BatchTotals = RecordOf<typeof BatchTotals>;

const analysis = <Sums extends TProperties>(name: string, sums: Sums) =>
  record(name, {
    ...period,
    groupBy: literals(GROUPS, 'What an entry of `series` stands for'),
    totals: group('Sums of the period', sums),
    series: list(
      group('Sums of a point', {
        key: text('The day, the Monday of the week, the month as YYYY-MM, the brand or the merchant ID', '2026-11-21'),
        label: text('Name of the point for people', '2026-11-21'),
        ...sums,
      }),
      'The points of the series in order',
    ),
    otherCurrencies: OtherCurrencies,
  });

/** Payments by the day of their creation with their present status; the counts equal those of the list. */
const transactionSums = {
  count: count('Payments', 12),
  approved: count('Approved payments', 10),
  declined: count('Declined payments', 1),
  voided: count('Voided payments', 1),
  failed: count('Failed payments', 0),
  pending: count('Pending payments', 0),
  approvalRate: rate(
    'Share of approved transactions, including later voided ones, among all approved and declined ones; 0 if there are none',
  ),
  amount: amount('Total of approved sales and authorizations', 1000),
  averageAmount: amount('Average of these payments; an order can have several', 100),
  declines,
};
export const TransactionAnalysis = analysis('TransactionAnalysis', transactionSums);
export type TransactionSums = RecordOf<typeof TransactionAnalysis>['totals'];

/** Money movements by the day on which the ledger entered them. */
export const RevenueAnalysis = analysis('RevenueAnalysis', {
  salesCount: count(
    'Sales by the day of their first payment, less voided and canceled ones; an order is one sale. In a series by brand, a sale has the brand of its first payment',
    12,
  ),
  averageSale: amount('`gross` divided by `salesCount`; 0 without a sale', 83.33),
  gross: amount('Captures less voids and canceled captures', 1000),
  refunds: amount('Refunds', 20),
  fees: amount('Fees of the captures, on the day of the capture; known once they are settled', 29.3),
  giftCardsSold: amount('Gift cards sold less those taken back', 0),
  net: amount('Gross less refunds, gift cards and fees', 950.7),
  tips: amount('Tips within the sales, less refunded ones', 50),
  surcharges: amount('Surcharges within the sales, less refunded ones', 0),
  taxes: amount('Sales tax within the sales, less refunded tax', 80),
  credits: amount('Unlinked credits, which are not part of net', 0),
  refundedOutside: amount('Refunds recorded without a processor', 0),
});
export type RevenueSums = RecordOf<typeof RevenueAnalysis>['totals'];

/** Refunds by the day on which they were made. */
export const RefundAnalysis = analysis('RefundAnalysis', {
  count: count('Refunds', 2),
  amount: amount('Refunds', 20),
  fullCount: count('Refunds of the whole amount', 1),
  partialCount: count('Refunds of a part', 1),
  declined: count('Refunds whose first attempt was declined, whatever the retries achieved', 0),
  rate: rate('Refunded amount divided by the amount captured in the same period'),
  outsideCount: count('Refunds recorded without a processor', 0),
  outsideAmount: amount('Refunds recorded without a processor', 0),
});
export type RefundSums = RecordOf<typeof RefundAnalysis>['totals'];

/** Sums of a period and the same sums of each of its points. */
export interface Analysis<Totals> {
  readonly startDate: string;
  readonly endDate: string;
  readonly groupBy: GroupBy;
  readonly currency: Money['currency'];
  readonly totals: Totals;
  readonly series: readonly (Totals & { readonly key: string; readonly label: string })[];
  readonly otherCurrencies: RecordOf<typeof OtherCurrencies>;
}

/** Tips of the payments that a person or API key made, by the day of their movement. */
const PersonTips = record('PersonTips', {
  person: nullable(
    text('Name of the person or API key that made the payments; null for payments from before the person was recorded', 'Ann Marsh'),
  ),
  count: count('Captured payments with a tip', 5),
  tips: amount('Tips of these payments', 50),
  refunded: amount('Refunded tips', 0),
  net: amount('Tips less refunded tips', 50),
});
export type PersonTips = RecordOf<typeof PersonTips>;
export const TipReport = record('TipReport', {
  ...period,
  total: amount('Net tips of all people', 50),
  people: list(PersonTips, 'People, the highest net tips first'),
});
export type TipReport = RecordOf<typeof TipReport>;

export const GIFT_CARD_GROUPS = ['day', 'week', 'month', 'merchant'] as const;
const giftCardSums = {
  issuedCount: count('Cards and store credit that got their first amount by a sale or a gift', 3),
  issuedAmount: amount('Their amounts', 150),
  reloadedCount: count('Further amounts by sales and gifts', 1),
  reloadedAmount: amount('Their sum', 20),
  givenAmount: amount('Part of the issued and reloaded amounts that nobody paid', 20),
  importedAmount: amount('Imported balances', 0),
  redeemedCount: count('Payments', 2),
  redeemedAmount: amount('Payments', 60),
  refundedAmount: amount('Refunds to gift cards and store credit', 5),
  takenBackAmount: amount('Sold amounts that were taken back, because their sales were refunded', 0),
  expiredAmount: amount('Expired balances', 0),
  reinstatedAmount: amount('Expired balances that were put on their cards again', 0),
  openAmount: amount('Owed to holders at the end', 115),
};
const GiftCardSums = group('Sums of the period', giftCardSums);
export type GiftCardSums = RecordOf<typeof GiftCardSums>;
const GiftCardPoint = group('Sums of a point', {
  key: text('The day, the Monday of the week, the month as YYYY-MM, or the merchant ID', '2026-11-21'),
  label: text('Name of the point for people', '2026-11-21'),
  ...giftCardSums,
});
export type GiftCardPoint = RecordOf<typeof GiftCardPoint>;
/** Movements of gift cards and store credit over time, with the open liability. */
export const GiftCardReport = record('GiftCardReport', {
  ...period,
  groupBy: literals(GIFT_CARD_GROUPS, 'What an entry of `series` stands for'),
  openingAmount: amount('Owed to holders before the first day', 0),
  totals: GiftCardSums,
  series: list(GiftCardPoint, 'The points of the series in order'),
});
export type GiftCardReport = RecordOf<typeof GiftCardReport>;

const itemSums = {
  count: count('Sales with the item', 3),
  sales: amount('Sales with their taxes', 30),
  taxes: amount('Taxes within the sales', 2),
  discounts: amount('Discounts of the lines; the sales are after them', 0),
  refunds: amount('Part of the refunds of these sales until now, in proportion to their lines', 0),
  net: amount('Sales less refunds', 30),
};
const quantity = number('Units sold, with at most three decimals', 3);
const ItemSales = record('ItemSales', {
  itemId: nullable(text('Item; null for lines without one, which are grouped by their description', 'itm_01m7y495cj0020acfq3xv5ygj8')),
  name: text('Description in the newest sale', 'Filter coffee'),
  category: nullable(text('Present category of the item; null without one', 'Drinks')),
  quantity,
  ...itemSums,
});
export type ItemSales = RecordOf<typeof ItemSales>;
const CategorySales = record('CategorySales', {
  category: nullable(text('Present category of the items; null for lines without one', 'Drinks')),
  quantity,
  ...itemSums,
  count: count('Sales with an item of the category', 3),
});
export type CategorySales = RecordOf<typeof CategorySales>;
export const ItemReport = record('ItemReport', {
  ...period,
  total: group('Sums of all items', { ...itemSums, count: count('Itemized sales, without those that sell only gift cards', 3) }),
  items: list(ItemSales, 'Items, the highest net sales first'),
  categories: list(
    CategorySales,
    'Sums of the items by category, the highest net sales first; empty if no item of the report has a category',
  ),
});
export type ItemReport = RecordOf<typeof ItemReport>;

const Share = group('A share', {
  key: text('What shares it', 'visa'),
  count: count('Payments; an order can have several', 10),
  amount: amount('Their amounts', 1000),
});
export type Share = RecordOf<typeof Share>;

const shiftId = text('ID of the shift', 'sft_01m7y495cj0020acfq3xv5ygj8');
const drawer = text('Name of the drawer', 'Front');
const ShiftPayments = record(
  'ShiftPayments',
  {
    zReportsAmount: amount('Net sales of the Z reports of the day', 1000),
    fromOtherDaysAmount: amount('Payments of other days in these Z reports', 0),
    inOtherReportsAmount: amount('Payments of the day in the Z reports of other days', 0),
    openShiftsAmount: amount('Payments in shifts that are open now', 0),
    lateAmount: amount('Payments whose outcome arrived after the close of their shift, and that no Z report counts', 0),
    late: list(
      group('The late payments of a shift', {
        shiftId,
        zNumber: count('Number of the Z report of the shift, which does not contain them', 1),
        drawer,
        openedBy: text('Who opened the shift', 'Ann Marsh'),
        count: count('Movements', 1),
        amount: amount('Their amounts', 12),
      }),
      'The late payments by shift',
      [],
    ),
    withoutShiftAmount: amount('Payments outside of shifts, such as those of pay pages and subscriptions', 0),
    totalAmount: amount('Sales less refunds and credits of the day', 1000),
  },
  'The payments of the day of all kinds, sales less refunds, by the Z report that counts them; null for merchants that never opened a shift. `totalAmount` is `zReportsAmount` less `fromOtherDaysAmount`, plus all other amounts',
);
export type ShiftPayments = RecordOf<typeof ShiftPayments>;

/** Cash drawers of a day: the movements of all shifts on the day, and the shifts that were closed on it. */
const ShiftDay = group('Sums of the shifts of the day', {
  openCount: count('Shifts that are open now', 0),
  closedCount: count('Shifts that were closed on the day', 1),
  floatAmount: amount('Floats of the shifts that were opened on the day', 100),
  payInsAmount: amount('Cash paid in', 0),
  payOutsAmount: amount('Cash paid out', 0),
  cashSalesAmount: amount('Cash sales in shifts', 200),
  cashRefundsAmount: amount('Cash refunds in shifts', 0),
  cashRoundingAmount: amount('Cash received by rounding, less cash given up by it', 0),
  countedAmount: amount('Counted cash of the closed shifts', 300),
  varianceAmount: amount('Counted less expected cash of the closed shifts', 0),
  cardsAmount: amount('Card and bank payments in the Z reports of the day', 800),
  closed: list(
    group('A closed shift', {
      shiftId,
      zNumber: count('Number of its Z report', 1),
      drawer,
      closedBy: text('Who closed it', 'Ann Marsh'),
      countedAmount: amount('Counted cash', 300),
      varianceAmount: amount('Counted less expected cash', 0),
      cardsAmount: amount('Card and bank payments in the Z report', 800),
      netSalesAmount: amount('Sales less refunds of all payments in the Z report', 1000),
    }),
    'Shifts that were closed on the day',
  ),
  payments: nullable(ShiftPayments),
});
export type ShiftDay = RecordOf<typeof ShiftDay>;

const daySums = {
  salesCount: count(
    'Sales whose first payment is of the day, less those whose payments were all voided or canceled on it; an order is one sale, and so is every payment without an order',
    12,
  ),
  paymentsCount: count(
    'Captures and payments without a processor of the day, less captures that were voided or canceled on it; an order can have several',
    14,
  ),
  averageSaleAmount: amount('`salesAmount` divided by `salesCount`; 0 without a sale', 83.33),
  salesAmount: amount('Sales', 1000),
  refundsCount: count('Refunds', 1),
  refundsAmount: amount('Refunds', 20),
  voidsCount: count('Payments of the day that are voided now', 0),
  declinedCount: count('Payments of the day that were declined', 1),
  tipsAmount: amount('Tips within the sales, less refunded ones', 50),
  surchargesAmount: amount('Surcharges within the sales, less refunded ones', 0),
  taxesAmount: amount('Sales tax within the sales, less refunded tax', 80),
  feesAmount: amount('Fees of the sales of the day, known once they are settled', 29.3),
  chargebacksCount: count('Chargebacks of the day', 0),
  chargebacksAmount: amount('Chargebacks of the day less those that were returned on it', 0),
  disputeFeesAmount: amount('Fees of processors for disputes', 0),
  giftCardsSoldAmount: amount('Gift cards sold less those taken back; the sales and refunds contain them', 0),
  netAmount: amount('Sales less refunds, gift cards and fees; disputes are listed apart', 950.7),
};
const DaySums = record('DailySums', { date: day('The day'), ...daySums });
export type DaySums = Omit<RecordOf<typeof DaySums>, 'date'>;
const TenderDay = group('Sales and refunds of one kind', {
  kind: literals(TENDER_KINDS, 'Kind'),
  salesCount: count('Payments of this kind without a processor; an order can have several', 2),
  salesAmount: amount('Sales', 200),
  refundsCount: count('Refunds', 0),
  refundsAmount: amount('Refunds', 0),
});
export type TenderDay = RecordOf<typeof TenderDay>;
/** One day or a range of days of a merchant, or of all merchants of a tenant. */
export const DailySummary = record('DailySummary', {
  date: day('The day; the last one of a range'),
  ...period,
  ...daySums,
  openAuthorizationsCount: count(
    'Authorizations that are neither captured nor voided at the end of the last day, or now if it is not over',
    1,
  ),
  openAuthorizationsAmount: amount('Their present amounts, which are held and not part of the sales', 240),
  days: list(DaySums, 'One row for each day; their sums are those of the summary'),
  tipsByPerson: list(PersonTips, 'Tips by person'),
  byType: list(Share, '`sale` and `auth` sum to the sales; `credit` and `refund` are outgoing amounts'),
  byMethod: list(Share, 'Shares of the sales by way to pay'),
  byBrand: list(Share, 'Shares of the sales by card brand'),
  tenders: list(TenderDay, 'The part of the sales and refunds that no processor took, by kind'),
  shifts: ShiftDay,
  declines,
  otherCurrencies: OtherCurrencies,
});
export type DailySummary = RecordOf<typeof DailySummary>;

const PartialDay = group('A part of a day', {
  date: day('The day in the time zone of the merchant'),
  until: time('The end of the compared part of the day, exclusive'),
  salesCount: count('Sales that begin in that part of the day, less voided and canceled ones; an order is one sale', 12),
  paymentsCount: count('Captures and payments without a processor of that part of the day, less voided and canceled captures', 14),
  salesAmount: amount('Sales', 1000),
  refundsCount: count('Refunds', 1),
  refundsAmount: amount('Refunds', 20),
  giftCardsSoldAmount: amount('Gift cards sold less those taken back; the sales and refunds contain them', 0),
  approvedCount: count('Approved payments, including those voided since', 12),
  declinedCount: count('Declined payments', 1),
  approvalRate: rate('Share of approved payments among the decided ones; 0 if nothing was decided'),
});
export type PartialDay = RecordOf<typeof PartialDay>;
/** Today until now, and the same weekday of the previous week until the same time of day. */
export const TodayComparison = record('TodayComparison', { currency, today: PartialDay, weekBefore: PartialDay });
export type TodayComparison = RecordOf<typeof TodayComparison>;

/** `paidOut` for the account `paid_out`. */
type AccountName<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<AccountName<Rest>>}` : Name;
export const accountName = <Name extends Account>(account: Name) =>
  account.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as AccountName<Name>;
const balance = amount('Debits less credits', 0);
/** Balances of the merchants' accounts, and whether those of each merchant sum to zero as in double entry. */
export const Ledger = record('Ledger', {
  merchants: list(
    group('The accounts of a merchant in one currency', {
      merchantId: text('ID of the merchant', 'mer_01m7y495cj0020acfq3xv5ygj8'),
      currency: currencyCode(),
      accounts: group(
        'Balances by account',
        Object.fromEntries(ACCOUNTS.map((account) => [accountName(account), balance])) as Record<AccountName<Account>, typeof balance>,
      ),
    }),
    'Merchants by ID, each with a row for each currency',
  ),
  balanced: flag('Whether the accounts of every merchant sum to zero', true),
});
export type Ledger = RecordOf<typeof Ledger>;
