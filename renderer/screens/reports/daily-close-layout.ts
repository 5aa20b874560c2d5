import type { DailySummary } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import type { ReceiptWidth } from '#renderer/base/workstation';
import { escapeHtml, htmlDocument } from '#renderer/desktop/print-layout';
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

const WIDTH_MM: Readonly<Record<ReceiptWidth, number>> = { '58mm': 58, '80mm': 80, letter: 215.9 };

const styleFor = (width: ReceiptWidth) =>
  `
@page { size: ${width === 'letter' ? '215.9mm 279.4mm' : `${WIDTH_MM[width]}mm ${WIDTH_MM[width] * 2}mm`}; margin: 0; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: ${width === 'letter' ? 18 : 4}mm; font: ${width === '58mm' ? 8.5 : 9.5}pt/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 96mm; margin: 0 auto; overflow-wrap: anywhere; }
header { text-align: center; }
h1 { margin: 0; font-size: 1.3em; line-height: 1.25; }
h2 { margin: 3mm 0 0.5mm; font-size: 1em; }
p { margin: 0; }
.mark { border: 0.4mm solid #000; margin: 0 0 1.5mm; padding: 0.6mm; font-weight: 700; letter-spacing: 0.12em; text-align: center; }
table { width: 100%; border-collapse: collapse; }
td { padding: 0.2mm 0; vertical-align: top; }
td + td { text-align: right; padding-left: 2mm; font-variant-numeric: tabular-nums; white-space: nowrap; }
td:nth-child(2) { width: 7mm; }
td:nth-child(3) { width: ${width === '58mm' ? 17 : 22}mm; }
.total td { border-top: 0.3mm solid #000; font-weight: 700; font-size: 1.15em; }
footer { margin-top: 4mm; text-align: center; font-size: 0.9em; }
`.trim();

/** Returns the daily close for printing: sales by type, method and brand, and declines. */
export function layoutDailyClose(close: DailyClose, width: ReceiptWidth): { html: string; width: ReceiptWidth } {
  const { merchantName, place, summary, giftCards, time, isInterim, isSandbox } = close;
  const { currency, date, byType, byMethod, byBrand, declines } = summary;
  const line = (name: string, count: number | null, amount: string, kind = '') =>
    `<tr class="${kind}"><td>${escapeHtml(name)}</td><td>${count === null ? '' : numberText(count)}</td><td>${amount}</td></tr>`;
  const money = (amount: number) => escapeHtml(writeAmount(amount, currency));
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `<h2>${heading}</h2><table>${lines.join('')}</table>`;
  const title = isInterim ? t('Day so far') : t('Daily close');
  const moved = byType.filter(({ count }) => count > 0);
  const body = [
    '<main>',
    isSandbox ? `<p class="mark">${t('SANDBOX')}</p>` : '',
    `<header><h1>${escapeHtml(merchantName)}</h1>${place === '' ? '' : `<p>${escapeHtml(place)}</p>`}`,
    `<p><strong>${title}</strong></p><p>${escapeHtml(`${weekdayText(date)}, ${date.slice(0, 4)}`)}</p>`,
    `<p>${escapeHtml(t('Amounts in {{currency}}', { currency }))}</p></header>`,
    `<h2>${t('Totals')}</h2><table>`,
    line(t('Sales'), summary.salesCount, money(summary.salesAmount)),
    line(t('Number of payments'), summary.paymentsCount, ''),
    line(t('Average sale'), null, money(summary.averageSaleAmount)),
    line(t('Refunds'), summary.refundsCount, money(-summary.refundsAmount)),
    summary.giftCardsSoldAmount === 0 ? '' : line(t('Gift cards sold'), null, money(-summary.giftCardsSoldAmount)),
    line(t('Fees'), null, money(-summary.feesAmount)),
    line(t('Net'), null, money(summary.netAmount), 'total'),
    line(t('Voided', { context: 'payments' }), summary.voidsCount, ''),
    line(t('Declined', { context: 'payments' }), summary.declinedCount, ''),
    '</table>',
    part(
      t('Included in sales'),
      includedParts(summary).map(({ name, amount }) => line(name, null, money(amount))),
    ),
    part(
      t('Tips by person'),
      summary.tipsByPerson.map(({ person, count, net }) => line(person ?? t('Not recorded'), count, money(net))),
    ),
    part(
      t('Payments by type'),
      moved.map(({ key, count, amount }) => line(typeText(key), count, money(amount))),
    ),
    part(
      t('Payments by method'),
      byMethod.map(({ key, count, amount }) => line(methodText(key), count, money(amount))),
    ),
    part(
      t('Payments by brand'),
      byBrand.map(({ key, count, amount }) => line(brandText(key), count, money(amount))),
    ),
    part(
      t('Cash drawers'),
      drawerSums(summary).map(([name, amount]) => line(name, null, money(amount))),
    ),
    part(
      t('Payments by shift'),
      shiftPaymentSums(summary).map(([name, amount]) => line(name, null, money(amount))),
    ),
    part(
      t('Gift cards'),
      giftCards.map(([name, amount]) => line(name, null, money(amount))),
    ),
    part(
      t('Declines'),
      declines.map(({ code, count }) => line(declineText(code), count, '')),
    ),
    `<footer>${escapeHtml(t('Printed {{time}}', { time }))}</footer></main>`,
  ];
  return { html: htmlDocument(title, styleFor(width), body.join('')), width };
}
