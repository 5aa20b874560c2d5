import { escapeHtml } from '#core/platform/documents';
import type { ReceiptContent, ReceiptFact } from './content.ts';
import { PAPER, type ReceiptWidth } from './print-layout.ts';
import { receiptLines } from './text.ts';

const LINE_MM = 5;
const EXTRA_MM = 40;

/**
 * Returns a complete HTML document of a receipt. On a roll, the page is as long as a receipt may get; a caller that measures it can put the
 * real height into `@page`.
 */
export function receiptDocument(content: ReceiptContent, width: ReceiptWidth): string {
  const head = `<meta charset="utf-8"><title>${escapeHtml(content.name)}</title><style>${styleOf(content, width)}</style>`;
  return `<!doctype html><html lang="${content.language}"><head>${head}</head><body>${bodyOf(content)}</body></html>`;
}

function styleOf(content: ReceiptContent, width: ReceiptWidth): string {
  const { widthMm, heightMm, marginMm, columns } = PAPER[width];
  const rollMm = receiptLines(content, columns).length * LINE_MM + EXTRA_MM;
  // Printer drivers rotate a page that is wider than it is long.
  const pageMm = heightMm ?? Math.max(rollMm, widthMm);
  return `
@page { size: ${widthMm}mm ${pageMm}mm; margin: 0; }
* { box-sizing: border-box; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: ${marginMm}mm; font: ${width === '58mm' ? '8.5pt' : '9.5pt'}/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 96mm; margin: 0 auto; overflow-wrap: anywhere; }
header, .center { text-align: center; }
h1 { margin: 0; font-size: 1.3em; line-height: 1.25; }
h2 { margin: 0 0 1.5mm; font-size: 1em; text-align: center; }
p { margin: 0; }
.mark { border: 0.4mm solid #000; margin: 0 0 1.5mm; padding: 0.6mm; font-weight: 700; letter-spacing: 0.12em; text-align: center; }
hr { border: 0; border-top: 0.25mm dashed #000; margin: 2.5mm 0; }
dl { margin: 0; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 3mm; }
dt { flex: none; max-width: 100%; }
dd { margin: 0 0 0 auto; text-align: right; font-variant-numeric: tabular-nums; }
.lines div { flex-wrap: nowrap; align-items: flex-end; }
.lines dt { flex: 0 1 auto; min-width: 0; }
.lines dd { flex: none; }
.total { font-size: 1.25em; font-weight: 700; }
.blank { margin-top: 6mm; display: flex; gap: 3mm; font-weight: 700; }
.blank::after { content: ''; flex: 1; border-bottom: 0.3mm solid #000; }
.signature { margin-top: 14mm; border-top: 0.3mm solid #000; padding-top: 0.6mm; font-size: 0.85em; }
.note, .copy { margin-top: 2.5mm; }
.footer { margin-top: 2.5mm; font-size: 0.9em; }
`.trim();
}

function bodyOf(content: ReceiptContent): string {
  return [
    '<main>',
    ...content.marks.map((mark) => `<p class="mark">${escapeHtml(mark)}</p>`),
    `<header><h1>${escapeHtml(content.heading)}</h1>${paragraphs(content.headingLines)}</header><hr>`,
    `<h2>${escapeHtml(content.title)}</h2><dl>${content.facts.map(row).join('')}</dl><hr>`,
    paragraphs(content.items),
    content.lines.length > 0 ? `<dl class="lines">${content.lines.map(row).join('')}</dl><hr>` : '',
    content.amounts.length > 0 ? `<dl>${content.amounts.map(row).join('')}</dl>` : '',
    `<dl class="total">${row(content.total)}</dl>`,
    content.payments ? `<hr><dl>${content.payments.map(row).join('')}</dl>` : '',
    ...content.blanks.map((label) => `<p class="blank"><span>${escapeHtml(label)}</span></p>`),
    signatureOf(content),
    `<p class="center copy">${escapeHtml(content.copyLine)}</p>`,
    content.footer.length > 0 ? `<div class="center footer">${paragraphs(content.footer)}</div>` : '',
    '</main>',
  ].join('');
}

function signatureOf({ signature }: ReceiptContent): string {
  if (signature === null) return '';
  return `<p class="${signature.kind === 'line' ? 'signature' : 'center note'}">${escapeHtml(signature.text)}</p>`;
}

function row({ label, value }: ReceiptFact): string {
  return `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
}
