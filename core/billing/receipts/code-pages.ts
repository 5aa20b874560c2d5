import iconv from 'iconv-lite';

/**
 * Code pages of ESC/POS printers. Nearly all printers have the first one, which contains the letters of English and Spanish and the euro
 * sign.
 */
export const PRINTER_CODE_PAGES = ['cp858', 'windows1252', 'cp850', 'cp437'] as const;
export type PrinterCodePage = (typeof PRINTER_CODE_PAGES)[number];

const REPLACEMENTS: Readonly<Record<string, string>> = {
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
  '€': 'EUR',
  ł: 'l',
  Ł: 'L',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
};
const UNPRINTABLE = '?';

/** Characters that the encoder would write as control bytes. */
const MISCODED = /[¶§]/;
const CHARACTERS = new Map<PrinterCodePage, ReadonlySet<string>>(PRINTER_CODE_PAGES.map((codePage) => [codePage, charactersOf(codePage)]));

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns a text with only characters that the printer has: each visible character is kept, replaced by a similar one, or becomes a
 * question mark.
 */
export function toPrintable(text: string, codePage: PrinterCodePage): string {
  return [...graphemes.segment(text.normalize('NFC'))].map(({ segment }) => printableFor(segment, codePage)).join('');
}

/** Returns true if the printer has the character. Control characters do not count. */
export function isPrintable(character: string, codePage: PrinterCodePage): boolean {
  return /^[\x20-\x7e]$/.test(character) || CHARACTERS.get(codePage)?.has(character) === true;
}

function printableFor(grapheme: string, codePage: PrinterCodePage): string {
  if (isPrintable(grapheme, codePage)) return grapheme;
  const replacement = REPLACEMENTS[grapheme];
  if (replacement !== undefined) return replacement;
  const bare = grapheme.normalize('NFKD').replace(/\p{M}/gu, '');
  return bare !== '' && [...bare].every((character) => isPrintable(character, codePage)) ? bare : UNPRINTABLE;
}

function charactersOf(codePage: PrinterCodePage): ReadonlySet<string> {
  const upper = Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128));
  return new Set(
    [...iconv.decode(upper, codePage)].filter((character) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) && !MISCODED.test(character)),
  );
}
