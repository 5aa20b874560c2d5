import type { Language } from '#shared/languages';
import { loadFonts, type PDFDocumentClass } from './pdf-fonts.ts';
import { PAGE, penOn } from './pdf-pen.ts';
import { type PdfSheet, sheetOf } from './pdf-sheet.ts';
import { plain } from './plain.ts';

/** Distance of the page number from the text. */
const FOOTER_GAP = 36;

interface PdfOptions {
  readonly title: string;
  readonly author: string;
  readonly language: Language;
  /** Footer of each page. */
  readonly footer: (page: number, pages: number) => string;
}

/**
 * Creates a tagged PDF in letter size with embedded fonts. `draw` writes the sheet synchronously, and once more if fonts of other scripts are needed, which
 * are opened then.
 */
export async function createPdf(options: PdfOptions, draw: (sheet: PdfSheet) => void | Promise<void>): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const first = await writePdf(PDFDocument, options, draw);
  if (first.missing.size === 0 || !(await loadFonts(PDFDocument, first.missing))) return first.file;
  return (await writePdf(PDFDocument, options, draw)).file;
}

async function writePdf(
  PDFDocument: PDFDocumentClass,
  { title, author, language, footer: foot }: PdfOptions,
  draw: (sheet: PdfSheet) => void | Promise<void>,
): Promise<{ readonly file: Buffer; readonly missing: ReadonlySet<number> }> {
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: { Title: plain(title), Author: plain(author), Creator: 'Paydesk', Producer: 'Paydesk' },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  const pen = penOn(doc, PDFDocument);
  await draw(sheetOf(pen));
  const { start, count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(start + page);
    pen.y = PAGE.bottom + FOOTER_GAP;
    const line = pen.printable(foot(page + 1, count));
    pen.asArtifact(
      () => pen.drawLine(line, { size: 8.5, color: 'quiet', align: 'right' }, PAGE.left, PAGE.right - PAGE.left),
      'Pagination',
    );
  }
  doc.end();
  await ended;
  return { file: Buffer.concat(parts), missing: pen.missing };
}
