import { t } from '#renderer/base/language';
import type { ReceiptWidth } from '#renderer/base/workstation';
import type { PrintLine } from '#renderer/desktop/bridge';
import { escapeHtml, htmlDocument } from '#renderer/desktop/print-layout';
import { type CloseLine, closeHead, closeParts, type DailyClose } from './daily-close-parts.ts';

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
  const { merchantName, place, time, isSandbox } = close;
  const { title, day, currencyText } = closeHead(close);
  const line = ({ name, count, amount, isTotal }: CloseLine) =>
    `<tr class="${isTotal ? 'total' : ''}"><td>${escapeHtml(name)}</td><td>${count}</td><td>${escapeHtml(amount)}</td></tr>`;
  const body = [
    '<main>',
    isSandbox ? `<p class="mark">${t('SANDBOX')}</p>` : '',
    `<header><h1>${escapeHtml(merchantName)}</h1>${place === '' ? '' : `<p>${escapeHtml(place)}</p>`}`,
    `<p><strong>${title}</strong></p><p>${escapeHtml(day)}</p>`,
    `<p>${escapeHtml(currencyText)}</p></header>`,
    ...closeParts(close).map((part) => `<h2>${part.title}</h2><table>${part.lines.map(line).join('')}</table>`),
    `<footer>${escapeHtml(t('Printed {{time}}', { time }))}</footer></main>`,
  ];
  return { html: htmlDocument(title, styleFor(width), body.join('')), width };
}

/** Smallest width of a figure, so that the figures of all lines are aligned. */
const FIGURE_COLUMNS = 11;

/** Returns the daily close for a printer with its own fonts: the lines of `layoutDailyClose()`, none wider than the paper. */
export function dailyCloseLines(close: DailyClose, columns: number): PrintLine[] {
  const { merchantName, place, time, isSandbox } = close;
  const { title, day, currencyText } = closeHead(close);
  const normal = (text: string): PrintLine => ({ text, isBold: false });
  const bold = (text: string): PrintLine => ({ text, isBold: true });
  const centered = (text: string) => ' '.repeat(Math.max(0, Math.floor((columns - text.length) / 2))) + text.slice(0, columns);
  const line = ({ name, count, amount, isTotal = false }: CloseLine): PrintLine => {
    const figures = `${count}${amount.padStart(amount === '' ? 0 : FIGURE_COLUMNS)}`;
    const room = columns - figures.length - 1;
    return { text: `${name.slice(0, room).padEnd(room)} ${figures}`, isBold: isTotal };
  };
  return [
    ...(isSandbox ? [bold(centered(`*** ${t('SANDBOX')} ***`))] : []),
    bold(centered(merchantName)),
    ...(place === '' ? [] : [normal(centered(place))]),
    bold(centered(title)),
    normal(centered(day)),
    normal(centered(currencyText)),
    ...closeParts(close).flatMap((part) => [normal(''), bold(part.title), ...part.lines.map(line)]),
    normal(''),
    normal(centered(t('Printed {{time}}', { time }))),
  ];
}
