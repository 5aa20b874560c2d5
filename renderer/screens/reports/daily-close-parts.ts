import type { DailySummary } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import type { GiftCardFigureList } from '#renderer/shared/gift-cards';
import { brandText, methodText, typeText, weekdayText } from '#renderer/shared/reporting';
import { declineText } from './decline-text.ts';
import { drawerSums, shiftPaymentSums } from './drawer-sums.ts';
import { includedParts } from './included-parts.ts';

/** Content of the printed daily close. */
export interface DailyClose {
  readonly merchantName: string;
  /** Town and state. */
  readonly place: string;
  readonly summary: DailySummary;
  /** Figures of gift cards by name; none for a merchant without gift cards. */
  readonly giftCards: GiftCardFigureList['figures'];
  /** Time of printing. */
  readonly time: string;
  /** True if the day is not over. */
  readonly isInterim: boolean;
  readonly isSandbox: boolean;
}

/** A line with its name, its number of payments and its amount; an empty text is left out. */
export interface CloseLine {
  readonly name: string;
  readonly count: string;
  readonly amount: string;
  /** True for the sum of the lines above. */
  readonly isTotal?: boolean;
}

/** Returns the title, the day and the currency of a daily close. */
export const closeHead = ({ summary: { date, currency }, isInterim }: DailyClose) => ({
  title: isInterim ? t('Day so far') : t('Daily close'),
  day: `${weekdayText(date)}, ${date.slice(0, 4)}`,
  currencyText: t('Amounts in {{currency}}', { currency }),
});

/** Returns the parts of a daily close in their order, without empty ones. */
export function closeParts({ summary, giftCards }: DailyClose): { readonly title: string; readonly lines: readonly CloseLine[] }[] {
  const line = (name: string, count: number | null, amount: number | null): CloseLine => ({
    name,
    count: count === null ? '' : numberText(count),
    amount: amount === null ? '' : writeAmount(amount, summary.currency),
  });
  const sums = (rows: readonly (readonly [name: string, amount: number])[]) => rows.map(([name, amount]) => line(name, null, amount));
  const shares = (rows: DailySummary['byType'], nameOf: (key: string) => string) =>
    rows.map(({ key, count, amount }) => line(nameOf(key), count, amount));
  const parts = [
    {
      title: t('Totals'),
      lines: [
        line(t('Sales'), summary.salesCount, summary.salesAmount),
        line(t('Number of payments'), summary.paymentsCount, null),
        line(t('Average sale'), null, summary.averageSaleAmount),
        line(t('Refunds'), summary.refundsCount, -summary.refundsAmount),
        ...(summary.giftCardsSoldAmount === 0 ? [] : [line(t('Gift cards sold'), null, -summary.giftCardsSoldAmount)]),
        line(t('Fees'), null, -summary.feesAmount),
        { ...line(t('Net'), null, summary.netAmount), isTotal: true },
        ...(summary.openAuthorizationsCount === 0
          ? []
          : [line(t('Open authorizations'), summary.openAuthorizationsCount, summary.openAuthorizationsAmount)]),
        line(t('Voided', { context: 'payments' }), summary.voidsCount, null),
        line(t('Declined', { context: 'payments' }), summary.declinedCount, null),
      ],
    },
    { title: t('Included in sales'), lines: sums(includedParts(summary).map(({ name, amount }) => [name, amount])) },
    {
      title: t('Tips by person'),
      lines: summary.tipsByPerson.map(({ person, count, net }) => line(person ?? t('Not recorded'), count, net)),
    },
    {
      title: t('Payments by type'),
      lines: shares(
        summary.byType.filter(({ count }) => count > 0),
        typeText,
      ),
    },
    { title: t('Payments by method'), lines: shares(summary.byMethod, methodText) },
    { title: t('Payments by brand'), lines: shares(summary.byBrand, brandText) },
    { title: t('Cash drawers'), lines: sums(drawerSums(summary)) },
    { title: t('Payments by shift'), lines: sums(shiftPaymentSums(summary)) },
    { title: t('Gift cards'), lines: sums(giftCards) },
    { title: t('Declines'), lines: summary.declines.map(({ code, count }) => line(declineText(code), count, null)) },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}
