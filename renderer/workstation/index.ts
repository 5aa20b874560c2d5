export { AUTO_PRINT, type AutoPrint, RECEIPT_WIDTHS, type ReceiptWidth, useWorkstation } from './settings.ts';
