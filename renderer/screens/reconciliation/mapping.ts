import { DATE_FORMATS, type DateFormat, readDateCell } from '#shared/file-cells';
import { readFileAmount, type Sign } from './cells.ts';
import type { FileHead } from './file-head.ts';

/** Columns of a file by their meaning, with their formats. A blank name is a column that is not chosen. */
export interface Mapping {
  readonly transactionId: string;
  readonly amount: string;
  readonly date: string;
  /** Blank for the currency of the merchant. */
  readonly currency: string;
  readonly dateFormat: DateFormat;
  readonly sign: Sign;
}

type Column = 'transactionId' | 'amount' | 'date' | 'currency';

/** Usual names of the columns, the most reliable first. */
const NAMES: Readonly<Record<Column, readonly RegExp[]>> = {
  transactionId: [
    /^(merchant )?(transaction|txn|trans|payment)( id| ref(erence)?| no| number)?$/,
    /^(our|merchant|order) ref(erence)?( id| no| number)?$/,
    /transaction|txn/,
    /reference|^ref\b/,
    /\bid$/,
  ],
  amount: [/^amount$/, /^(gross|settled|settlement|transaction) (amount|value)$/, /^gross$/, /amount/, /^(sum|total|value)$/],
  date: [/^(settlement|settled|transaction|value|posting) (date|day|on|at)$/, /^(date|day)$/, /date|day/, /time|created|settled/],
  currency: [/^(currency|ccy)( code)?$/, /currency/],
};

/** Guesses the meaning of a file's columns by their names and values. */
export function guessMapping(head: FileHead, currency: string): Mapping {
  const taken = new Set<string>();
  const find = (column: Column, fits: (cell: string) => boolean) => {
    const free = head.columns.filter((name) => !taken.has(name));
    const byName = NAMES[column].map((pattern) => free.find((name) => pattern.test(plain(name)))).find((name) => name !== undefined);
    const found = byName ?? free.find((name) => isFilledWith(head, name, fits)) ?? '';
    taken.add(found);
    return found;
  };
  const money = find('currency', () => false);
  const date = find('date', (cell) => DATE_FORMATS.some((format) => readDateCell(cell, format) !== null));
  const transactionId = find('transactionId', (cell) => /^(txn|ref)_/.test(cell));
  const amount = find('amount', (cell) => /[.,]\d\d\D?$/.test(cell) && readFileAmount(cell, currency, 'positive') !== null);
  return {
    transactionId,
    amount,
    date,
    currency: money,
    dateFormat: formatsOf(head, date)[0] ?? 'YYYY-MM-DD',
    sign: signOf(head, amount, currency),
  };
}

/** "Settlement_Date" → "settlement date". */
const plain = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

const cellsOf = (head: FileHead, column: string) => head.rows.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');

function isFilledWith(head: FileHead, column: string, fits: (cell: string) => boolean): boolean {
  const cells = cellsOf(head, column);
  return cells.length > 0 && cells.every(fits);
}

/** Returns the date formats that match most cells of a column. Several match equally if no day is above 12. */
export function formatsOf(head: FileHead, column: string): DateFormat[] {
  const cells = cellsOf(head, column);
  const counts = DATE_FORMATS.map((format) => ({ format, count: cells.filter((cell) => readDateCell(cell, format) !== null).length }));
  const most = Math.max(...counts.map(({ count }) => count));
  return most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ format }) => format);
}

/** Guesses the sign of payments. Most amounts are payments, so if most are negative, payments are negative. */
function signOf(head: FileHead, column: string, currency: string): Sign {
  const read = cellsOf(head, column).flatMap((cell) => readFileAmount(cell, currency, 'positive') ?? []);
  return read.filter((amount) => amount.startsWith('-')).length * 2 > read.length ? 'negative' : 'positive';
}

/** Returns true if a file has all columns of a mapping. */
export const fits = (head: FileHead, mapping: Mapping): boolean =>
  [mapping.transactionId, mapping.amount, mapping.date, mapping.currency].every((name) => name === '' || head.columns.includes(name));
