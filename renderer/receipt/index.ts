export { brandName } from './content.ts';
export { ReceiptDialog, type ReceiptDialogProps } from './receipt-dialog.tsx';
export type { ReceiptCopy, ReceiptRefund, ReceiptTransaction } from './subject.ts';
export { thisPrintLog, usePrintReceipt, type WantedReceipt } from './use-print-receipt.ts';
export { useReprintLast } from './use-reprint-last.ts';
