import { createCsvReader, delimiterOf } from '#core/platform/csv';
import { isRoundedNumber, plainCell, readDateCell } from '#shared/file-cells';
import {
  columnIndex,
  createDebitSignCheck,
  HEADER_ROWS_MAX,
  headerRowOf,
  raggedReason,
  readAmountCells,
  readBookedAmount,
} from '#shared/file-columns';
import { isSameAccount } from '../account-numbers.ts';
import type { CsvMapping } from '../records.ts';
import { plainText, SEVERAL_ACCOUNTS, StatementFault, type StatementPart, type StatementReader } from './statement.ts';

interface Columns {
  readonly header: readonly string[];
  readonly indexes: ReadonlyMap<string, number>;
}

/** Returns the columns that a mapping names. */
const namesOf = ({ date, amount, credit, debit, direction, currency, account, text, reference, balance }: CsvMapping): string[] =>
  [date, amount, credit, debit, direction, currency, account, ...text, reference, balance].filter((name) => name !== undefined);

/** Returns the columns of a mapping in a row that is the header, or the first line of a file without one; null if it is another row. */
export function findColumns(mapping: CsvMapping, cells: readonly string[]): Columns | null {
  const indexes = new Map<string, number>();
  for (const name of namesOf(mapping)) {
    const index = mapping.header === 'none' ? (/^[1-9]\d{0,2}$/.test(name.trim()) ? Number(name) - 1 : -1) : columnIndex(cells, name);
    if (index < 0 || index >= cells.length) return null;
    indexes.set(name, index);
  }
  return { header: cells, indexes };
}

/** Characters at the beginning of a file from which its separator is recognized. */
const HEAD_CHARS = 4_096;

/** A row with the balance after it. */
interface BalancedRow {
  readonly line: number;
  readonly day: string;
  readonly minor: number;
  readonly balance: number;
}

interface CsvOptions {
  readonly exponent: number;
  readonly currency: string;
  /** Number of the account; null if it is not known yet, so that the first row names it. */
  readonly number: string | null;
}

/**
 * Creates a reader of a bank's CSV file. The header may follow lines with a summary. A row that cannot be read refuses the whole file: a statement has no
 * optional lines.
 */
