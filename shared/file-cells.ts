import { MAJOR_DIGITS_MAX } from './currencies.ts';

/** Supported date formats of a settlement file. */
export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'MM-DD-YYYY',
  'DD-MM-YYYY',
  'DD.MM.YYYY',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/**
 * Parses an amount in a format of files: `1,234.50`, `1.234,50`, `$ 12`, `-12.00`, `12.00-`, `(12.00)`. Returns it in minor units of a currency with
 * `exponent` decimals, or null if it is not an amount.
 */
export function readAmountCell(text: string, exponent: number): number | null {
  const bare = text.replaceAll(/[\s'’]|\p{Sc}/gu, '').replace('\u2212', '-');
  const match = /^(?<open>\()?(?<before>[+-])?(?<digits>[\d.,]*\d)(?<after>-)?(?<close>\))?$/.exec(bare)?.groups;
  if (!match?.digits || (match.open === undefined) !== (match.close === undefined)) return null;
  const signs = [match.open, match.before, match.after].filter((sign) => sign !== undefined);
  const minor = readUnsigned(match.digits, exponent);
  if (signs.length > 1 || minor === null) return null;
  return signs.length === 1 && signs[0] !== '+' ? -minor : minor;
}

/** Parses digits with separators. The last separator precedes the decimals, unless it separates thousands: it occurs twice, or is a comma before three digits. */
function readUnsigned(text: string, exponent: number): number | null {
  const separators = text.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  const decimals = last === undefined ? '' : text.slice(text.lastIndexOf(last) + 1);
  const isRepeated = separators.filter((each) => each === last).length > 1;
  const isThousands = last !== undefined && (isRepeated || (last === ',' && decimals.length === 3 && exponent !== 3));
  const fraction = last === undefined || isThousands ? '' : decimals;
  const whole = fraction === '' ? text : text.slice(0, -(fraction.length + 1));
  if (fraction.length > exponent || !isGrouped(whole)) return null;
  const major = whole.replaceAll(/[.,]/g, '').replace(/^0+/, '');
  return major.length > MAJOR_DIGITS_MAX ? null : Number(major + fraction.padEnd(exponent, '0'));
}

/** Returns true for plain digits and for groups of three with the same separator between them. */
const isGrouped = (whole: string) => whole === '' || /^(\d+|\d{1,3}(,\d{3})+|\d{1,3}(\.\d{3})+)$/.test(whole);

const PATTERNS: ReadonlyMap<DateFormat, RegExp> = new Map(
  DATE_FORMATS.map((format) => {
    const digits = format === 'YYYYMMDD' ? '\\d\\d' : '\\d{1,2}';
    const pattern = format
      .replaceAll('.', '\\.')
      .replace('YYYY', '(?<year>\\d{4})')
      .replace('MM', `(?<month>${digits})`)
      .replace('DD', `(?<day>${digits})`);
    return [format, new RegExp(`^${pattern}(?:[T ].*)?$`)];
  }),
);

/** Parses a date, with or without a time after it. Returns YYYY-MM-DD, or null if the text is not an existing day in that format. */
export function readDateCell(text: string, format: DateFormat): string | null {
  const parts = PATTERNS.get(format)?.exec(text)?.groups;
  if (!parts) return null;
  const day = `${parts.year}-${parts.month?.padStart(2, '0')}-${parts.day?.padStart(2, '0')}`;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day) ? day : null;
}
