import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { checkStreams, openPdf, TOO_LARGE } from './bounded-pdf.ts';
import { checkJpeg, checkPng } from './picture.ts';
import { FileRefused, LIMITS } from './refusal.ts';

const LETTER = [612, 792] as const;
const MARGIN = 36;
/** Height of the strips above and below a page of an attached document, for its exhibit and its page number. */
const STRIP = 28;
const LABEL_SIZE = 9;
const BASELINE = 16;
const GRAY = rgb(0.2, 0.2, 0.2);
const WHITE = rgb(1, 1, 1);

export type DocumentType = 'application/pdf' | 'image/png' | 'image/jpeg';

/** Pages of a received document, in the form that is stored and merged. */
export interface Pages {
  readonly pdf: Uint8Array;
  readonly pages: number;
}

/** Returns the pages of a document. A picture becomes one page. @throws FileRefused. */
export async function readPages(type: DocumentType, content: Buffer): Promise<Pages> {
  const document = await PDFDocument.create({ updateMetadata: false });
  if (type === 'application/pdf') {
    const source = await openPdf(content);
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page);
    checkStreams(document.context);
  } else await addPicture(document, type, content);
  // Without object streams, opening the pages again decompresses nothing.
  const pdf = await document.save({ useObjectStreams: false, addDefaultPage: false });
  if (pdf.length > LIMITS.storedBytes) throw new FileRefused(TOO_LARGE);
  return { pdf, pages: document.getPageCount() };
}

async function addPicture(document: PDFDocument, type: DocumentType, content: Buffer): Promise<void> {
  if (type === 'image/jpeg') checkJpeg(content);
  const picture = await (type === 'image/png' ? document.embedPng(checkPng(content).bytes) : document.embedJpg(content));
  // With the strips, the page has letter size.
  const page = document.addPage([LETTER[0], LETTER[1] - 2 * STRIP]);
  const { width, height } = picture.scaleToFit(LETTER[0] - 2 * MARGIN, LETTER[1] - 4 * MARGIN);
  page.drawImage(picture, { x: MARGIN, y: LETTER[1] - 2 * MARGIN - STRIP - height, width, height });
}

/** A document behind the first one, numbered in the order of the exhibits. */
export interface Exhibit {
  readonly title: string;
  readonly pdf: Uint8Array;
}

/** Adds exhibits behind a document, with the number of the exhibit on each page, and numbers all pages. */
export async function mergePages(first: Uint8Array, exhibits: readonly Exhibit[]): Promise<Pages> {
  // Their pages were counted when they were received.
  const open = (pdf: Uint8Array) => openPdf(pdf, Number.POSITIVE_INFINITY);
  const merged = await open(first);
  const font = await merged.embedFont(StandardFonts.Helvetica);
  const labels = Array.from({ length: merged.getPageCount() }, () => '');
  for (const [index, { title, pdf }] of exhibits.entries()) {
    const source = await open(pdf);
    for (const page of await merged.copyPages(source, source.getPageIndices())) {
      merged.addPage(page);
      addStrips(page);
      labels.push(`Exhibit ${index + 2}: ${title}`);
    }
  }
  for (const [index, page] of merged.getPages().entries())
    writeMargins(page, font, printable(font, labels[index] ?? ''), `Page ${index + 1} of ${labels.length}`);
  return { pdf: await merged.save(), pages: labels.length };
}

/** Returns the text with a question mark for each character that the built-in font does not have. */
function printable(font: PDFFont, text: string): string {
  const known = new Set(font.getCharacterSet());
  return [...text.normalize('NFC')].map((character) => (known.has(character.codePointAt(0) ?? 0) ? character : '?')).join('');
}

const angleOf = (page: PDFPage) => (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270;
const isSideways = (page: PDFPage) => angleOf(page) % 180 === 90;

/** Enlarges a page by white strips above and below, as it is displayed, so that the numbers cover nothing. */
function addStrips(page: PDFPage): void {
  const { x, y, width, height } = page.getCropBox();
  const [dx, dy] = isSideways(page) ? [STRIP, 0] : [0, STRIP];
  page.setMediaBox(x - dx, y - dy, width + 2 * dx, height + 2 * dy);
  page.setCropBox(x - dx, y - dy, width + 2 * dx, height + 2 * dy);
  // A document can have content outside its visible part.
  const strip = isSideways(page) ? { width: STRIP, height } : { width, height: STRIP };
  page.drawRectangle({ x: x - dx, y: y - dy, ...strip, color: WHITE });
  page.drawRectangle({ x: isSideways(page) ? x + width : x, y: isSideways(page) ? y : y + height, ...strip, color: WHITE });
}

/** Writes a text at the top and one at the bottom of a page, as it is displayed. */
function writeMargins(page: PDFPage, font: PDFFont, top: string, bottom: string): void {
  const { x, y, width, height } = page.getCropBox();
  const style = { size: LABEL_SIZE, font, color: GRAY, rotate: degrees(angleOf(page)) };
  const write = (text: string, fromTop: boolean) => {
    const offset = fromTop ? (isSideways(page) ? width : height) - BASELINE : BASELINE;
    const at = {
      0: { x: x + MARGIN, y: y + offset },
      90: { x: x + width - offset, y: y + MARGIN },
      180: { x: x + width - MARGIN, y: y + height - offset },
      270: { x: x + offset, y: y + height - MARGIN },
    }[angleOf(page)];
    page.drawText(text, { ...style, ...at });
  };
  if (top !== '') write(top, true);
  write(bottom, false);
}
