import { headerRowOf } from '#shared/file-columns';

/** Columns and first rows of a file. */
export interface FileHead {
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
const DELIMITERS = [',', ';', '\t'];

/** Reads the beginning of a CSV file; null without a header row. The service reads and validates the whole file. */
export async function readHead(file: File): Promise<FileHead | null> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return headOf(decode(bytes), file.size > HEAD_BYTES);
}

/** Returns the first rows of a text. If it was cut off, the last row is incomplete and dropped. */
function headOf(text: string, isCut: boolean): FileHead | null {
  const rows = rowsOf(text, delimiterOf(text));
  if (isCut) rows.pop();
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const at = headerRowOf(filled.map(({ cells }) => cells));
  const [header, ...rest] = filled.slice(Math.max(0, at));
  if (!header) return null;
  const names = header.cells.slice(0, COLUMNS_MAX).map((name) => name.trim());
  const columns = names.filter((name, at) => name !== '' && names.indexOf(name) === at);
  if (columns.length === 0) return null;
  return {
    columns,
    rows: rest.slice(0, ROWS_MAX).map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(columns.map((name) => [name, (cells[names.indexOf(name)] ?? '').trim()])),
    })),
  };
}

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

/** Returns the delimiter that occurs most often in the first line, outside of quoted cells. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

function rowsOf(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let firstLine = 1;
  const endRow = () => {
    rows.push({ line: firstLine, cells: [...cells, cell] });
    cells = [];
    cell = '';
    firstLine = line;
  };
  for (let at = 0; at < text.length && rows.length <= ROWS_MAX * 2; at += 1) {
    const character = text[at];
    const isEnd = character === '\n' || (character === '\r' && text[at + 1] !== '\n');
    if (isEnd) line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (isEnd) endRow();
    else if (character !== '\r') cell += character;
  }
  if (cell !== '' || cells.length > 0) endRow();
  return rows;
}
