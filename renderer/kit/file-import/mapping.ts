import { exponentOf } from '#renderer/base/money';
import { DATE_FORMATS, type DateFormat, readAmountCell, readDateCell } from '#shared/file-cells';
import { dateFormatsOf, isDirection, readAmountCells } from '#shared/file-columns';
import type { FileHead, FileRow } from './file-head.ts';

export type Sign = 'positive' | 'negative';
/** Amounts are in one column, in one with their direction in another, or in two columns. */
export type AmountLayout = 'one' | 'direction' | 'two';

/** Columns of dates and amounts of a file. A blank name is a column that is not chosen. */
export interface FileMapping {
  readonly date: string;
  readonly dateFormat: DateFormat;
  readonly amounts: AmountLayout;
  readonly amount: string;
  readonly direction: string;
  /** Words for debits, separated by commas; blank for the usual ones. */
  readonly debitValues: string;
  readonly credit: string;
  readonly debit: string;
  readonly currency: string;
  readonly sign: Sign;
  /** `minor` if amounts are whole numbers of minor units, such as cents. */
  readonly unit: 'major' | 'minor';
}

export const NO_MAPPING: FileMapping = {
  date: '',
  dateFormat: 'YYYY-MM-DD',
  amounts: 'one',
  amount: '',
  direction: '',
  debitValues: '',
  credit: '',
  debit: '',
  currency: '',
  sign: 'positive',
  unit: 'major',
};

/** Returns the texts of a column, without blank ones. */
const cellsOf = (head: FileHead, column: string) => head.rows.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');

/** Creates a function that finds a column by its name, or by its texts. Each column is found once. */
export function columnFinder(head: FileHead) {
  const taken = new Set<string>();
  return (names: readonly RegExp[], fits: (cell: string) => boolean = () => false): string => {
    const free = head.columns.filter((name) => !taken.has(name));
    const byName = names.map((pattern) => free.find((name) => pattern.test(plain(name)))).find((name) => name !== undefined);
    const found = byName ?? free.find((name) => cellsOf(head, name).length > 0 && cellsOf(head, name).every(fits)) ?? '';
    taken.add(found);
    return found;
  };
}

/** "Settlement_Date" → "settlement date". */
const plain = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/** Returns the date formats that match most cells of a column, the most usual first. Several match equally if no day is above 12. */
export function formatsOf(head: FileHead, column: string): DateFormat[] {
  const cells = cellsOf(head, column);
  const all = dateFormatsOf(cells);
  if (all.length > 0) return all;
  const counts = DATE_FORMATS.map((format) => ({ format, count: cells.filter((cell) => readDateCell(cell, format) !== null).length }));
  const most = Math.max(...counts.map(({ count }) => count));
  return most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ format }) => format);
}

const DATES = [
  /^(settlement|settled|booking|posting|posted|transaction|value) (date|day|on|at)$/,
  /^(date|day|datum|fecha|data)$/,
  /date|datum|fecha|day/,
];
const CREDITS = [/^(credits?|money in|paid in|deposits?|haben|gutschrift|abonos?|ingresos?)\b/, /\bcredit\b/];
const DEBITS = [/^(debits?|money out|paid out|withdrawals?|soll|lastschrift|cargos?|debe)\b/, /\bdebit\b/];
const AMOUNTS = [
  /^(amount|betrag|importe|bedrag|montant|importo)$/,
  /^(gross|net|settled|settlement|transaction) (amount|value)$/,
  /^gross$/,
  /amount|betrag|importe|bedrag|montant|importo/,
  /^(sum|total|value)$/,
];
const CURRENCIES = [/^(currency|ccy|moneda|w[äa]hrung|devise)( code)?$/, /currency/];

