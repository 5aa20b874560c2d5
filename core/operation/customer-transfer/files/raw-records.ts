import iconv from 'iconv-lite';
import { encodingOf } from '#core/books/reconciliation';
import { createCsvReader, delimiterOf } from '#core/platform/csv';
import { createJsonReader } from './json-records.ts';
import { FileFault, plainName, type RawRecord } from './raw-record.ts';

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

/** Reads the records of a CSV or JSON file, in bounded memory. @throws FileFault if the file as a whole is unreadable. */
export async function* rawRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawRecord> {
  let head = '';
  let reader: Reader | null = null;
  for await (const text of decoded(bytes)) {
    if (reader !== null) {
      yield* reader.read(text);
      continue;
    }
    head += text;
    if (head.length < HEAD_CHARS && !/\S[^\n]*\n/.test(head)) continue;
    reader = readerFor(head);
    yield* reader.read(head);
  }
  if (reader === null) {
    if (head.trim() === '') throw new FileFault(1, 'the file is empty');
    reader = readerFor(head);
    yield* reader.read(head);
  }
  yield* reader.end();
}

interface Reader {
  read(text: string): Iterable<RawRecord>;
  /** Returns the records that were incomplete until the end of the file. */
  end(): Iterable<RawRecord>;
}

/** Returns the reader for a file by its beginning. */
const readerFor = (head: string): Reader => (/^\s*[[{]/.test(head) ? jsonReader() : csvReader(delimiterOf(head)));

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

function csvReader(delimiter: string): Reader {
  const csv = createCsvReader(delimiter);
  let header: readonly string[] | null = null;
  function* records(rows: ReturnType<typeof csv.read>): Generator<RawRecord> {
    for (const row of rows) {
      if ('reason' in row) {
        if (header === null) throw new FileFault(row.line, row.reason);
        yield { line: row.line, fault: row.reason };
      } else if (row.cells.every((cell) => cell.trim() === '')) continue;
      else if (header === null) header = row.cells.map(plainName);
      else if (row.cells.length > header.length) yield { line: row.line, fault: 'the row has more cells than columns' };
      else {
        const cells = new Map<string, string>();
        row.cells.forEach((cell, index) => {
          const name = header?.[index] ?? '';
          if (!cells.has(name) || cells.get(name) === '') cells.set(name, cell.trim());
        });
        yield { line: row.line, cells };
      }
    }
  }
  return { read: (text: string) => records(csv.read(text)), end: () => records(csv.end()) };
}
