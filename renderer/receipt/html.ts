import type { ReceiptWidth } from '#renderer/workstation';
import type { ReceiptContent, ReceiptFact } from './content.ts';

/** Paper in millimetres. A roll has no height of its own: it is cut where the receipt ends. */
const PAPER: Readonly<Record<ReceiptWidth, { readonly widthMm: number; readonly heightMm: number | null; readonly marginMm: number }>> = {
  '58mm': { widthMm: 58, heightMm: null, marginMm: 3 },
  '80mm': { widthMm: 80, heightMm: null, marginMm: 4 },
  letter: { widthMm: 215.9, heightMm: 279.4, marginMm: 18 },
};

/** Width of the paper in millimetres. */
export function paperWidthMm(width: ReceiptWidth): number {
  return PAPER[width].widthMm;
}

/** A whole document for one receipt: for the desktop's printer, and for tests. `rollHeightMm` is the measured height on a roll. */
export function receiptDocument(content: ReceiptContent, width: ReceiptWidth, rollHeightMm = 0): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Receipt</title><style>${receiptStyle(width, rollHeightMm)}</style></head><body>${receiptBody(content)}</body></html>`;
}

/** The style apart from the body, since the pages' content security policy lets no inline style in: it is adopted by script there. */
export function receiptStyle(width: ReceiptWidth, rollHeightMm = 0): string {
  const { widthMm, heightMm, marginMm } = PAPER[width];
  // Drivers turn a page that is wider than long.
  const pageMm = heightMm ?? Math.max(Math.ceil(rollHeightMm), widthMm);
  return `
@page { size: ${widthMm}mm ${pageMm}mm; margin: 0; }
* { box-sizing: border-box; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: ${marginMm}mm; font: ${width === '58mm' ? '8.5pt' : '9.5pt'}/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 96mm; margin: 0 auto; overflow-wrap: anywhere; }
header, .centre { text-align: center; }
h1 { margin: 0; font-size: 1.3em; line-height: 1.25; }
h2 { margin: 0 0 1.5mm; font-size: 1em; text-align: center; }
p { margin: 0; }
.mark { border: 0.4mm solid #000; margin: 0 0 1.5mm; padding: 0.6mm; font-weight: 700; letter-spacing: 0.12em; text-align: center; }
hr { border: 0; border-top: 0.25mm dashed #000; margin: 2.5mm 0; }
dl { margin: 0; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 3mm; }
dt { flex: none; }
dd { margin: 0 0 0 auto; text-align: right; font-variant-numeric: tabular-nums; }
.total { font-size: 1.25em; font-weight: 700; }
.signature { margin-top: 14mm; border-top: 0.3mm solid #000; padding-top: 0.6mm; font-size: 0.85em; }
.words, .copy { margin-top: 2.5mm; }
.footer { margin-top: 2.5mm; font-size: 0.9em; }
`.trim();
}

/** The receipt's elements; every text of the record is escaped. */
export function receiptBody(content: ReceiptContent): string {
  const { signature } = content;
  const sign =
    signature === null
      ? ''
      : signature.kind === 'line'
        ? '<p class="signature">Signature</p>'
        : `<p class="centre words">${escaped(signature.words)}</p>`;
  return [
    '<main>',
    ...content.marks.map((mark) => `<p class="mark">${mark}</p>`),
    `<header><h1>${escaped(content.heading)}</h1>${paragraphs(content.underHeading)}</header><hr>`,
    `<h2>${escaped(content.title)}</h2><dl>${content.facts.map((fact) => row(fact)).join('')}</dl><hr>`,
    paragraphs(content.items),
    `<dl class="total">${row(content.total)}</dl>`,
    sign,
    `<p class="centre copy">${escaped(content.copyLine)}</p>`,
    content.footer.length > 0 ? `<div class="centre footer">${paragraphs(content.footer)}</div>` : '',
    '</main>',
  ].join('');
}

function row({ label, value }: ReceiptFact): string {
  return `<div><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escaped(text)}</p>`).join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
