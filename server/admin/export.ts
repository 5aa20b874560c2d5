import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { formatDecimal, type Money } from '#core/kernel';
import type { Transaction } from '#core/payments';

/** A cell that a spreadsheet would carry out begins with one of these. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const COLUMNS: readonly (readonly [string, (transaction: Transaction) => string | Money | null])[] = [
  ['transactionId', (of) => of.transactionId],
  ['createdAt', (of) => of.createdAt],
  ['merchantId', (of) => of.merchantId],
  ['type', (of) => of.type],
  ['status', (of) => of.status],
  ['amount', (of) => of.amount],
  ['currency', (of) => of.currency],
  ['capturedAmount', (of) => of.capturedAmount],
  ['refundedAmount', (of) => of.refundedAmount],
  ['paymentMethod', (of) => of.paymentMethod],
  ['brand', (of) => of.card?.brand ?? null],
  ['last4', (of) => of.card?.last4 ?? of.bankAccount?.last4 ?? null],
  ['authCode', (of) => of.authCode],
  ['declineCode', (of) => of.declineCode],
  ['customerName', (of) => of.customer?.name ?? null],
  ['customerEmail', (of) => of.customer?.email ?? null],
  ['orderId', (of) => of.orderId],
  ['description', (of) => of.description],
  ['processorRef', (of) => of.processorRef],
  ['settlementDate', (of) => of.settlementDate],
];

/** Amounts are numbers and keep their form; only text can be a formula (decisions 9). */
const harmless = (text: string) => (FORMULA_START.test(text) ? `'${text}` : text);
const decimal = (value: object) => formatDecimal(value as Money);

/** Streams transactions as CSV: RFC 4180, UTF-8, header row, any number of rows in bounded memory. */
export async function sendCsv(reply: FastifyReply, filename: string, transactions: AsyncGenerator<Transaction>): Promise<void> {
  // The first row is asked for before the head is sent, so that a bad filter still gets its error.
  const first = await transactions.next();
  async function* rows() {
    for (let next = first; !next.done; next = await transactions.next()) {
      const { value } = next;
      yield COLUMNS.map(([, read]) => read(value));
    }
  }
  const csv = stringify({
    header: true,
    columns: COLUMNS.map(([name]) => name),
    record_delimiter: 'windows',
    cast: { string: harmless, object: decimal },
  });
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${filename}"`);
  // Whichever end breaks off, the other is let go: a failed read cuts the answer short instead of leaving it open.
  pipeline(Readable.from(rows()), csv, () => {});
  await reply.send(csv);
}
