/** Signs of one row; more is refused, so that a quote that is never closed costs no memory. */
const ROW_MAX = 65_536;
const CELL_MAX = 8_192;
const COLUMNS_MAX = 500;
/** Lines of a file that one row may go over. */
const LINES_MAX = 50;

/** A row of a file, or what is wrong with it. `line` is that of its beginning, from 1. */
export type Row = { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly reason: string };

const UNCLOSED = 'a quotation mark is not closed';
const LONG_ROW = `longer than ${ROW_MAX} characters`;

/**
 * Creates a reader of CSV (RFC 4180, any line ends) that takes text in pieces and bounded memory. A bad row affects only itself: after an
 * unclosed quotation mark it continues with the next line, where a stream parser would take everything that follows for one cell.
 */
export function createCsvReader(delimiter: string) {
  /** Whole lines that wait for the end of the row that they may belong to. */
  let lines: string[] = [];
  let firstLine = 1;
  /** The beginning of a line whose end has not come. */
  let rest = '';
  let isTooLong = false;
  let afterReturn = false;

  function* rows(isEnd: boolean): Generator<Row> {
    let at = 0;
    while (at < lines.length) {
      const line = firstLine + at;
      const text = lines[at] as string;
      if (text === TOO_LONG) {
        yield { line, reason: LONG_ROW };
        at += 1;
      } else if (text === '') at += 1;
      else if (!text.includes('"')) {
        yield checked(line, text.split(delimiter));
        at += 1;
      } else {
        const { taken, row } = quoted(at, line);
        if (taken === 0 && !isEnd) break;
        yield row;
        at += Math.max(1, taken);
      }
    }
    lines = lines.slice(at);
    firstLine += at;
  }

  /** A row with quoted cells, over as many lines as it takes; `taken` 0 while its end has not come. */
  function quoted(at: number, line: number): { taken: number; row: Row } {
    const unclosed = { line, reason: UNCLOSED };
    let text = '';
    for (let taken = 1; at + taken <= lines.length; taken += 1) {
      const next = lines[at + taken - 1] as string;
      if (next === TOO_LONG || taken > LINES_MAX || text.length + next.length > ROW_MAX) return { taken: 1, row: unclosed };
      text = taken === 1 ? next : `${text}\n${next}`;
      const row = cellsOf(text, line, delimiter);
      // One that went over several lines and is bad ended at a mark that was the beginning of another row's cell.
      if (row !== null) return 'reason' in row && taken > 1 ? { taken: 1, row: unclosed } : { taken, row };
    }
    return { taken: 0, row: unclosed };
  }

  function take(text: string): void {
    lines.push(isTooLong || rest.length + text.length > ROW_MAX ? TOO_LONG : rest + text);
    rest = '';
    isTooLong = false;
  }

  return {
    *read(chunk: string): Generator<Row> {
      let from = 0;
      if (afterReturn && chunk.startsWith('\n')) from = 1;
      if (chunk !== '') afterReturn = chunk.endsWith('\r');
      LINE_END.lastIndex = from;
      for (let end = LINE_END.exec(chunk); end; end = LINE_END.exec(chunk)) {
        take(chunk.slice(from, end.index));
        from = LINE_END.lastIndex;
      }
      if (!isTooLong) rest += chunk.slice(from);
      if (rest.length > ROW_MAX) {
        isTooLong = true;
        rest = '';
      }
      yield* rows(false);
    },
    *end(): Generator<Row> {
      if (rest !== '' || isTooLong) take('');
      yield* rows(true);
    },
  };
}

const LINE_END = /\r\n|\n|\r/g;
/** Marks a line that was too long to keep; no real line equals it. */
const TOO_LONG = '\n';

/** The cells of a row; null while a quoted one is open. */
function cellsOf(text: string, line: number, delimiter: string): Row | null {
  const cells: string[] = [];
  for (let at = 0; ; ) {
    let cell = '';
    if (text[at] === '"') {
      const end = closingMark(text, at + 1);
      if (end < 0) return null;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      if (at < text.length && text[at] !== delimiter) return { line, reason: 'text follows a closing quotation mark' };
    } else {
      const end = text.indexOf(delimiter, at);
      cell = text.slice(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end;
    }
    cells.push(cell);
    if (at >= text.length) return checked(line, cells);
    at += 1;
  }
}

function closingMark(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

function checked(line: number, cells: readonly string[]): Row {
  if (cells.length > COLUMNS_MAX) return { line, reason: `more than ${COLUMNS_MAX} columns` };
  if (cells.some((cell) => cell.length > CELL_MAX)) return { line, reason: `a cell longer than ${CELL_MAX} characters` };
  return { line, cells };
}

const DELIMITERS = [',', ';', '\t'];

/** Returns the separator of a file: the most frequent one outside of quoted cells in its first line. */
export function delimiterOf(head: string): string {
  const [first = ''] = head.split(LINE_END).filter((line) => line.trim() !== '');
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}
