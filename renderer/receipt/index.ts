export { brandName } from './brand.ts';
export { noteSale } from './last-sale.ts';
export { sendToPrinter } from './print.ts';
export { ReceiptDialog, type ReceiptDialogProps } from './receipt-dialog.tsx';
export { usePrintReceipt } from './use-print-receipt.ts';
export { useReprintLast } from './use-reprint-last.ts';
export type { ReceiptCopy, WantedReceipt } from './wanted.ts';
