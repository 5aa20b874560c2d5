import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import type { ReceiptContent, ReceiptFact } from './content.ts';
import { receiptLines } from './text.ts';

/** The one page that all these printers know and that holds the letters of English and Spanish and the euro. */
const CODE_PAGE = 'cp858';
const PRINTABLE = new Set('ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»ÁÂÀ©¢¥ãÃ¤ðÐÊËÈ€ÍÎÏ¦ÌÓßÔÒõÕµþÞÚÛÙýÝ¯´±¾¶§÷¸°¨·¹³²');
const SPELLED: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': ',',
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '•': '*',
  '™': 'TM',
  ł: 'l',
  Ł: 'L',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
};
const MISSING = '?';
const FEED_LINES = 3;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The bytes that make a printer of the ESC/POS family print the receipt and cut it. What it has no letter for is a question mark. */
export function receiptEscpos(content: ReceiptContent, columns: number): Buffer {
  const encoder = new ReceiptPrinterEncoder({ language: 'esc-pos', columns, feedBeforeCut: FEED_LINES, errors: 'relaxed' });
  encoder.initialize().codepage(CODE_PAGE);
  for (const { text, isLoud } of receiptLines(printable(content), columns)) {
    if (isLoud) encoder.bold(true).line(text).bold(false);
    else encoder.line(text);
  }
  return Buffer.from(encoder.cut('partial').encode());
}

function printable(content: ReceiptContent): ReceiptContent {
  const fact = ({ label, value }: ReceiptFact): ReceiptFact => ({ label: spelled(label), value: spelled(value) });
  const { signature } = content;
  return {
    ...content,
    heading: spelled(content.heading),
    underHeading: content.underHeading.map(spelled),
    marks: content.marks.map(spelled),
    title: spelled(content.title),
    facts: content.facts.map(fact),
    total: fact(content.total),
    items: content.items.map(spelled),
    signature: signature && { ...signature, words: spelled(signature.words) },
    copyLine: spelled(content.copyLine),
    footer: content.footer.map(spelled),
  };
}

/** A text in the letters that the printer has, one for each that people see. */
function spelled(text: string): string {
  return [...graphemes.segment(text.normalize('NFC'))].map(({ segment }) => signOf(segment)).join('');
}

function signOf(grapheme: string): string {
  if (isPrintable(grapheme)) return grapheme;
  const known = SPELLED[grapheme];
  if (known !== undefined) return known;
  const bare = grapheme.normalize('NFKD').replace(/\p{M}/gu, '');
  return bare !== '' && [...bare].every(isPrintable) ? bare : MISSING;
}

function isPrintable(sign: string): boolean {
  return PRINTABLE.has(sign) || /^[\x20-\x7e]$/.test(sign);
}
