import { createCsvReader, delimiterOf } from '#shared/csv';
import { DATE_FORMATS, plainCell, readAmountCell, readDateCell } from '#shared/file-cells';
import { headerRowOf } from '#shared/file-columns';

/** Columns and first rows of a file. */
export interface FileHead {
  /** Text of the beginning of the file. */
  readonly text: string;
  /** False if the first row is data. Columns are then numbers from 1. */
  readonly hasHeader: boolean;
  /** Unique names of the columns; blank names are left out. */
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
}

/** Cells of a row by column name. `line` counts from 1. */
export interface FileRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

const HEAD_BYTES = 65_536;
const ROWS_MAX = 200;
const COLUMNS_MAX = 500;

/** Reads the beginning of a text file. */
export async function readFileText(file: File): Promise<string> {
  const text = decode(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  // The last line may be cut off.
  return file.size > HEAD_BYTES ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text;
}

/**
 * Returns the first rows of a CSV file; null without a header row. Rows of other kinds may be before the header. The service reads and validates the whole
 * file. @param hasHeader by default, a file has none if its first row has a date and an amount.
 */
export function headOf(text: string, hasHeader?: boolean): FileHead | null {
  const csv = createCsvReader(delimiterOf(text));
  const filled = [...csv.read(text), ...csv.end()].flatMap((row) =>
    'cells' in row && row.cells.some((cell) => cell.trim() !== '') ? [{ line: row.line, cells: row.cells.map(plainCell) }] : [],
  );
  const at = Math.max(0, headerRowOf(filled.map(({ cells }) => cells)));
  const header = filled[at]?.cells.slice(0, COLUMNS_MAX);
  if (!header) return null;
  const isNamed = hasHeader ?? !isData(header);
  const names = header.map((name, index) => (isNamed ? name.replace(/^\uFEFF/, '') : String(index + 1)));
  const columns = names.filter((name, index) => name !== '' && names.indexOf(name) === index);
  if (columns.length === 0) return null;
  return {
    text,
    hasHeader: isNamed,
    columns,
    rows: filled.slice(isNamed ? at + 1 : 0, at + 1 + ROWS_MAX).map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(columns.map((name) => [name, cells[names.indexOf(name)] ?? ''])),
    })),
  };
}

const isDate = (cell: string) => DATE_FORMATS.some((format) => readDateCell(cell, format) !== null);
const isData = (cells: readonly string[]) => cells.some(isDate) && cells.some((cell) => !isDate(cell) && readAmountCell(cell, 2) !== null);

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // With `stream`, a character that is cut at the end is not an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
