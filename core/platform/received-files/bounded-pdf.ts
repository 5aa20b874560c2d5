import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFObjectParser,
  PDFObjectStreamParser,
  PDFRawStream,
  PDFXRefStreamParser,
} from '@cantoo/pdf-lib';
import { FileRefused, LIMITS } from './refusal.ts';

// The PDF library decompresses streams of objects without a limit (Hopding/pdf-lib issue 1777). Its parsers are replaced here by ones that count,
// in the thread that opens files of strangers only.
const parseObject = PDFObjectParser.prototype.parseObject;
const objectStreamParser = PDFObjectStreamParser.forStream;
const referenceStreamParser = PDFXRefStreamParser.forStream;
const FLATE = PDFName.of('FlateDecode');

/** Counts of the file that is opened. The library continues after an error, so the first refusal is kept. */
let opened = { objects: 0, objectBytes: 0, refusal: null as FileRefused | null };

function refuse(message: string): never {
  opened.refusal ??= new FileRefused(message);
  throw opened.refusal;
}

const TOO_MANY_OBJECTS = 'The PDF has too many parts. Print it to a new PDF, and send that one.';
export const TOO_LARGE = 'The PDF unpacks to too many bytes. Print it to a new PDF, and send that one.';

PDFObjectParser.prototype.parseObject = function (reference) {
  opened.objects += 1;
  if (opened.objects > LIMITS.pdfObjects) refuse(TOO_MANY_OBJECTS);
  return parseObject.call(this, reference);
};
PDFObjectStreamParser.forStream = (stream, shouldWait) => objectStreamParser(unpacked(stream), shouldWait);
PDFXRefStreamParser.forStream = (stream) =>
  // The library finds objects by reading the whole file, so the references themselves are not needed.
  Object.assign(referenceStreamParser(withContent(stream, new Uint8Array(0))), { subsections: [] });

/** Returns a stream of objects without its compression. */
function unpacked(stream: PDFRawStream): PDFRawStream {
  const count = stream.dict.lookup(PDFName.of('N'));
  if (count instanceof PDFNumber && count.asNumber() > LIMITS.pdfObjects) refuse(TOO_MANY_OBJECTS);
  const filters = filtersOf(stream);
  if (filters.length > 1 || (filters[0] ?? FLATE) !== FLATE)
    refuse('The PDF has an unknown compression. Print it to a new PDF, and send that one.');
  const rest = LIMITS.pdfObjectBytes - opened.objectBytes;
  const content = filters.length === 0 ? stream.contents : inflate(stream.contents, rest);
  if (content === null || content.length > rest) return refuse(TOO_LARGE);
  opened.objectBytes += content.length;
  return withContent(stream, content);
}

function withContent({ dict }: PDFRawStream, content: Uint8Array): PDFRawStream {
  const plain = dict.clone();
  plain.delete(PDFName.of('Filter'));
  return PDFRawStream.of(plain, content);
}

function filtersOf({ dict }: PDFRawStream): PDFName[] {
  const filter = dict.lookup(PDFName.of('Filter'));
  const filters = filter instanceof PDFArray ? filter.asArray() : [filter];
  return filters.filter((each) => each instanceof PDFName);
}

/** Returns decompressed content, or as much as a damaged stream has; null if it is larger than the limit. */
function inflate(content: Uint8Array, bytesMax: number): Uint8Array | null {
  try {
    return inflateSync(content, { maxOutputLength: Math.max(1, bytesMax), finishFlush: 2 });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? null : new Uint8Array(0);
  }
}

/** Opens a PDF of a stranger. @throws FileRefused if it is damaged, protected, has too many pages, or needs too much. */
export async function openPdf(bytes: Uint8Array, pagesMax: number = LIMITS.pdfPages): Promise<PDFDocument> {
  opened = { objects: 0, objectBytes: 0, refusal: null };
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    if (opened.refusal !== null) throw opened.refusal;
    checkPages(document, pagesMax);
    return document;
  } catch (error) {
    throw opened.refusal ?? (error instanceof FileRefused ? error : unreadable());
  }
}

const unreadable = () => new FileRefused('The file cannot be read. It is damaged or protected by a password.');

/** Counts pages before they are listed: a tree of few nodes that repeat can have any number of pages. */
function checkPages({ catalog }: PDFDocument, pagesMax: number): void {
  let [pages, nodes] = [0, 0];
  catalog.Pages().traverse((node) => {
    nodes += 1;
    if (node.get(PDFName.of('Type')) === PDFName.of('Page')) pages += 1;
    if (pages > pagesMax) throw new FileRefused(`The PDF has more than ${pagesMax} pages. Send the pages that matter only.`);
    if (nodes > LIMITS.pdfObjects) throw new FileRefused(TOO_MANY_OBJECTS);
  });
  if (pages === 0) throw unreadable();
}

/** Checks that no stream unpacks to more than a page needs, for every program that shows it later. @throws FileRefused. */
export function checkStreams(context: PDFContext): void {
  let total = 0;
  for (const [, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue;
    let content: Uint8Array = stream.contents;
    for (const filter of filtersOf(stream)) {
      if (filter !== FLATE) break;
      const next = inflate(content, LIMITS.pdfStreamBytes);
      if (next === null) throw new FileRefused(TOO_LARGE);
      content = next;
      total += next.length;
      if (total > LIMITS.pdfBytes) throw new FileRefused(TOO_LARGE);
    }
  }
}
