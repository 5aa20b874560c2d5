import { formatOf } from '#shared/statement-formats';

/** Beginnings of binary files that people send by mistake, after decoding, with the reason that they get. */
const BINARY: readonly (readonly [string, string])[] = [
  ['\u001f\u008b', 'The file is compressed (gzip). Unpack it first.'],
  // The same bytes as Windows-1252.
  ['\u001f\u2039', 'The file is compressed (gzip). Unpack it first.'],
  ['PK\u0003\u0004', 'The file is a ZIP archive or a spreadsheet. Unpack it, or save the spreadsheet as CSV.'],
  ['\u00d0\u00cf\u0011\u00e0', 'The file is a spreadsheet or a document. Save it as CSV.'],
];
const format = (name: string) => `The file is in the format ${name}.`;
/** Beginnings of files in text formats. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'The file is a PDF.'],
  [/^\{\\rtf/, 'The file is a text document (RTF).'],
  [/^\s*<(?:!doctype html|html)/i, 'The file is a web page.'],
  [/^\s*(?:<\?[^>]*\?>\s*)*<(?:\w+:)?Workbook\b|office:spreadsheet/, 'The file is a spreadsheet (XML). Save it as CSV.'],
  [/urn:iso:std:iso:20022:tech:xsd:pa(?:in|cs)\./, 'The file is a payment order (ISO 20022 pain or pacs), not a report of payments.'],
  [/^\s*!(?:Type|Account|Option)[:^]/i, format('QIF')],
  [/^0000[01]\d{9}05/, format('CODA')],
  [/^11\d{18}\d{12}[12]\d{14}/, format('Norma 43 (AEB43)')],
  [/^0[17]\d{5} {4}\d{5}(?:[A-Z]{3}\d|[A-Z ]{3}[\d ])/, format('CFONB')],
  [/^(?:02RETORNO|\d{3}0000[01 ].{232}[\r\n])/, format('CNAB')],
  [/^074\d{16}/, format('ABO')],
  [/^BEGIN:VCARD/i, format('vCard')],
];
const JSON_START = /^\s*(?:\{\s*"|\[\s*[{[\]"])/;
/** Control characters that text may contain: line breaks, tabs, page feeds, the frame of a SWIFT message, and the end of a DOS file. */
const ALLOWED_CONTROLS: ReadonlySet<string> = new Set(['\t', '\n', '\v', '\f', '\r', '\u0001', '\u0003', '\u001a']);

/** Formats that an import reads. */
interface AcceptedFormats {
  /** Names of the formats, for the reason. */
  readonly names: string;
  readonly hasJson?: boolean;
  /** True for the import of bank statements. */
  readonly hasStatements?: boolean;
  /** True if rows with control characters are reported one by one. */
  readonly hasControls?: boolean;
}

/** Returns the reason for which a file is in none of the formats of an import, by its beginning; null if it may be in one of them. */
export function foreignReason(
  head: string,
  { names, hasJson = false, hasStatements = false, hasControls = false }: AcceptedFormats,
): string | null {
  const start = head.replace(/^\uFEFF/, '');
  const instead = `Send the file as ${names}.`;
  for (const [beginning, reason] of BINARY) if (start.startsWith(beginning)) return `${reason} ${instead}`;
  for (const [beginning, reason] of KNOWN) if (beginning.test(start)) return `${reason} ${instead}`;
  const statement = hasStatements ? 'csv' : formatOf(start);
  if (statement === 'camt.053' && !start.includes('iso:20022')) return `The file is XML. ${instead}`;
  if (statement !== 'csv') return `The file is a bank statement (${statement.toUpperCase()}). ${instead}`;
  if (!hasJson && JSON_START.test(start)) return `The file is JSON. ${instead}`;
  if (hasControls) return null;
  const controls = start.slice(0, 4_000).match(/\p{Cc}/gu) ?? [];
  // U+0080 to U+009F are bytes that Windows-1252 does not define; single ones occur in text.
  const isBinary = controls.some((sign) => sign < '\u0080' && !ALLOWED_CONTROLS.has(sign));
  return isBinary ? `The file is not text. ${instead}` : null;
}
