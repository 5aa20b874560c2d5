import { decimalText, exponentOf } from '#renderer/money';

/** How a file may write its days. */
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
export type Sign = 'positive' | 'negative';

/** An amount of a file as plain decimal text, read the way the service reads it; null for what it keeps out. */
export function readFileAmount(text: string, currency: string, sign: Sign): string | null {
  const bare = text.replaceAll(/[\s'’]|\p{Sc}/gu, '').replace('−', '-');
  const match = /^(?<open>\()?(?<before>[+-])?(?<digits>[\d.,]*\d)(?<after>-)?(?<close>\))?$/.exec(bare)?.groups;
  if (!match?.digits || (match.open === undefined) !== (match.close === undefined)) return null;
  const signs = [match.open, match.before, match.after].filter((each) => each !== undefined);
  const minor = unsigned(match.digits, exponentOf(currency));
  if (signs.length > 1 || minor === null || minor === 0) return null;
  const isBelow = signs.length === 1 && signs[0] !== '+';
  return decimalText(isBelow === (sign === 'negative') ? minor : -minor, currency);
}

/** The last separator parts the decimals, unless it stands where thousands are parted: twice, or as a comma before three digits. */
function unsigned(text: string, exponent: number): number | null {
  const separators = text.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  const decimals = last === undefined ? '' : text.slice(text.lastIndexOf(last) + 1);
  const isRepeated = separators.filter((each) => each === last).length > 1;
  const isThousands = last !== undefined && (isRepeated || (last === ',' && decimals.length === 3 && exponent !== 3));
  const fraction = last === undefined || isThousands ? '' : decimals;
  const whole = fraction === '' ? text : text.slice(0, -(fraction.length + 1));
  const isGrouped = whole === '' || /^(\d+|\d{1,3}(,\d{3})+|\d{1,3}(\.\d{3})+)$/.test(whole);
  return fraction.length > exponent || !isGrouped ? null : Number(whole.replaceAll(/[.,]/g, '') + fraction.padEnd(exponent, '0'));
}

const PATTERNS = new Map<DateFormat, RegExp>(
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

/** The day that a cell names, YYYY-MM-DD; null where it is none. */
export function readFileDay(text: string, format: DateFormat): string | null {
  const parts = PATTERNS.get(format)?.exec(text)?.groups;
  if (!parts) return null;
  const day = `${parts.year}-${parts.month?.padStart(2, '0')}-${parts.day?.padStart(2, '0')}`;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day) ? day : null;
}

/** Thirteen to nineteen digits whose check digit is right: such a cell is not shown, and not kept by the service. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  [...digits].reverse().forEach((digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}
