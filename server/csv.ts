import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { formatDecimal, type Money } from '#core/kernel';

/** A cell that a spreadsheet would carry out begins with one of these. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A column's name and how it is read from a row. */
export type Column<Row> = readonly [name: string, read: (row: Row) => string | number | Money | null];

/** Amounts are numbers and keep their form; only text can be a formula (decisions 9). */
const harmless = (text: string) => (FORMULA_START.test(text) ? `'${text}` : text);
const decimal = (value: object) => formatDecimal(value as Money);

/** Streams rows as a CSV file: RFC 4180, UTF-8, header row, any number of rows in bounded memory. */
export async function sendCsv<Row>(
  reply: FastifyReply,
  filename: string,
  columns: readonly Column<Row>[],
  from: AsyncIterable<Row> | Iterable<Row>,
): Promise<void> {
  const source = Symbol.asyncIterator in from ? from[Symbol.asyncIterator]() : from[Symbol.iterator]();
  // The first row is asked for before the head is sent, so that a bad filter still gets its error.
  const first = await source.next();
  async function* rows() {
    for (let next = first; !next.done; next = await source.next()) {
      const { value } = next;
      yield columns.map(([, read]) => read(value));
    }
  }
  const csv = stringify({
    header: true,
    columns: columns.map(([name]) => name),
    record_delimiter: 'windows',
    cast: { string: harmless, object: decimal },
  });
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${filename}"`);
  // Whichever end breaks off, the other is let go: a failed read cuts the answer short instead of leaving it open.
  pipeline(Readable.from(rows()), csv, () => {});
  await reply.send(csv);
}