/** Guesses the columns of dates and amounts by their names and texts. `find` has found the other columns before. */
export function guessMapping(head: FileHead, find: ReturnType<typeof columnFinder>, currency: string): FileMapping {
  const exponent = exponentOf(currency);
  const isAmount = (cell: string) => /[.,]\d\d\D*$/.test(cell) && readAmountCell(cell, exponent) !== null;
  const code = find(CURRENCIES, (cell) => /^[A-Z]{3}$/.test(cell));
  const date = find(DATES, (cell) => DATE_FORMATS.some((format) => readDateCell(cell, format) !== null));
  const findPair = columnFinder(head);
  const [credit, debit] = [findPair(CREDITS), findPair(DEBITS)];
  const isTwo =
    credit !== '' &&
    debit !== '' &&
    [credit, debit].every((name) => cellsOf(head, name).every((cell) => readAmountCell(cell, exponent) !== null));
  const amount = isTwo ? '' : find(AMOUNTS, isAmount);
  const isUnsigned = amount !== '' && cellsOf(head, amount).every((cell) => (readAmountCell(cell, exponent) ?? 0) >= 0);
  const direction = isUnsigned ? find([], (cell) => isDirection(cell)) : '';
  return {
    ...NO_MAPPING,
    date,
    dateFormat: formatsOf(head, date)[0] ?? NO_MAPPING.dateFormat,
    amounts: isTwo ? 'two' : direction === '' ? 'one' : 'direction',
    amount,
    direction,
    ...(isTwo && { credit, debit }),
    currency: code,
  };
}

/** Guesses the sign of a column in which most amounts are payments. */
export function signOf(head: FileHead, { amount }: FileMapping, currency: string): Sign {
  const read = cellsOf(head, amount).flatMap((cell) => readAmountCell(cell, exponentOf(currency)) ?? []);
  return read.filter((minor) => minor < 0).length * 2 > read.length ? 'negative' : 'positive';
}

/** Returns the names of the chosen columns. */
export const chosenColumns = ({ date, amounts, amount, direction, credit, debit, currency }: FileMapping): string[] =>
  [date, ...(amounts === 'two' ? [credit, debit] : [amount]), ...(amounts === 'direction' ? [direction] : []), currency].filter(
    (name) => name !== '',
  );

/** Returns true if the columns of dates and amounts are chosen. */
export const isComplete = ({ date, amounts, amount, direction, credit, debit }: FileMapping): boolean =>
  date !== '' && (amounts === 'two' ? credit !== '' || debit !== '' : amount !== '') && (amounts !== 'direction' || direction !== '');

const wordsOf = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Returns the columns as the API takes them. */
export function apiColumns(mapping: FileMapping) {
  const { date, dateFormat, amounts, amount, direction, debitValues, credit, debit, currency, sign } = mapping;
  return {
    date,
    dateFormat,
    sign,
    ...(amounts !== 'two' && { amount }),
    ...(amounts === 'two' && credit !== '' && { credit }),
    ...(amounts === 'two' && debit !== '' && { debit }),
    ...(amounts === 'direction' && { direction, ...(wordsOf(debitValues).length > 0 && { debitValues: wordsOf(debitValues) }) }),
    ...(currency !== '' && { currency }),
  };
}

/** Returns the texts of a row from which its amount is read. */
export function amountText(mapping: FileMapping, { cells }: FileRow): string {
  const { amounts, amount, direction, credit, debit } = mapping;
  const columns = amounts === 'two' ? [credit, debit] : amounts === 'direction' ? [amount, direction] : [amount];
  return columns
    .map((column) => (column === '' ? '' : (cells[column] ?? '')))
    .filter((text) => text !== '')
    .join(' ');
}

/** Values of a row as the service reads them. */
export interface RowValues {
  /** Null if the text is not a date. */
  readonly day: string | null;
  readonly currency: string;
  /** In minor units, with debits negative; null if it cannot be read. */
  readonly minor: number | null;
}

/** Reads a row by a mapping. @param currency used if the file has none. */
export function readRow(mapping: FileMapping, { cells }: FileRow, currency: string): RowValues {
  const cell = (column: string) => (column === '' ? '' : (cells[column] ?? ''));
  const code = (cell(mapping.currency) || currency).toUpperCase();
  const given =
    mapping.amounts === 'two'
      ? { credit: cell(mapping.credit), debit: cell(mapping.debit) }
      : { amount: cell(mapping.amount), ...(mapping.amounts === 'direction' && { direction: cell(mapping.direction) }) };
  const words = wordsOf(mapping.debitValues);
  const rules = { currency: code, isMinorUnits: mapping.unit === 'minor', ...(words.length > 0 && { debitValues: words }) };
  const minor = readAmountCells(given, exponentOf(code), rules);
  return {
    day: readDateCell(cell(mapping.date), mapping.dateFormat),
    currency: code,
    minor: typeof minor !== 'number' ? null : mapping.sign === 'negative' && minor !== 0 ? -minor : minor,
  };
}
