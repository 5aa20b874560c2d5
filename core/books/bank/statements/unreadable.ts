const FORMATS = 'OFX, CAMT.053, MT940, BAI2 or CSV';

/** Beginnings of files that people send by mistake, after decoding, with the reason that they get. */
const KNOWN = [
  ['\u001f\u008b', 'The file is compressed (gzip). Unpack it first.'],
  // The same bytes as Windows-1252.
  ['\u001f\u2039', 'The file is compressed (gzip). Unpack it first.'],
  ['PK\u0003\u0004', 'The file is a ZIP archive or a spreadsheet. Unpack it, or save the spreadsheet as CSV.'],
  ['%PDF-', `The file is a PDF. Download the statement as ${FORMATS}.`],
] as const;
/** Control characters that text may contain: line breaks, tabs, page feeds, the frame of a SWIFT message, and the end of a DOS file. */
const ALLOWED_CONTROLS: ReadonlySet<string> = new Set(['\t', '\n', '\v', '\f', '\r', '\u0001', '\u0003', '\u001a']);

/** Returns the reason for which a file is no statement in text form, by its beginning; null if it is text. */
export function unreadableReason(head: string): string | null {
  for (const [beginning, reason] of KNOWN) if (head.startsWith(beginning)) return reason;
  if (/^\s*<(?:!doctype html|html)/i.test(head)) return `The file is a web page. Download the statement as ${FORMATS}.`;
  const controls = head.slice(0, 4_000).match(/\p{Cc}/gu) ?? [];
  // U+0080 to U+009F are bytes that Windows-1252 does not define; single ones occur in statements.
  const isBinary = controls.some((sign) => sign < '\u0080' && !ALLOWED_CONTROLS.has(sign));
  return isBinary ? `The file is not text. Download the statement as ${FORMATS}.` : null;
}
