import iconv from 'iconv-lite';
import { encodingOf } from '#core/books/reconciliation';
import { createCsvReader, delimiterOf, restoreFormulas } from '#core/platform/csv';
import { foreignReason } from '#core/platform/imports';
import { redactLongNumbers } from '#shared/card-numbers';
import { plainCell } from '#shared/file-cells';
import { HEADER_ROWS_MAX, headerRowOf } from '#shared/file-columns';
import { createJsonReader } from './json-records.ts';
import { FileFault, plainName, type RawRecord, unknownLayout } from './raw-record.ts';

const HEAD_BYTES = 65_536;
const HEAD_CHARS = 65_536;

/** Returns a file as text in pieces. Its encoding is recognized by the first bytes: UTF-8, UTF-16 or Windows-1252, with or without a byte order mark. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head: Buffer | null = Buffer.alloc(0);
  let decoder: ReturnType<typeof iconv.getDecoder> | null = null;
  const begin = (first: Buffer) => {
    decoder = iconv.getDecoder(encodingOf(first, isUtf8(first)), { stripBOM: true });
    return decoder.write(first);
  };
  for await (const chunk of bytes) {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (head === null) {
      const text = (decoder as ReturnType<typeof iconv.getDecoder> | null)?.write(piece) ?? '';
      if (text !== '') yield text;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < HEAD_BYTES) continue;
    yield begin(head);
    head = null;
  }
  if (head !== null && head.length > 0) yield begin(head);
  const last = (decoder as ReturnType<typeof iconv.getDecoder> | null)?.end();
  if (last) yield last;
}

/** Returns true if the bytes are UTF-8, except for a character that the end cuts off. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the records of a CSV or JSON file, in bounded memory. The header of CSV is the first row that `isHeader` accepts, among those at the beginning.
 * @throws FileFault if the file as a whole is unreadable.
 */
export async function* rawRecords(bytes: AsyncIterable<Uint8Array>, isHeader: IsHeader): AsyncGenerator<RawRecord> {
  let head = '';
  let reader: Reader | null = null;
  for await (const text of decoded(bytes)) {
    if (reader !== null) {
      yield* reader.read(text);
      continue;
    }
    head += text;
    if (head.length < HEAD_CHARS && !/\S[^\n]*\n/.test(head)) continue;
    reader = readerFor(head, isHeader);
    yield* reader.read(head);
  }
  if (reader === null) {
    if (head.trim() === '') throw new FileFault(1, 'the file is empty');
    reader = readerFor(head, isHeader);
    yield* reader.read(head);
  }
  yield* reader.end();
}

interface Reader {
  read(text: string): Iterable<RawRecord>;
  /** Returns the records that were incomplete until the end of the file. */
  end(): Iterable<RawRecord>;
}

type IsHeader = (names: ReadonlySet<string>) => boolean;

/** Returns the reader for a file by its beginning. @throws FileFault for a file in another format. */
function readerFor(head: string, isHeader: IsHeader): Reader {
  const foreign = foreignReason(head, { names: 'CSV or JSON', hasJson: true, hasControls: true });
  if (foreign !== null) throw new FileFault(1, `${foreign.charAt(0).toLowerCase()}${foreign.slice(1, -1)}`);
  return /^\s*[[{]/.test(head) ? jsonReader() : csvReader(delimiterOf(head), isHeader);
}

function jsonReader(): Reader {
  const reader = createJsonReader();
  return {
    read: (text) => reader.read(text),
    end: () => {
      reader.end();
      return [];
    },
  };
}

/** Returns the names of columns as a report shows them. */
const shownNames = (cells: readonly string[]) =>
  cells.map((name) =>
    redactLongNumbers(name.replace(/^\uFEFF/, '').trim())
      .slice(0, 100)
      .toWellFormed()
      .replaceAll('\0', ''),
  );

function csvReader(delimiter: string, isHeader: IsHeader): Reader {
  const csv = createCsvReader(delimiter);
  let header: readonly string[] | null = null;
  let written: readonly string[] = [];
  /** Rows before the header, such as the line `sep=;` or the name of a report. */
  const passed: { readonly line: number; readonly cells: readonly string[] }[] = [];
  function fail(): never {
    const likely = passed[headerRowOf(passed.map(({ cells }) => cells))];
    if (likely === undefined) throw new FileFault(1, 'the file has no customers in a known layout');
    throw unknownLayout(likely.line, shownNames(likely.cells.slice(0, 50)));
  }
  function take(line: number, cells: readonly string[]): RawRecord | null {
    if (cells.every((cell) => cell.trim() === '')) return null;
    if (header === null) {
      const names = cells.map(plainName);
      if (isHeader(new Set(names))) {
        header = names;
        written = shownNames(cells);
      } else if (passed.push({ line, cells }) >= HEADER_ROWS_MAX) fail();
      return null;
    }
    if (cells.slice(header.length).some((cell) => cell.trim() !== '')) return { line, fault: 'the row has more cells than columns' };
    const found = new Map<string, string>();
    for (const [index, name] of header.entries()) {
      if (!found.get(name)) found.set(name, plainCell(restoreFormulas(cells[index] ?? '')));
    }
    return { line, cells: found, header: written };
  }
  function* records(rows: ReturnType<typeof csv.read>): Generator<RawRecord> {
    for (const row of rows) {
      if ('cells' in row) {
        const record = take(row.line, row.cells);
        if (record !== null) yield record;
      } else if (header !== null) yield { line: row.line, fault: row.reason };
    }
  }
  return {
    read: (text: string) => records(csv.read(text)),
    *end() {
      yield* records(csv.end());
      if (header === null) fail();
    },
  };
}
