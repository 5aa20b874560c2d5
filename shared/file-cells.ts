import { MAJOR_DIGITS_MAX } from './currencies.ts';

/** Date formats of files. A year of two digits is 1980 to 2079. Names of months are read in the languages of `MONTHS`. */
export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'MM-DD-YYYY',
  'DD-MM-YYYY',
  'DD.MM.YYYY',
  'MM/DD/YY',
  'DD/MM/YY',
  'MM-DD-YY',
  'DD-MM-YY',
  'DD.MM.YY',
  'YY-MM-DD',
  'YYMMDD',
  'DD MMM YYYY',
  'DD MMM YY',
  'MMM DD YYYY',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

interface AmountForm {
  /** True for formats whose only separator is the decimal mark, as their standards have it; the digits may then end with it. */
  readonly isStandard: boolean;
  readonly digitsMax: number;
  /** The decimal mark of the file, if it is known. */
  readonly mark?: DecimalMark | null;
}
export type DecimalMark = '.' | ',';
const CELL: AmountForm = { isStandard: false, digitsMax: MAJOR_DIGITS_MAX };
const STANDARD: AmountForm = { isStandard: true, digitsMax: 13 };

/**
 * Parses an amount in a format of files: `1,234.50`, `1.234,50`, `$ 12`, `R$ 12`, `-12.00`, `12.00-`, `(12.00)`. Returns it in minor units of a currency
 * with `exponent` decimals, or null if it is not an amount. Without the decimal mark of the file, `1,234` is read as thousands, and `1.234` is refused.
 */
export const readAmountCell = (text: string, exponent: number, mark: DecimalMark | null = null): number | null =>
  readAmount(text, exponent, { ...CELL, mark });

/** Parses an amount of a format whose only separator is the decimal mark (MT940, OFX, CAMT): `1,5` and `12,`, but also `1.234,56`. */
export const readStandardAmount = (text: string, exponent: number): number | null => readAmount(text, exponent, STANDARD);

