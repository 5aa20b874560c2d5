import type { Format } from '#shared/statement-formats';
import type { CsvMapping } from '../records.ts';
import { createBai2Reader } from './bai2.ts';
import { createCamtReader } from './camt.ts';
import { createCsvStatementReader } from './csv.ts';
import { createMt940Reader } from './mt940.ts';
import { createOfxReader } from './ofx.ts';
import type { StatementReader } from './statement.ts';

export { findColumns } from './csv.ts';
export { type Entry, SEVERAL_ACCOUNTS, StatementFault, type StatementPart } from './statement.ts';

/** Creates the reader of a format. @param mapping required for CSV. */
export function createStatementReader(
  format: Format,
  { exponent, currency, number }: { readonly exponent: number; readonly currency: string; readonly number: string | null },
  mapping: CsvMapping | null,
): StatementReader {
  if (format === 'ofx') return createOfxReader({ exponent });
  if (format === 'camt.053') return createCamtReader({ exponent });
  if (format === 'mt940') return createMt940Reader({ exponent });
  if (format === 'bai2') return createBai2Reader();
  if (mapping === null) throw new Error('a CSV file needs a mapping');
  return createCsvStatementReader(mapping, { exponent, currency, number });
}
