/** What documents have in common: harmless text, money and time as payers read them, a merchant's brand, QR codes, PDF. Imports nothing of ours but the kernel. */
export { type Brand, type BrandedMerchant, brandOf } from './brand.ts';
export { readableColor } from './colour.ts';
export { formatAmount, formatDay, formatMoney, formatTime, type Language } from './format.ts';
export { createLastDrawn, type LastDrawn } from './last-drawn.ts';
export { createPdf } from './pdf.ts';

export type { PdfSheet } from './pdf-sheet.ts';

export type { Picture } from './picture.ts';
export { escapeHtml, plain, plainLines } from './plain.ts';
export { qrPng } from './qr.ts';