function readAmount(text: string, exponent: number, form: AmountForm): number | null {
  const bare = text.replaceAll(/[\s'’]|(?:\b[A-Z]{1,2})?\p{Sc}|[円元]/gu, '').replace(/[\u2212\u2013]/, '-');
  const match = /^(?<open>\()?(?<before>[+-])?(?<digits>[\d.,]*\d)(?<mark>[.,])?(?<after>[+-])?(?<close>\))?$/.exec(bare)?.groups;
  if (!match?.digits || (match.open === undefined) !== (match.close === undefined)) return null;
  if (match.mark !== undefined && (!form.isStandard || /[.,]/.test(match.digits))) return null;
  const signs = [match.open, match.before, match.after].filter((sign) => sign !== undefined);
  const minor = readUnsigned(match.digits, exponent, form);
  if (signs.length > 1 || minor === null) return null;
  return signs.length === 1 && signs[0] !== '+' && minor !== 0 ? -minor : minor;
}

/** Parses digits with separators. The last separator precedes the decimals, unless it separates thousands: it occurs twice, or is a comma before three digits. */
function readUnsigned(text: string, exponent: number, { isStandard, digitsMax, mark = null }: AmountForm): number | null {
  const separators = text.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  const decimals = last === undefined ? '' : text.slice(text.lastIndexOf(last) + 1);
  const isRepeated = separators.filter((each) => each === last).length > 1;
  // A currency without decimals has no mark for them, so a point before three digits separates thousands there.
  const isGroup =
    !isStandard && decimals.length === 3 && (mark === null ? exponent === 0 || (last === ',' && exponent !== 3) : last !== mark);
  const written = last === undefined || isRepeated || isGroup ? '' : decimals;
  const whole = written === '' ? text : text.slice(0, -(written.length + 1));
  // Three decimals after a point could be thousands in a file of another country, except in a format that has no thousands.
  const isAmbiguous = !isStandard && mark === null && written.length === 3 && exponent !== 3;
  const fraction = isAmbiguous ? written : written.slice(0, exponent) + written.slice(exponent).replace(/0+$/, '');
  if (fraction.length > exponent || !isGrouped(whole)) return null;
  const major = whole.replaceAll(/[.,]/g, '').replace(/^0+/, '');
  return major.length > digitsMax ? null : Number(major + fraction.padEnd(exponent, '0'));
}

/** Returns the decimal marks of the amounts of a file that can be read in one way only. */
export function decimalMarksOf(texts: readonly string[]): DecimalMark[] {
  return [
    ...new Set(
      texts.flatMap((text) => {
        const digits = /\d[\d.,]*|[.,]\d+/.exec(text)?.[0] ?? '';
        const separators = digits.match(/[.,]/g) ?? [];
        const last = separators.at(-1);
        if (last === undefined || separators.filter((each) => each === last).length > 1) return [];
        const isDecimal = new Set(separators).size === 2 || digits.length - digits.lastIndexOf(last) - 1 !== 3 || /^0?[.,]/.test(digits);
        return isDecimal ? [last as DecimalMark] : [];
      }),
    ),
  ];
}

/** Returns the text of a cell that a spreadsheet has written as text: without the apostrophe or the formula `="…"` around numbers. */
export function plainCell(cell: string): string {
  const text = cell.trim();
  if (!/^[='\u2019]/.test(text)) return text;
  return text
    .replace(/^=\s*"([^"]*)"$/, '$1')
    .replace(/^['\u2019](?=[+\d-])/, '')
    .trim();
}

/** Returns true for a long number that a spreadsheet has rounded, such as `1.23457E+11`. Its digits are lost. */
export const isRoundedNumber = (text: string): boolean => /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i.test(text);

/** Returns true for plain digits, and for groups of three with the same separator between them, or of two above the thousands, as India writes them. */
const isGrouped = (whole: string) => whole === '' || /^(\d+|\d{1,3}(,\d{3})+|\d{1,3}(\.\d{3})+|\d{1,2}(,\d{2})+,\d{3})$/.test(whole);

/** Beginnings of the names of months without accents, in English, Spanish, German, French, Italian, Portuguese, Dutch, Polish and Nordic languages. */
const MONTHS = [
  ['jan', 'ene', 'gen', 'sty'],
  ['feb', 'fev', 'lut'],
  ['mar', 'mrz', 'mrt', 'maer'],
  ['apr', 'abr', 'avr', 'kwi'],
  ['may', 'mai', 'mag', 'mei', 'maj'],
  ['jun', 'juin', 'giu', 'cze'],
  ['jul', 'juil', 'lug', 'lip'],
  ['aug', 'ago', 'aou', 'sie'],
  ['sep', 'set', 'wrz'],
  ['oct', 'okt', 'out', 'ott', 'paz'],
  ['nov', 'lis'],
  ['dec', 'dic', 'dez', 'des', 'gru'],
] as const;

/** Returns the number of a month by its name or its abbreviation; null if no month has it. */
export function monthOf(name: string): string | null {
  const folded = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const index = MONTHS.findIndex((starts) => starts.some((start) => folded.startsWith(start)));
  return index < 0 ? null : String(index + 1).padStart(2, '0');
}

const PATTERNS: ReadonlyMap<DateFormat, RegExp> = new Map(
  DATE_FORMATS.map((format) => {
    const digits = /[^A-Z]/.test(format) ? '\\d{1,2}' : '\\d\\d';
    const pattern = format
      .replaceAll('.', '\\.')
      .replaceAll(' ', '(?:[.,]? |[./-])?')
      .replace('YYYY', '(?<year>\\d{4})')
      .replace('YY', '(?<year>\\d\\d)')
      .replace('MMM', '(?<name>\\p{L}{3,12})\\.?')
      .replace('MM', `(?<month>${digits})`)
      .replace('DD', `(?<day>${digits})`);
    return [format, new RegExp(`^${pattern}\\.?(?:[T ].*)?$`, 'u')];
  }),
);

/** Returns a year of two digits in full. */
export const fullYear = (year: string): string => (year.length === 2 ? `${Number(year) >= 80 ? '19' : '20'}${year}` : year);

/** Returns the existing day of a year, month and day as YYYY-MM-DD; null if there is none. */
export function dayOf(year: string, month: string, day: string): string | null {
  const text = `${fullYear(year)}-${month}-${day}`;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text) ? text : null;
}

/** Parses a date, with or without a time after it. Returns YYYY-MM-DD, or null if the text is not an existing day in that format. */
export function readDateCell(text: string, format: DateFormat): string | null {
  const parts = PATTERNS.get(format)?.exec(text)?.groups;
  if (!parts?.year) return null;
  const month = parts.name === undefined ? parts.month?.padStart(2, '0') : monthOf(parts.name);
  return month ? dayOf(parts.year, month, parts.day?.padStart(2, '0') ?? '') : null;
}
