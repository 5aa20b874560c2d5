import { DATE_FORMATS, type DateFormat, readAmountCell, readDateCell } from './file-cells.ts';

/** Rows at the beginning of a file among which its header is searched. */
export const HEADER_ROWS_MAX = 30;

/** Cells of a row that give its amount. */
export interface AmountCells {
  readonly amount?: string | undefined;
  readonly credit?: string | undefined;
  readonly debit?: string | undefined;
  readonly direction?: string | undefined;
}

/** Notation of the amounts of a file. */
export interface AmountRules {
  /** Values of the direction that stand for a debit; all others are then credits. Without them, the usual words are known. */
  readonly debitValues?: readonly string[] | undefined;
  /** Currency of the amounts. Cells may name it. */
  readonly currency?: string;
  /** True if amounts are whole numbers of minor units, such as cents. */
  readonly isMinorUnits?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const DEBITS = words('d dr db deb debit debet dbit s soll lastschrift af out - cargo debe debito addebito withdrawal refund refunded');
const CREDITS = words('c cr cred credit crdt h haben gutschrift bij in + abono haber credito accredito deposit payment sale');

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();

/** Returns true for a debit, false for a credit, and null if the word is unknown. */
function isDebit(direction: string, debitValues: readonly string[] | undefined): boolean | null {
  const word = folded(direction);
  if (word === '') return null;
  if (debitValues !== undefined) return debitValues.some((value) => folded(value) === word);
  return DEBITS.has(word) ? true : CREDITS.has(word) ? false : null;
}

/** Returns true for one of the usual words for debits and credits. */
export const isDirection = (word: string): boolean => isDebit(word, undefined) !== null;

/** Returns the symbol of a currency in letters, such as `kr`; an empty text for other symbols, which amounts may always have. */
function lettersOf(currency: string): string {
  let letters = SYMBOLS.get(currency);
  if (letters === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
    const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
    letters = /^\p{L}+$/u.test(symbol) ? symbol.toLowerCase() : '';
    SYMBOLS.set(currency, letters);
  }
  return letters;
}
const SYMBOLS = new Map<string, string>();

/** Longest amount with its currency; far longer than any. */
const AMOUNT_TEXT_MAX = 60;

/** Returns an amount without the code of its currency, or its symbol in letters, before or after it; null if it names another currency. */
export function withoutCurrency(text: string, currency: string | undefined): string | null {
  if (!/\p{L}/u.test(text)) return text;
  // The search below takes long for a long text.
  if (text.length > AMOUNT_TEXT_MAX) return null;
  const {
    before = '',
    first = '',
    digits = '',
    last = '',
  } = /^(?<before>[+\u2212-]?)\s*(?<first>\p{L}*)(?<digits>.*?)(?<last>\p{L}*)$/su.exec(text.trim())?.groups ?? {};
  const isOwn = (word: string) => currency !== undefined && [currency.toLowerCase(), lettersOf(currency)].includes(word.toLowerCase());
  const isOther = (word: string) => word.length === 3 && !isOwn(word);
  if (isOther(first) || isOther(last)) return null;
  return `${before}${isOwn(first) ? '' : first}${digits}${isOwn(last) ? '' : last}`;
}

/**
 * Parses an amount as banks write it: with the currency before or after it, and with a mark for debits or credits at the end, such as `50.00 DR`. Returns
 * null if it is not an amount of that currency.
 */
export function readBookedAmount(text: string, exponent: number, currency: string | undefined): number | null {
  const mark = /(?<!\p{L})(?:CR?|DR?|DB)\.?$/iu.exec(text.trim())?.[0] ?? '';
  const written = withoutCurrency(text.trim().slice(0, text.trim().length - mark.length), currency);
  const minor = written === null ? null : readAmountCell(written, exponent);
  if (minor === null || mark === '') return minor;
  // A negative credit is a contradiction.
  return isDebit(mark.replace('.', ''), undefined) ? -Math.abs(minor) + 0 : minor < 0 ? null : minor;
}

/** Returns a function that returns true for a debit whose sign differs from that of the debits before it: it can be a reversal. */
export function createDebitSignCheck(): (debit: string | undefined, exponent: number, currency: string) => boolean {
  let first = 0;
  return (debit, exponent, currency) => {
    const sign = Math.sign(readBookedAmount(debit ?? '', exponent, currency) ?? 0);
    if (first === 0) first = sign;
    return sign !== 0 && sign !== first;
  };
}

/**
 * Returns the amount of a row in minor units, with debits negative; zero if all cells are blank. Banks write debits in a column of their own with
 * both signs; a negative credit is a reversal. Returns the fault if a cell is not readable.
 */
export function readAmountCells(cells: AmountCells, exponent: number, rules: AmountRules = {}): number | { readonly fault: string } {
  const unreadable: string[] = [];
  const read = (text: string | undefined): number => {
    const given = text?.trim() ?? '';
    // A column of credits or debits can have a dash in the rows of the other one.
    if (given === '' || (cells.amount === undefined && /^[-\u2012-\u2015\u2212]$/.test(given))) return 0;
    const minor = rules.isMinorUnits
      ? /^[+-]?\d{1,15}$/.test(given)
        ? Number(given)
        : null
      : readBookedAmount(given, exponent, rules.currency);
    if (minor === null) unreadable.push(given);
    return minor ?? 0;
  };
  const amount = cells.amount === undefined ? read(cells.credit) - Math.abs(read(cells.debit)) : read(cells.amount);
  if (unreadable.length > 0) return { fault: `\`${unreadable[0]?.slice(0, 30)}\` is not an amount` };
  if (cells.direction === undefined || amount === 0) return amount + 0;
  const debit = isDebit(cells.direction, rules.debitValues);
  if (debit === null)
    return { fault: `\`${cells.direction.trim().slice(0, 30)}\` is neither a debit nor a credit. Name the values of debits` };
  return debit ? -Math.abs(amount) : amount;
}

/** Returns the index of a column: by its exact name first, then in any case; -1 if the header has none. */
export function columnIndex(header: readonly string[], name: string): number {
  const names = header.map((each) => each.replace(/^\uFEFF/, '').trim());
  const exact = names.indexOf(name.trim());
  return exact >= 0 ? exact : names.findIndex((each) => each.toLowerCase() === name.trim().toLowerCase());
}

/** Returns the name of a column without case, accents, blanks and punctuation, to compare it with known names. */
export const foldedName = (name: string): string => folded(name.replace(/^\uFEFF/, '')).replaceAll(/[\s_.:-]/g, '');

/** Returns the index of the first of several names that a header has, whatever their case and accents; -1 if it has none of them. */
export function columnOf(header: readonly string[], names: readonly string[]): number {
  const plain = header.map(foldedName);
  return names.map((name) => plain.indexOf(foldedName(name))).find((index) => index >= 0) ?? -1;
}

/** Returns the index of the row that looks like the header: the first one with the most cells that are not blank. */
export function headerRowOf(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, HEADER_ROWS_MAX).map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  return counts.indexOf(Math.max(0, ...counts));
}

/** Returns the reason for which a row does not fit the header: text beyond its columns, or no cell for a column that is read. Null if it fits. */
export function raggedReason(cells: readonly string[], header: readonly string[], used: readonly number[]): string | null {
  if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
    return `the row has ${cells.length} cells, but the header has ${header.length} columns`;
  return used.some((index) => index >= cells.length) ? `the row has only ${cells.length} of ${header.length} cells` : null;
}

/** Returns the date formats that match all given texts, the most usual first. Several match equally if no day is above 12. */
export function dateFormatsOf(texts: readonly string[]): DateFormat[] {
  return texts.length === 0 ? [] : DATE_FORMATS.filter((format) => texts.every((text) => readDateCell(text, format) !== null));
}
