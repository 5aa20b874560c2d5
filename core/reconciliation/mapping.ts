import { type Currency, exponentOf, isStorable, parseCurrency, ServiceError } from '#core/kernel';
import { containsCardNumber, FILE_CELL, redactLongNumbers } from '#shared/card-numbers';
import { MAJOR_DIGITS_MAX } from '#shared/currencies';
import { type DateFormat, readAmountCell, readDateCell } from '#shared/file-cells';

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

/** A parsed line of a file. Refunds are negative. */
export interface FileLine {
  readonly reference: string;
  readonly currency: string;
  readonly minor: number;
  readonly day: string;
}

const REFERENCE_MAX = 100;

export type Reader = (cells: readonly string[]) => FileLine | { readonly reason: string };

/** Reads rows by a mapping; VALIDATION_ERROR where the head of the file lacks a column that it names. */
export function readerOf(mapping: Mapping, header: readonly string[], currency: Currency): Reader {
  const names = header.map((name) => name.trim());
  const columnOf = (field: 'transactionId' | 'amount' | 'date' | 'currency', wanted: string) => {
    const at = names.indexOf(wanted.trim());
    const found = at >= 0 ? at : names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase());
    if (found >= 0) return found;
    const shown = names.slice(0, 50).map((name) => redactLongNumbers(name).slice(0, 100).toWellFormed().replaceAll('\u0000', ''));
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
    const minor = readAmountCell(cell(cells, at.amount), exponentOf(code));
    if (minor === null)
      return { reason: `the amount is not a decimal number of ${code} with at most ${MAJOR_DIGITS_MAX} digits before its decimals` };
    if (minor === 0) return { reason: 'the amount is zero' };
    const day = readDateCell(cell(cells, at.date), mapping.dateFormat ?? 'YYYY-MM-DD');
    if (day === null) return { reason: `the date is not an existing day written ${mapping.dateFormat ?? 'YYYY-MM-DD'}` };
    return { reference, currency: code, minor: mapping.sign === 'negative' ? -minor : minor, day };
  };
}

function referenceFault(reference: string): string | null {
  if (reference === '') return 'the transaction is not named';
  if (reference.length > REFERENCE_MAX) return `the name of the transaction is longer than ${REFERENCE_MAX} characters`;
  if (!isStorable(reference) || /\p{Cc}/u.test(reference)) return 'the name of the transaction holds signs that are no text';
  return containsCardNumber(reference, FILE_CELL)
    ? 'the name of the transaction holds what looks like a card number, which is not kept'
    : null;
}

function currencyFrom(text: string): Currency | null {
  try {
    return parseCurrency(text.toUpperCase());
  } catch {
    return null;
  }
}
