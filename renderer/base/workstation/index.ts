export { AUTO_PRINT, type AutoPrint, DRAWER_LENGTH_MAX, RECEIPT_WIDTHS, type ReceiptWidth, useWorkstation } from './settings.ts';
