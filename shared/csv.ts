/** Largest number of characters of a row. More is rejected, so that an unclosed quotation mark does not fill the memory. */
const ROW_MAX = 65_536;
const CELL_MAX = 8_192;
const COLUMNS_MAX = 500;
/** Largest number of lines that one row can span. */
const LINES_MAX = 50;

/** A row of a file, or the reason why it is unreadable. `line` is its first line, counted from 1. */
export type Row = { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly reason: string };

const UNCLOSED = 'a quotation mark is not closed';
const LONG_ROW = `longer than ${ROW_MAX} characters`;

/**
 * Creates a reader of CSV (RFC 4180, any line ends) that accepts text in pieces and uses bounded memory. A bad row affects only itself:
 * after an
 * unclosed quotation mark the reader continues with the next line, while a stream parser would read everything that follows as one cell.
 */
export function createCsvReader(delimiter: string) {
  /** Complete lines that may belong to a row whose end was not read yet. */
  let lines: string[] = [];
  let firstLine = 1;
  /** Beginning of a line whose end was not read yet. */
  let rest = '';
  let isTooLong = false;
  let afterReturn = false;

  function* rows(isEnd: boolean): Generator<Row> {
    let index = 0;
    while (index < lines.length) {
      const line = firstLine + index;
      const text = lines[index] as string;
      if (text === TOO_LONG) {
        yield { line, reason: LONG_ROW };
        index += 1;
      } else if (text === '') index += 1;
      else if (!text.includes('"')) {
        yield checked(line, text.split(delimiter));
        index += 1;
      } else {
        const { taken: lineCount, row } = quoted(index, line);
        if (lineCount === 0 && !isEnd) break;
        yield row;
        index += Math.max(1, lineCount);
      }
    }
    lines = lines.slice(index);
    firstLine += index;
  }

  /** Reads a row with quoted cells, which can span several lines; `taken` 0 while its end has not come. */
  function quoted(index: number, line: number): { taken: number; row: Row } {
    const unclosed = { line, reason: UNCLOSED };
    let text = '';
    for (let lineCount = 1; index + lineCount <= lines.length; lineCount += 1) {
      const next = lines[index + lineCount - 1] as string;
      if (next === TOO_LONG || lineCount > LINES_MAX || text.length + next.length > ROW_MAX) return { taken: 1, row: unclosed };
      text = lineCount === 1 ? next : `${text}\n${next}`;
      const row = cellsOf(text, line, delimiter);
      // A bad row over several lines ended at a quotation mark that starts a cell of another row.
      if (row !== null) return 'reason' in row && lineCount > 1 ? { taken: 1, row: unclosed } : { taken: lineCount, row };
    }
    return { taken: 0, row: unclosed };
  }

  function addLine(text: string): void {
    lines.push(isTooLong || rest.length + text.length > ROW_MAX ? TOO_LONG : rest + text);
    rest = '';
    isTooLong = false;
  }

  return {
    *read(chunk: string): Generator<Row> {
      let start = 0;
      if (afterReturn && chunk.startsWith('\n')) start = 1;
      if (chunk !== '') afterReturn = chunk.endsWith('\r');
      LINE_END.lastIndex = start;
      for (let end = LINE_END.exec(chunk); end; end = LINE_END.exec(chunk)) {
        addLine(chunk.slice(start, end.index));
        start = LINE_END.lastIndex;
      }
      if (!isTooLong) rest += chunk.slice(start);
      if (rest.length > ROW_MAX) {
        isTooLong = true;
        rest = '';
      }
      yield* rows(false);
    },
    *end(): Generator<Row> {
      if (rest !== '' || isTooLong) addLine('');
      yield* rows(true);
    },
  };
}

const LINE_END = /\r\n|\n|\r/g;
/** Marks a line that was too long to keep; no real line equals it. */
const TOO_LONG = '\n';

/** Returns the cells of a row; null while a quoted cell is not closed. */
function cellsOf(text: string, line: number, delimiter: string): Row | null {
  const cells: string[] = [];
  for (let position = 0; ; ) {
    let cell = '';
    if (text[position] === '"') {
      const end = closingMark(text, position + 1);
      if (end < 0) return null;
      cell = text.slice(position + 1, end).replaceAll('""', '"');
      position = end + 1;
      if (position < text.length && text[position] !== delimiter) return { line, reason: 'text follows a closing quotation mark' };
    } else {
      const end = text.indexOf(delimiter, position);
      cell = text.slice(position, end < 0 ? text.length : end);
      position = end < 0 ? text.length : end;
    }
    cells.push(cell);
    if (position >= text.length) return checked(line, cells);
    position += 1;
  }
}

function closingMark(text: string, start: number): number {
  for (let position = text.indexOf('"', start); position >= 0; position = text.indexOf('"', position + 2))
    if (text[position + 1] !== '"') return position;
  return -1;
}

function checked(line: number, cells: readonly string[]): Row {
  if (cells.length > COLUMNS_MAX) return { line, reason: `more than ${COLUMNS_MAX} columns` };
  if (cells.some((cell) => cell.length > CELL_MAX)) return { line, reason: `a cell longer than ${CELL_MAX} characters` };
  return { line, cells };
}

const DELIMITERS = [',', ';', '\t', '|'];
/** First line of files for a spreadsheet, which names the separator. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(?<separator>[,;\t|])"?\s*$/i;

/** Returns the separator of a file: the one that its first line names, or the most frequent one outside of quoted cells in the first line that has any. */
export function delimiterOf(head: string): string {
  const lines = head.split(LINE_END).filter((line) => line.trim() !== '');
  const named = SEPARATOR_LINE.exec(lines[0] ?? '')?.groups?.separator;
  if (named !== undefined) return named;
  for (const line of lines) {
    const bare = line.replaceAll(/"[^"]*"/g, '');
    const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1);
    const most = Math.max(...counts);
    if (most > 0) return DELIMITERS[counts.indexOf(most)] as string;
  }
  return ',';
}
