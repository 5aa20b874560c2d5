import { type Currency, exponentOf, isDate, isStorable, parseCurrency, ServiceError } from '#core/kernel';
import { holdsCardNumber, withoutCardNumbers } from './card-numbers.ts';

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

/** Which columns of a file mean what. */
export interface Mapping {
  readonly transactionId: string;
  readonly amount: string;
  readonly date: string;
  /** Else the merchant's currency. */
  readonly currency?: string | undefined;
  readonly dateFormat?: DateFormat | undefined;
  /** `negative` where payments are below zero and refunds above it. */
  readonly sign?: 'positive' | 'negative' | undefined;
}

/** A line of a file as it is understood. Refunds are negative. */
export interface FileLine {
  readonly reference: string;
  readonly currency: string;
  readonly minor: number;
  readonly day: string;
}

const REFERENCE_MAX = 100;
/** Digits before the decimals, as many as an amount of ours may have. */
const AMOUNT_DIGITS_MAX = 11;

export type Reader = (cells: readonly string[]) => FileLine | { readonly reason: string };

/** Reads rows by a mapping; VALIDATION_ERROR where the head of the file lacks a column that it names. */
export function readerOf(mapping: Mapping, header: readonly string[], currency: Currency): Reader {
  const names = header.map((name) => name.trim());
  const columnOf = (field: 'transactionId' | 'amount' | 'date' | 'currency', wanted: string) => {
    const at = names.indexOf(wanted.trim());
    const found = at >= 0 ? at : names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase());
    if (found >= 0) return found;
    const shown = names.slice(0, 50).map((name) => withoutCardNumbers(name).slice(0, 100).toWellFormed().replaceAll('\u0000', ''));
    throw new ServiceError('VALIDATION_ERROR', 'The file has no column of that name.', {
      field: `mapping.${field}`,
      details: { columns: shown },
    });
  };
  const at = {
    reference: columnOf('transactionId', mapping.transactionId),
    amount: columnOf('amount', mapping.amount),
    date: columnOf('date', mapping.date),
    currency: mapping.currency === undefined ? null : columnOf('currency', mapping.currency),
  };
  const cell = (cells: readonly string[], index: number) => (cells[index] ?? '').trim();
  return (cells) => {
    const reference = cell(cells, at.reference);
    const bad = referenceFault(reference);
    if (bad !== null) return { reason: bad };
    const code = at.currency === null ? currency : currencyFrom(cell(cells, at.currency));
    if (code === null) return { reason: 'the currency is not an ISO 4217 code' };
    const minor = minorFrom(cell(cells, at.amount), code);
    if (minor === null)
      return { reason: `the amount is not a decimal number of ${code} with at most ${AMOUNT_DIGITS_MAX} digits before its decimals` };
    if (minor === 0) return { reason: 'the amount is zero' };
    const day = dayFrom(cell(cells, at.date), mapping.dateFormat ?? 'YYYY-MM-DD');
    if (day === null) return { reason: `the date is not an existing day written ${mapping.dateFormat ?? 'YYYY-MM-DD'}` };
    return { reference, currency: code, minor: mapping.sign === 'negative' ? -minor : minor, day };
  };
}

function referenceFault(reference: string): string | null {
  if (reference === '') return 'the transaction is not named';
  if (reference.length > REFERENCE_MAX) return `the name of the transaction is longer than ${REFERENCE_MAX} characters`;
  if (!isStorable(reference) || /\p{Cc}/u.test(reference)) return 'the name of the transaction holds signs that are no text';
  return holdsCardNumber(reference) ? 'the name of the transaction holds what looks like a card number, which is not kept' : null;
}

function currencyFrom(text: string): Currency | null {
  try {
    return parseCurrency(text.toUpperCase());
  } catch {
    return null;
  }
}

/** An amount as files write it, in minor units: `1,234.50`, `1.234,50`, `$ 12`, `-12.00`, `12.00-`, `(12.00)`; null for anything else. */
export function minorFrom(text: string, currency: Currency): number | null {
  const bare = text.replaceAll(/[\s'’]|\p{Sc}/gu, '').replace('\u2212', '-');
  const match = /^(?<open>\()?(?<before>[+-])?(?<digits>[\d.,]*\d)(?<after>-)?(?<close>\))?$/.exec(bare)?.groups;
  if (!match?.digits || (match.open === undefined) !== (match.close === undefined)) return null;
  const signs = [match.open, match.before, match.after].filter((sign) => sign !== undefined);
  if (signs.length > 1) return null;
  const minor = unsigned(match.digits, exponentOf(currency));
  if (minor === null) return null;
  return signs.length === 1 && signs[0] !== '+' ? -minor : minor;
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
  if (fraction.length > exponent || !isGrouped(whole)) return null;
  const major = whole.replaceAll(/[.,]/g, '').replace(/^0+/, '');
  return major.length > AMOUNT_DIGITS_MAX ? null : Number(major + fraction.padEnd(exponent, '0'));
}

/** Plain digits, or groups of three parted by one and the same sign. */
const isGrouped = (whole: string) => whole === '' || /^(\d+|\d{1,3}(,\d{3})+|\d{1,3}(\.\d{3})+)$/.test(whole);

const PATTERNS: ReadonlyMap<DateFormat, RegExp> = new Map(
  DATE_FORMATS.map((format) => {
    const isCompact = format === 'YYYYMMDD';
    const pattern = format
      .replaceAll('.', '\\.')
      .replace('YYYY', '(?<year>\\d{4})')
      .replace('MM', isCompact ? '(?<month>\\d\\d)' : '(?<month>\\d{1,2})')
      .replace('DD', isCompact ? '(?<day>\\d\\d)' : '(?<day>\\d{1,2})');
    return [format, new RegExp(`^${pattern}(?:[T ].*)?$`)];
  }),
);

/** The day that a text names, YYYY-MM-DD; a time behind it is passed over. */
export function dayFrom(text: string, format: DateFormat): string | null {
  const parts = PATTERNS.get(format)?.exec(text)?.groups;
  if (!parts) return null;
  const day = `${parts.year}-${parts.month?.padStart(2, '0')}-${parts.day?.padStart(2, '0')}`;
  return isDate(day) ? day : null;
}
