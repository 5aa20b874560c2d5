import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { assert, formatDecimal, type Money } from '#core/kernel';
import { disarmFormulas } from '#core/platform/csv';

const NEEDS_QUOTES = /[",\r\n]/;
/** Byte order mark, by which spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';
/** Rows of a list that are written together. */
const PAGE_ROWS = 200;

/**
 * Name of a column and its value in a row. A `plain` value consists of letters, digits and the punctuation of dates and identifiers, so it
 * needs no quotes.
 */
export type Column<Row> = readonly [name: string, read: (row: Row) => string | number | Money | null, kind?: 'plain'];

/** A telephone number, which begins like a formula and is a number for spreadsheets. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** Returns a text as a CSV cell. Formulas are disarmed; amounts and telephone numbers are numbers and need no such protection. */
function csvText(cell: string): string {
  if (E164.test(cell)) return cell;
  const harmless = disarmFormulas(cell);
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function linesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  let lines = '';
  for (const row of rows) {
    let between = '';
    for (const [, read, kind] of columns) {
      const value = read(row);
      lines += between;
      between = ',';
      if (value === null) continue;
      if (typeof value === 'string') lines += kind === 'plain' ? value : csvText(value);
      else lines += typeof value === 'number' ? value : formatDecimal(value);
    }
    lines += LINE_END;
  }
  return lines;
}

/**
 * Streams pages of rows as a CSV file: RFC 4180, UTF-8, header row, any number of rows in bounded memory. It begins with a byte order mark, unless the
 * request has `bom=false` or the file is `plain`, for a program.
 */
export async function sendPages<Row>(
  reply: FastifyReply,
  filename: string,
  columns: readonly Column<Row>[],
  pages: AsyncGenerator<readonly Row[]>,
  kind?: 'plain',
): Promise<void> {
  // The first page is read before the headers are sent, so that an invalid filter still gets an error response.
  const first = await pages.next();
  const { recordExport } = reply.request;
  const { bom } = reply.request.query as { readonly bom?: string };
  const isMarked = bom ? bom === 'true' : kind !== 'plain';
  assert(recordExport !== null, 'a route that sends a CSV file declares `exports`');
  async function* content() {
    let rowCount = 0;
    let isComplete = false;
    try {
      if (isMarked) yield BYTE_ORDER_MARK;
      yield columns.map(([name]) => csvText(name)).join(',') + LINE_END;
      if (!first.done) {
        rowCount += first.value.length;
        yield linesOf(columns, first.value);
      }
      for await (const rows of pages) {
        rowCount += rows.length;
        yield linesOf(columns, rows);
      }
      isComplete = true;
    } finally {
      // The file ends only when its entry is in the audit log. If the caller hangs up, the entry has the rows that were read so far.
      await recordExport?.(rowCount, isComplete);
    }
  }
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${filename}"`);
  // A failing read ends the response early, and a client that disconnects ends the read.
  await reply.send(Readable.from(content(), { objectMode: false }));
}

/** Streams single rows as a CSV file. */
export function sendCsv<Row>(
  reply: FastifyReply,
  filename: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  kind?: 'plain',
): Promise<void> {
  async function* pages() {
    let page: Row[] = [];
    for await (const row of rows) {
      page.push(row);
      if (page.length < PAGE_ROWS) continue;
      yield page;
      page = [];
    }
    yield page;
  }
  return sendPages(reply, filename, columns, pages(), kind);
}
