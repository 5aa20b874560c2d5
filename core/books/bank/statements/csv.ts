import { createCsvReader, delimiterOf } from '#core/platform/csv';
import { type DateFormat, readAmountCell, readDateCell } from '#shared/file-cells';
import { plainText, StatementFault, type StatementPart, type StatementReader } from './statement.ts';

/** Names of the columns of a bank's CSV file. Either `amount`, or `credit` and `debit`, is given. */
export interface CsvMapping {
  readonly date: string;
  readonly amount?: string | undefined;
  readonly credit?: string | undefined;
  readonly debit?: string | undefined;
  readonly text: readonly string[];
  readonly reference?: string | undefined;
  /** Balance after each line. With it, every line is checked. */
  readonly balance?: string | undefined;
  readonly dateFormat?: DateFormat | undefined;
  /** `negative` if credits are negative in the file. */
  readonly sign?: 'positive' | 'negative' | undefined;
}

interface Columns {
  readonly date: number;
  readonly amount: number | null;
  readonly credit: number | null;
  readonly debit: number | null;
  readonly text: readonly number[];
  readonly reference: number | null;
  readonly balance: number | null;
}

/** A row with the balance after it. */
interface BalancedRow {
  readonly line: number;
  readonly day: string;
  readonly minor: number;
  readonly balance: number;
}

/** Creates a reader of a bank's CSV file with a header row. A row that cannot be read refuses the whole file: a statement has no optional lines. */
export function createCsvStatementReader(mapping: CsvMapping, { exponent }: { readonly exponent: number }): StatementReader {
  let head = '';
  let csv: ReturnType<typeof createCsvReader> | null = null;
  let columns: Columns | null = null;
  let first: BalancedRow | null = null;
  let before: BalancedRow | null = null;
  /** Orders that fit the balances of all rows. Many banks write the newest row first. */
  const orders = new Set<'ascending' | 'descending'>(['ascending', 'descending']);

  const cell = (cells: readonly string[], index: number | null) => (index === null ? '' : (cells[index] ?? '').trim());

  function columnsOf(header: readonly string[], line: number): Columns {
    const names = header.map((name) =>
      name
        .replace(/^\uFEFF/, '')
        .trim()
        .toLowerCase(),
    );
    const find = (name: string) => {
      const index = names.indexOf(name.trim().toLowerCase());
      if (index < 0) throw new StatementFault(line, `the file has no column \`${name.slice(0, 60)}\``);
      return index;
    };
    const optional = (name: string | undefined) => (name === undefined ? null : find(name));
    if (mapping.amount === undefined && mapping.credit === undefined && mapping.debit === undefined)
      throw new StatementFault(line, 'the mapping names no column of amounts');
    return {
      date: find(mapping.date),
      amount: optional(mapping.amount),
      credit: optional(mapping.credit),
      debit: optional(mapping.debit),
      text: mapping.text.map(find),
      reference: optional(mapping.reference),
      balance: optional(mapping.balance),
    };
  }

  function amountOf(cells: readonly string[], of: Columns, line: number): number {
    const read = (index: number | null) => {
      const text = cell(cells, index);
      if (text === '') return 0;
      const minor = readAmountCell(text, exponent);
      if (minor === null) throw new StatementFault(line, `\`${text.slice(0, 30)}\` is not an amount`);
      return minor;
    };
    const minor = of.amount === null ? Math.abs(read(of.credit)) - Math.abs(read(of.debit)) : read(of.amount);
    return mapping.sign === 'negative' ? -minor : minor;
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

  /** Returns the order of the rows; null if it is unknown, because the amounts of few rows of one day cancel each other. */
  function orderOf(oldest: BalancedRow, newest: BalancedRow): 'ascending' | 'descending' | null {
    if (orders.size === 1) return [...orders][0] ?? null;
    if (oldest === newest || oldest.day < newest.day) return 'ascending';
    return oldest.day > newest.day ? 'descending' : null;
  }

  function* row(cells: readonly string[], line: number): Generator<StatementPart> {
    if (cells.every((each) => each.trim() === '')) return;
    if (columns === null) {
      columns = columnsOf(cells, line);
      yield { kind: 'account', line, number: null, currency: null };
      return;
    }
    const format = mapping.dateFormat ?? 'YYYY-MM-DD';
    const day = readDateCell(cell(cells, columns.date), format);
    if (day === null) throw new StatementFault(line, `the date is not an existing day in the format ${format}`);
    const minor = amountOf(cells, columns, line);
    if (columns.balance !== null) {
      const balance = readAmountCell(cell(cells, columns.balance), exponent);
      if (balance === null) throw new StatementFault(line, 'the balance is not an amount');
      checkBalance({ line, day, minor, balance });
    }
    if (minor === 0) return;
    const reference = cell(cells, columns.reference);
    const text = plainText(...columns.text.map((index) => cell(cells, index)));
    yield { kind: 'entry', line, day, minor, text, reference: reference.slice(0, 100) || null };
  }

  function* rows(text: string | null): Generator<StatementPart> {
    if (csv === null) {
      head += text ?? '';
      if (text !== null && !/[\n\r]/.test(head.trimStart()) && head.length < 65_536) return;
      csv = createCsvReader(delimiterOf(head));
      text = head;
      head = '';
    }
    for (const each of text === null ? csv.end() : csv.read(text)) {
      if ('reason' in each) throw new StatementFault(each.line, each.reason);
      yield* row(each.cells, each.line);
    }
  }

  return {
    read: rows,
    *end() {
      if (csv === null) yield* rows('\n');
      yield* rows(null);
      if (columns === null) throw new StatementFault(1, 'the file has no header row');
      const [start, end] = [first as BalancedRow | null, before as BalancedRow | null];
      const order = start && end ? orderOf(start, end) : null;
      if (!start || !end || order === null) return;
      // The two ends of the file are the two balances, in one order or the other.
      const [oldest, newest] = order === 'descending' ? [end, start] : [start, end];
      yield { kind: 'opening', line: start.line, minor: oldest.balance - oldest.minor };
      yield { kind: 'closing', line: start.line, minor: newest.balance };
    },
  };
}
