/** Formats that are recognized by their content. A file of any other content is CSV. */
export const FORMATS = ['ofx', 'camt.053', 'mt940', 'bai2', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

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
