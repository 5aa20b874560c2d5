import iconv from 'iconv-lite';

/** Tables of letters that printers of the ESC/POS family have. The first holds the letters of English and Spanish and the euro, and nearly all have it. */
export const PRINTER_CODE_PAGES = ['cp858', 'windows1252', 'cp850', 'cp437'] as const;
export type PrinterCodePage = (typeof PRINTER_CODE_PAGES)[number];

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
  '€': 'EUR',
  ł: 'l',
  Ł: 'L',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
};
const MISSING = '?';

/** The encoder writes these two as control bytes. */
const MISCODED = /[¶§]/;
const LETTERS = new Map<PrinterCodePage, ReadonlySet<string>>(PRINTER_CODE_PAGES.map((codePage) => [codePage, lettersOf(codePage)]));

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text in the letters that the printer has, one for each that people see. */
export function spelled(text: string, codePage: PrinterCodePage): string {
  return [...graphemes.segment(text.normalize('NFC'))].map(({ segment }) => signOf(segment, codePage)).join('');
}

/** Returns true if the printer has the character. Control characters do not count. */
export function isPrintable(sign: string, codePage: PrinterCodePage): boolean {
  return /^[\x20-\x7e]$/.test(sign) || LETTERS.get(codePage)?.has(sign) === true;
}

function signOf(grapheme: string, codePage: PrinterCodePage): string {
  if (isPrintable(grapheme, codePage)) return grapheme;
  const known = SPELLED[grapheme];
  if (known !== undefined) return known;
  const bare = grapheme.normalize('NFKD').replace(/\p{M}/gu, '');
  return bare !== '' && [...bare].every((sign) => isPrintable(sign, codePage)) ? bare : MISSING;
}

function lettersOf(codePage: PrinterCodePage): ReadonlySet<string> {
  const upper = Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128));
  return new Set([...iconv.decode(upper, codePage)].filter((sign) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(sign) && !MISCODED.test(sign)));
}
