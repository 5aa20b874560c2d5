import { linesEscpos, type PrinterCodePage, type ReceiptLine, sampleOf } from '#core/billing/receipts';
import type { CodePage, PrinterSetup } from '../bridge/printing.ts';
import { language, t } from '../language/index.ts';

const CODE_PAGE_NAMES: Readonly<Record<CodePage, string>> = {
  cp858: 'CP858',
  windows1252: 'Windows-1252',
  cp850: 'CP850',
  cp437: 'CP437',
} satisfies Record<PrinterCodePage, string>;

/** Text of the QR code, which shows whether all dots of the print head work. */
const QR_TEXT = 'Paydesk test page';
const DECADE = 10;

/** Returns a test page as ESC/POS bytes: a ruler that wraps if there are too many columns, the code page's letters, a QR code and the cut. */
export function testPageBytes(setup: PrinterSetup): Buffer {
  const { columns, codePage, cuts } = setup;
  return linesEscpos(testLines(setup), columns, { codePage, cuts, qr: QR_TEXT });
}

function testLines({ name, address, columns, codePage, cuts }: PrinterSetup): ReceiptLine[] {
  const plain = (text: string): ReceiptLine => ({ text, isBold: false });
  const wrapped = (text: string) => wrapWords(text, columns).map(plain);
  return [
    { text: t('PAYDESK TEST PAGE'), isBold: true },
    ...wrapped(name),
    ...(address.kind === 'network' ? wrapped(`${address.host}:${address.port}`) : []),
    plain(''),
    plain(tensRuler(columns)),
    plain(onesRuler(columns)),
    plain(`|${'-'.repeat(columns - 2)}|`),
    ...wrapped(t('{{columns}} columns. Each line above must be one line that reaches the right edge.', { columns })),
    plain(''),
    ...wrapped(
      t('Letters of {{codePage}}. They must look like a, e, i, o, u, n with their accents:', { codePage: CODE_PAGE_NAMES[codePage] }),
    ),
    ...wrapped(spaceOut(sampleOf(codePage))),
    plain(''),
    ...wrapped(cuts ? t('The paper is cut below the code.') : t('Tear the paper off below the code.')),
  ];
}

/** Returns the upper line of the ruler, "         1         2", which numbers the tens of the lower one. */
function tensRuler(columns: number): string {
  return Array.from({ length: columns }, (_, index) => ((index + 1) % DECADE === 0 ? String((index + 1) / DECADE) : ' ')).join('');
}

function onesRuler(columns: number): string {
  return Array.from({ length: columns }, (_, index) => String((index + 1) % DECADE)).join('');
}

const spaceOut = (letters: string) => [...letters].join(' ');

function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const PAGE_WIDTH_MM = { '58mm': 58, '80mm': 80, letter: 215.9 } as const;
const EDGE_MM = 4;

/** Returns a test page as an HTML document with a ruler in millimeters from edge to edge, for a printer of the system. */
export function testPageDocument({ name, paper }: PrinterSetup): string {
  const widthMm = PAGE_WIDTH_MM[paper];
  const ticks = Array.from({ length: Math.floor((widthMm - 2 * EDGE_MM) / 5) + 1 }, (_, index) => index * 5);
  const marks = ticks.map(
    (mm) =>
      `<i style="left:${mm}mm;height:${mm % DECADE === 0 ? 4 : 2}mm"></i>${mm % DECADE === 0 ? `<b style="left:${mm}mm">${mm}</b>` : ''}`,
  );
  const style = `@page{size:${widthMm}mm 90mm;margin:0}body{margin:0;padding:${EDGE_MM}mm;font:9pt/1.4 system-ui,sans-serif;color:#000}
h1{font-size:12pt;margin:0 0 2mm}p{margin:2mm 0}.ruler{position:relative;height:10mm;border-top:.3mm solid #000}.ruler i{position:absolute;top:0;width:.2mm;background:#000}
.ruler b{position:absolute;top:5mm;font:6pt system-ui;transform:translateX(-50%)}`;
  const body = `<h1>${t('Paydesk test page')}</h1><p>${escapeHtml(name)}</p><div class="ruler">${marks.join('')}</div><p>${t('Compare the printed ruler with a real one: the lengths must match, and nothing may be missing at the edges. Otherwise choose the printer’s own page.')}</p><p>áéíóú ñ ü € ¿ ¡</p>`;
  return `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><title>${t('Test page')}</title><style>${style}</style></head><body>${body}</body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
