import { ServiceError } from '#core/kernel';
import { createCsvReader, delimiterOf, type Row } from '#core/platform/csv';
import { foreignReason } from './foreign-formats.ts';

/**
 * Yields the rows of a CSV file that arrives in pieces, all rows of a piece together. The separator is recognized by the first piece. @throws ServiceError
 * VALIDATION_ERROR on `file` for a file in another format.
 */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<Iterable<Row>> {
  let csv: ReturnType<typeof createCsvReader> | null = null;
  for await (const piece of pieces) {
    if (csv === null) {
      const foreign = foreignReason(piece, { names: 'CSV' });
      if (foreign !== null) throw new ServiceError('VALIDATION_ERROR', foreign, { field: 'file' });
      csv = createCsvReader(delimiterOf(piece));
    }
    yield csv.read(piece);
  }
  if (csv !== null) yield csv.end();
}