export function createCsvStatementReader(mapping: CsvMapping, { exponent, currency, number }: CsvOptions): StatementReader {
  let head = '';
  let csv: ReturnType<typeof createCsvReader> | null = null;
  let columns: Columns | null = null;
  /** Rows before the header. */
  const passed: { line: number; cells: readonly string[] }[] = [];
  /** The first line before the header that is no row. */
  let unreadable: StatementFault | null = null;
  const hasOtherSign = createDebitSignCheck();
  let ownNumber = number;
  /** The last number that was compared. */
  let compared: { readonly number: string; readonly isOwn: boolean } | null = null;
  let first: BalancedRow | null = null;
  let before: BalancedRow | null = null;
  /** Orders that fit the balances of all rows. Many banks write the newest row first. */
  const orders = new Set<'ascending' | 'descending'>(['ascending', 'descending']);

  if (mapping.amount === undefined && mapping.credit === undefined && mapping.debit === undefined)
    throw new StatementFault(1, 'the mapping names no column of amounts');

  /** Returns the fault of a file without the header. */
  function noHeader(): StatementFault {
    const likely = passed[headerRowOf(passed.map(({ cells }) => cells))];
    if (!likely) return unreadable ?? new StatementFault(1, 'the file has no header row');
    const missing = mapping.header === 'none' ? undefined : namesOf(mapping).find((name) => columnIndex(likely.cells, name) < 0);
    const reason =
      missing === undefined ? 'the row has fewer columns than the mapping' : `the file has no column \`${missing.slice(0, 60)}\``;
    return new StatementFault(likely.line, reason);
  }

  /** Returns true for a row of the account. @throws StatementFault if several accounts are in the file and that of the statement is not known. */
  function isOwnRow(written: string, line: number): boolean {
    if (written === '') throw new StatementFault(line, 'the row names no account');
    ownNumber ??= written;
    if (compared?.number !== written) compared = { number: written, isOwn: isSameAccount(written, ownNumber) };
    if (number === null && !compared.isOwn) throw new StatementFault(line, SEVERAL_ACCOUNTS);
    return compared.isOwn;
  }

  function amountOf(cellOf: (name: string | undefined) => string | undefined, line: number): number {
    const { amount, credit, debit, direction, debitValues } = mapping;
    const cells = { amount: cellOf(amount), credit: cellOf(credit), debit: cellOf(debit), direction: cellOf(direction) };
    const minor = readAmountCells(cells, exponent, { debitValues, currency });
    if (typeof minor !== 'number') throw new StatementFault(line, minor.fault);
    if (amount === undefined && mapping.balance === undefined && hasOtherSign(cells.debit, exponent, currency))
      throw new StatementFault(
        line,
        'the column of debits has both signs, so a negative debit can be a reversal. Map the column of balances, or one column of amounts',
      );
    return mapping.sign === 'negative' && minor !== 0 ? -minor : minor;
  }

  /** Checks the balance of a row against the row before it. */
  function checkBalance(row: BalancedRow): void {
    if (before && before.balance + row.minor !== row.balance) orders.delete('ascending');
    if (before && row.balance + before.minor !== before.balance) orders.delete('descending');
    if (orders.size === 0)
      throw new StatementFault(row.line, 'the balance does not follow from the balance and the amount of the line before');
    first ??= row;
    before = row;
  }

  /** Returns the order of the rows; null if both orders fit, because the amounts of few rows of one day cancel each other. */
  function orderOf(oldest: BalancedRow, newest: BalancedRow): 'ascending' | 'descending' | null {
    if (orders.size === 1) return [...orders][0] ?? null;
    if (oldest === newest || oldest.day < newest.day) return 'ascending';
    return oldest.day > newest.day ? 'descending' : null;
  }

  function* row(cells: readonly string[], line: number): Generator<StatementPart> {
    if (cells.every((each) => each.trim() === '')) return;
    if (columns === null) {
      columns = findColumns(mapping, cells);
      if (columns === null) {
        passed.push({ line, cells });
        if (passed.length >= HEADER_ROWS_MAX || mapping.header === 'none') throw noHeader();
        return;
      }
      if (mapping.account === undefined) yield { kind: 'account', line, number: null, currency: null };
      else if (number !== null) yield { kind: 'account', line, number, currency: null };
      if (mapping.header !== 'none') return;
    }
    const { header, indexes } = columns;
    const ragged = raggedReason(cells, header, [...indexes.values()]);
    if (ragged !== null) throw new StatementFault(line, ragged);
    const cellOf = (name: string | undefined) => (name === undefined ? undefined : plainCell(cells[indexes.get(name) ?? -1] ?? ''));
    const owner = cellOf(mapping.account);
    if (owner !== undefined) {
      const isFirst = ownNumber === null;
      if (!isOwnRow(owner, line)) return yield { kind: 'foreign', line, number: owner, currency: null };
      if (isFirst) yield { kind: 'account', line, number: owner, currency: null };
    }
    const code = cellOf(mapping.currency)?.toUpperCase();
    if (code && code !== currency) return yield { kind: 'foreign', line, number: null, currency: code };
    const format = mapping.dateFormat ?? 'YYYY-MM-DD';
    const day = readDateCell(cellOf(mapping.date) ?? '', format);
    if (day === null) throw new StatementFault(line, `the date is not an existing day in the format ${format}`);
    const minor = amountOf(cellOf, line);
    const written = cellOf(mapping.balance);
    if (written !== undefined) {
      const balance = readBookedAmount(written, exponent, currency);
      if (balance === null) throw new StatementFault(line, 'the balance is not an amount');
      checkBalance({ line, day, minor, balance });
    }
    if (minor === 0) return;
    const reference = cellOf(mapping.reference) ?? '';
    if (isRoundedNumber(reference)) throw new StatementFault(line, `a spreadsheet has rounded the reference ${reference}`);
    yield { kind: 'entry', line, day, minor, text: plainText(...mapping.text.map(cellOf)), reference: reference.slice(0, 100) || null };
  }

  function* rows(text: string | null): Generator<StatementPart> {
    if (csv === null) {
      head += text ?? '';
      if (text !== null && head.length < HEAD_CHARS) return;
      csv = createCsvReader(delimiterOf(head));
      text = head;
      head = '';
    }
    for (const each of text === null ? csv.end() : csv.read(text)) {
      // A line before the header may be no row.
      if (!('reason' in each)) yield* row(each.cells, each.line);
      else if (columns === null && mapping.header !== 'none') unreadable ??= new StatementFault(each.line, each.reason);
      else throw new StatementFault(each.line, each.reason);
    }
  }

  return {
    read: rows,
    *end() {
      const isShort = csv === null;
      yield* rows(null);
      if (isShort) yield* rows(null);
      if (columns === null) throw noHeader();
      const [start, end] = [first as BalancedRow | null, before as BalancedRow | null];
      const order = start && end ? orderOf(start, end) : null;
      if (!start || !end || order === null) return;
      // The two ends of the file are the two balances, in one order or the other.
      const [oldest, newest] = order === 'descending' ? [end, start] : [start, end];
      yield { kind: 'opening', line: start.line, minor: oldest.balance - oldest.minor, isNewestFirst: order === 'descending' };
      yield { kind: 'closing', line: start.line, minor: newest.balance };
    },
  };
}
