export { brandName } from './brand.ts';
export { noteSale } from './last-sale.ts';
export { type OtherPaper, printByDialog, printOther } from './print.ts';
export { ReceiptDialog, type ReceiptDialogProps } from './receipt-dialog.tsx';
export { countOnce, usePrintReceipt } from './use-print-receipt.ts';
export { useReprintLast } from './use-reprint-last.ts';
export { type ReceiptCopy, type WantedReceipt, wantedFrom } from './wanted.ts';
