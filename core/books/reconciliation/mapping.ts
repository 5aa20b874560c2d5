import { type Currency, exponentOf, isStorable, parseCurrency, ServiceError } from '#core/kernel';
import { containsCardNumber, FILE_CELL, redactLongNumbers } from '#shared/card-numbers';
import { MAJOR_DIGITS_MAX } from '#shared/currencies';
import { type DateFormat, readAmountCell, readDateCell } from '#shared/file-cells';

/** Names of the columns of a file, and their formats. */
export interface Mapping {
  readonly transactionId: string;
  readonly amount: string;
  readonly date: string;
  /** Column of the currency; default is the merchant's currency. */
  readonly currency?: string | undefined;
  readonly dateFormat?: DateFormat | undefined;
  /** `negative` if payments are negative and refunds positive in the file. */
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

/** Creates a reader of rows for a mapping. @throws ServiceError VALIDATION_ERROR if the file's header lacks a column of the mapping. */
export function readerOf(mapping: Mapping, header: readonly string[], currency: Currency): Reader {
  const names = header.map((name) => name.trim());
  const columnOf = (field: 'transactionId' | 'amount' | 'date' | 'currency', columnName: string) => {
    const exactIndex = names.indexOf(columnName.trim());
    const found = exactIndex >= 0 ? exactIndex : names.findIndex((name) => name.toLowerCase() === columnName.trim().toLowerCase());
    if (found >= 0) return found;
    const columnNames = names.slice(0, 50).map((name) => redactLongNumbers(name).slice(0, 100).toWellFormed().replaceAll('\u0000', ''));
    throw new ServiceError('VALIDATION_ERROR', 'The file has no column with this name.', {
      field: `mapping.${field}`,
      details: { columns: columnNames },
    });
  };
  const columns = {
    reference: columnOf('transactionId', mapping.transactionId),
    amount: columnOf('amount', mapping.amount),
    date: columnOf('date', mapping.date),
    currency: mapping.currency === undefined ? null : columnOf('currency', mapping.currency),
  };
  const cell = (cells: readonly string[], index: number) => (cells[index] ?? '').trim();
  return (cells) => {
    const reference = cell(cells, columns.reference);
    const fault = referenceFault(reference);
    if (fault !== null) return { reason: fault };
    const code = columns.currency === null ? currency : currencyFrom(cell(cells, columns.currency));
    if (code === null) return { reason: 'the currency is not an ISO 4217 code' };
    const minor = readAmountCell(cell(cells, columns.amount), exponentOf(code));
    if (minor === null)
      return { reason: `the amount is not a decimal number of ${code} with at most ${MAJOR_DIGITS_MAX} digits before its decimals` };
    if (minor === 0) return { reason: 'the amount is zero' };
    const day = readDateCell(cell(cells, columns.date), mapping.dateFormat ?? 'YYYY-MM-DD');
    if (day === null) return { reason: `the date is not an existing day in the format ${mapping.dateFormat ?? 'YYYY-MM-DD'}` };
    return { reference, currency: code, minor: mapping.sign === 'negative' ? -minor : minor, day };
  };
}

function referenceFault(reference: string): string | null {
  if (reference === '') return 'the transaction ID is empty';
  if (reference.length > REFERENCE_MAX) return `the transaction ID is longer than ${REFERENCE_MAX} characters`;
  if (!isStorable(reference) || /\p{Cc}/u.test(reference)) return 'the transaction ID contains control characters';
  return containsCardNumber(reference, FILE_CELL) ? 'the transaction ID looks like a card number, which is not stored' : null;
}

function currencyFrom(text: string): Currency | null {
  try {
    return parseCurrency(text.toUpperCase());
  } catch {
    return null;
  }
}
