/**
 * Common parts of documents: sanitized text, formatted money and time, a merchant's brand, QR codes and PDF. Imports only the kernel and the checks of received files.
 */

export { type Brand, type BrandedMerchant, brandOf } from './brand.ts';
export { readableColor } from './color.ts';
export { formatAmount, formatDay, formatMoney, formatTime } from './format.ts';
export type { GeneratedFile } from './generated-file.ts';
export { createPdf } from './pdf.ts';
export type { PdfSheet } from './pdf-sheet.ts';
export { escapeHtml, plain, plainLines } from './plain.ts';
export { qrPng } from './qr.ts';
export { createRenderCache, type RenderCache } from './render-cache.ts';
