import { brandOf, createPdf, type PdfSheet, readableColor } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import { type ReceiptContent, type ReceiptSubject, receiptContent } from './content.ts';

const WHITE = '#ffffff';
/** Width of the receipt's column, also on wide paper. */
const COLUMN_PT = 320;
const LOGO = { width: 160, height: 48 } as const;
const MARK_COLOR = '#8a1c1c';

/** Returns a receipt as a PDF on letter paper in the merchant's brand. */
export function receiptPdf(subject: ReceiptSubject): Promise<Buffer> {
  const { transaction, refund, merchant } = subject;
  return contentPdf(receiptContent(subject), refund?.refundId ?? transaction.transactionId, merchant);
}

/** Returns the content of a receipt as a PDF; `id` is in its title and footer. */
export function contentPdf(content: ReceiptContent, id: string, merchant: Merchant): Promise<Buffer> {
  const brand = brandOf(merchant);
  const documentOptions = {
    title: `${content.name} ${id}`,
    author: brand.companyName,
    language: content.language,
    footer: (page: number, pages: number) => (pages === 1 ? id : `${id} · ${page}/${pages}`),
  };
  return createPdf(documentOptions, (sheet) => {
    const x = sheet.left + (sheet.width - COLUMN_PT) / 2;
    sheet.band(brand.primaryColor, 8);
    if (brand.logo !== null)
      sheet.picture(brand.logo, { x: x + (COLUMN_PT - LOGO.width) / 2, ...LOGO, alt: brand.companyName, align: 'center' });
    sheet.skip(8);
    writeReceipt(sheet, content, { x, width: COLUMN_PT }, readableColor(brand.primaryColor, WHITE));
  });
}

function writeReceipt(sheet: PdfSheet, content: ReceiptContent, column: { x: number; width: number }, color: string): void {
  const centered = { ...column, align: 'center' } as const;
  for (const mark of content.marks) {
    sheet.stamp(mark, MARK_COLOR, centered);
    sheet.skip(4);
  }
  sheet.text(content.heading, { ...centered, size: 16, font: 'strong', color, tag: 'H1' });
  for (const line of content.headingLines) sheet.text(line, { ...centered, color: 'quiet' });
  sheet.skip(14);
  sheet.text(content.title, { ...centered, size: 12, font: 'strong', tag: 'H2' });
  sheet.skip(4);
  sheet.pairs(content.facts, column);
  sheet.rule(column);
  for (const item of content.items) sheet.text(item, column);
  if (content.lines.length > 0) {
    sheet.pairs(content.lines, column);
    sheet.rule(column);
  }
  sheet.skip(4);
  if (content.amounts.length > 0) sheet.pairs(content.amounts, column);
  sheet.pairs([{ ...content.total, isStrong: true }], { ...column, size: 13 });
  if (content.payments) {
    sheet.skip(4);
    sheet.pairs(content.payments, column);
  }
  sheet.rule(column);
  sheet.skip(8);
  sheet.text(content.copyLine, centered);
  for (const line of content.footer) sheet.text(line, { ...centered, color: 'quiet', size: 9 });
}
