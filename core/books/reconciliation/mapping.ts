import { type Currency, exponentOf, isStorable, parseCurrency, ServiceError } from '#core/kernel';
import { mappedColumns, missingColumn, shownColumns } from '#core/platform/imports';
import { containsCardNumber, FILE_CELL } from '#shared/card-numbers';
import { MAJOR_DIGITS_MAX } from '#shared/currencies';
import { type DateFormat, isRoundedNumber, plainCell, readDateCell } from '#shared/file-cells';
import { createDebitSignCheck, raggedReason, readAmountCells } from '#shared/file-columns';

/** Names of the columns of a file, and their formats. Either `amount`, or `credit` and `debit`, is given. */
export interface Mapping {
  readonly transactionId: string;
  readonly amount?: string | undefined;
  /** Columns of payments and refunds, if they have one each. */
  readonly credit?: string | undefined;
  readonly debit?: string | undefined;
  /** Column that says whether an amount is a refund, and the values that say so. */
  readonly direction?: string | undefined;
  readonly debitValues?: readonly string[] | undefined;
  readonly date: string;
  /** Column of the currency; default is the merchant's currency. */
  readonly currency?: string | undefined;
  readonly dateFormat?: DateFormat | undefined;
  /** `negative` if payments are negative and refunds positive in the file. */
  readonly sign?: 'positive' | 'negative' | undefined;
  /** `minor` if amounts are whole numbers of minor units, such as cents. */
  readonly unit?: 'major' | 'minor' | undefined;
}

/** A parsed line of a file. Refunds are negative. */
export interface FileLine {
  readonly reference: string;
  readonly currency: string;
  readonly minor: number;
  readonly day: string;
  /** True if the reference looks like a card number. The line is stored only if a payment has this reference. */
  readonly isCardLike?: boolean;
}

export const CARD_LIKE = 'the transaction ID looks like a card number, which is not stored';
const REFERENCE_MAX = 100;

export type Reader = (cells: readonly string[]) => FileLine | { readonly reason: string };

const FIELDS = ['transactionId', 'amount', 'credit', 'debit', 'direction', 'date', 'currency'] as const;

/** Returns true for a row that has all columns of a mapping. It may follow rows of other kinds. */
export const isHeader = (mapping: Mapping, cells: readonly string[]): boolean => mappedColumns(mapping, FIELDS, cells) !== null;

/** Creates a reader of rows for a mapping. Rows after `lastDay` are unreadable: their dates have another format. @throws ServiceError VALIDATION_ERROR if the file's header lacks a column of the mapping. */
export function readerOf(mapping: Mapping, header: readonly string[], currency: Currency, lastDay: string): Reader {
  const columns = mappedColumns(mapping, FIELDS, header);
  if (columns === null) throw missingColumn(mapping, FIELDS, header);
  const indexes = FIELDS.map((field) => columns.get(field) ?? null);
  if (mapping.amount === undefined && mapping.credit === undefined && mapping.debit === undefined)
    throw new ServiceError('VALIDATION_ERROR', 'The mapping names no column of amounts.', {
      field: 'mapping.amount',
      details: { columns: shownColumns(header) },
    });
  const hasOtherSign = createDebitSignCheck();
  const used = indexes.filter((index) => index !== null);
  return (cells) => {
    const ragged = raggedReason(cells, header, used);
    const [reference = '', amount, credit, debit, direction, date = '', code = ''] = indexes.map((index) =>
      index === null ? undefined : plainCell(cells[index] ?? ''),
    );
    const fault = referenceFault(reference) ?? ragged;
    if (fault !== null) return { reason: fault };
    const lineCurrency = mapping.currency === undefined ? currency : currencyFrom(code);
    if (lineCurrency === null) return { reason: 'the currency is not an ISO 4217 code' };
    const rules = { debitValues: mapping.debitValues, currency: lineCurrency, isMinorUnits: mapping.unit === 'minor' };
    const minor = readAmountCells({ amount, credit, debit, direction }, exponentOf(lineCurrency), rules);
    const isAmount = typeof minor === 'number';
    if (
      (!isAmount && (direction === undefined || minor.fault.endsWith('is not an amount'))) ||
      [amount, credit, debit].every((each) => !each)
    )
      return {
        reason:
          mapping.unit === 'minor'
            ? `the amount is not a whole number of minor units of ${lineCurrency}`
            : `the amount is not a decimal number of ${lineCurrency} with at most ${MAJOR_DIGITS_MAX} digits before its decimals`,
      };
    if (!isAmount) return { reason: minor.fault };
    if (mapping.amount === undefined && hasOtherSign(debit, exponentOf(lineCurrency), lineCurrency))
      return { reason: 'the column of refunds has both signs, so a negative refund can be a reversal' };
    if (minor === 0) return { reason: 'the amount is zero' };
    const day = readDateCell(date, mapping.dateFormat ?? 'YYYY-MM-DD');
    if (day === null) return { reason: `the date is not an existing day in the format ${mapping.dateFormat ?? 'YYYY-MM-DD'}` };
    if (day > lastDay) return { reason: `the day ${day} is in the future: check the format of the dates` };
    const isCardLike = containsCardNumber(reference, FILE_CELL) && { isCardLike: true };
    return { reference, currency: lineCurrency, minor: mapping.sign === 'negative' ? -minor : minor, day, ...isCardLike };
  };
}

function referenceFault(reference: string): string | null {
  if (reference === '') return 'the transaction ID is empty';
  if (isRoundedNumber(reference)) return `a spreadsheet has rounded the transaction ID ${reference}`;
  if (reference.length > REFERENCE_MAX) return `the transaction ID is longer than ${REFERENCE_MAX} characters`;
  if (!isStorable(reference) || /\p{Cc}/u.test(reference)) return 'the transaction ID contains control characters';
  return null;
}

function currencyFrom(text: string): Currency | null {
  try {
    return parseCurrency(text.toUpperCase());
  } catch {
    return null;
  }
}
