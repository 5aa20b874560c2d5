import { createBai2Reader } from './bai2.ts';
import { createCamtReader } from './camt.ts';
import { type CsvMapping, createCsvStatementReader } from './csv.ts';
import { createMt940Reader } from './mt940.ts';
import { createOfxReader } from './ofx.ts';
import type { Format, StatementReader } from './statement.ts';

export { type CsvMapping, findColumns } from './csv.ts';
export { layoutOf } from './csv-layouts.ts';
export { type Entry, FORMATS, type Format, StatementFault, type StatementPart } from './statement.ts';

/** Recognizes the format of a statement by the beginning of its content; its name and its type do not matter. */
export function formatOf(head: string): Format {
  // A SWIFT message may begin with the control character SOH.
  const start = head.replace(/^[\uFEFF\p{Cc}\s]+/u, '');
  const element = start.replace(/^(?:\s+|<\?(?!OFX)[^>]*\?>|<!--[\s\S]*?-->)+/i, '');
  if (/^(?:OFXHEADER\s*:|<\?OFX|<OFX>)/i.test(element)) return 'ofx';
  if (
    /^<(?:\?xml|!DOCTYPE|(?:[\w.-]+:)?Document\b)/i.test(element) ||
    /^<\?xml/i.test(start) ||
    /urn:iso:std:iso:20022:tech:xsd:camt\.053/.test(start)
  )
    return 'camt.053';
  if (/^(?:\{1:F|:20:|:940:|0000 ?)/.test(start) || /(?:^|[\r\n]):(?:25|60F|28C?):/.test(start.slice(0, 2_000))) return 'mt940';
  if (/^01,[^\r\n]*(?:[\r\n]+\s*88,[^\r\n]*)*(?:[\r\n]+|\/)\s*02,/.test(start)) return 'bai2';
  return 'csv';
}

/** Creates the reader of a format. @param mapping required for CSV. */
export function createStatementReader(
  format: Format,
  { exponent, currency }: { readonly exponent: number; readonly currency: string },
  mapping: CsvMapping | null,
): StatementReader {
  if (format === 'ofx') return createOfxReader({ exponent });
  if (format === 'camt.053') return createCamtReader({ exponent });
  if (format === 'mt940') return createMt940Reader({ exponent });
  if (format === 'bai2') return createBai2Reader();
  if (mapping === null) throw new Error('a CSV file needs a mapping');
  return createCsvStatementReader(mapping, { exponent, currency });
}
