import { numberText, t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import type { PrintLine } from '#renderer/desktop/bridge';
import { brandText, methodText, typeText, weekdayText } from '#renderer/shared/reporting';
import type { DailyClose } from './daily-close-layout.ts';
import { declineText } from './decline-text.ts';
import { drawerSums, shiftPaymentSums } from './drawer-sums.ts';
import { includedParts } from './included-parts.ts';

/** Smallest width of a figure, so that the figures of all lines are aligned. */
const FIGURE_COLUMNS = 11;

/** Returns the daily close for a printer with its own fonts: the lines of `layoutDailyClose()`, none wider than the paper. */
export function dailyCloseLines(
  { merchantName, place, summary, giftCards, time, isInterim, isSandbox }: DailyClose,
  columns: number,
): PrintLine[] {
  const { currency, date, byType, byMethod, byBrand, declines } = summary;
  const normal = (text: string): PrintLine => ({ text, isBold: false });
  const bold = (text: string): PrintLine => ({ text, isBold: true });
  const centered = (text: string) => ' '.repeat(Math.max(0, Math.floor((columns - text.length) / 2))) + text.slice(0, columns);
  const money = (amount: number) => writeAmount(amount, currency);
  const line = (name: string, count: number | null, amount: string) => {
    const figures = `${count === null ? '' : numberText(count)}${amount.padStart(amount === '' ? 0 : FIGURE_COLUMNS)}`;
    const room = columns - figures.length - 1;
    return `${name.slice(0, room).padEnd(room)} ${figures}`;
  };
  const part = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [normal(''), bold(title), ...lines.map(normal)]);
  return [
    ...(isSandbox ? [bold(centered(`*** ${t('SANDBOX')} ***`))] : []),
    bold(centered(merchantName)),
    ...(place === '' ? [] : [normal(centered(place))]),
    bold(centered(isInterim ? t('Day so far') : t('Daily close'))),
    normal(centered(`${weekdayText(date)}, ${date.slice(0, 4)}`)),
    normal(centered(t('Amounts in {{currency}}', { currency }))),
    ...part(t('Totals'), [
      line(t('Sales'), summary.salesCount, money(summary.salesAmount)),
      line(t('Number of payments'), summary.paymentsCount, ''),
      line(t('Average sale'), null, money(summary.averageSaleAmount)),
      line(t('Refunds'), summary.refundsCount, money(-summary.refundsAmount)),
      ...(summary.giftCardsSoldAmount === 0 ? [] : [line(t('Gift cards sold'), null, money(-summary.giftCardsSoldAmount))]),
      line(t('Fees'), null, money(-summary.feesAmount)),
    ]),
    bold(line(t('Net'), null, money(summary.netAmount))),
    normal(line(t('Voided', { context: 'payments' }), summary.voidsCount, '')),
    normal(line(t('Declined', { context: 'payments' }), summary.declinedCount, '')),
    ...part(
      t('Included in sales'),
      includedParts(summary).map(({ name, amount }) => line(name, null, money(amount))),
    ),
    ...part(
      t('Tips by person'),
      summary.tipsByPerson.map(({ person, count, net }) => line(person ?? t('Not recorded'), count, money(net))),
    ),
    ...part(
      t('Payments by type'),
      byType.filter(({ count }) => count > 0).map(({ key, count, amount }) => line(typeText(key), count, money(amount))),
    ),
    ...part(
      t('Payments by method'),
      byMethod.map(({ key, count, amount }) => line(methodText(key), count, money(amount))),
    ),
    ...part(
      t('Payments by brand'),
      byBrand.map(({ key, count, amount }) => line(brandText(key), count, money(amount))),
    ),
    ...part(
      t('Cash drawers'),
      drawerSums(summary).map(([name, amount]) => line(name, null, money(amount))),
    ),
    ...part(
      t('Payments by shift'),
      shiftPaymentSums(summary).map(([name, amount]) => line(name, null, money(amount))),
    ),
    ...part(
      t('Gift cards'),
      giftCards.map(([name, amount]) => line(name, null, money(amount))),
    ),
    ...part(
      t('Declines'),
      declines.map(({ code, count }) => line(declineText(code), count, '')),
    ),
    normal(''),
    normal(centered(t('Printed {{time}}', { time }))),
  ];
}
