export { brandName } from './brand.ts';
export { noteSale } from './last-sale.ts';
export { printOther } from './print.ts';
export { ReceiptDialog } from './receipt-dialog.tsx';
export { countOnce, usePrintReceipt } from './use-print-receipt.ts';
export { useReprintLast } from './use-reprint-last.ts';
export { wantedFrom } from './wanted.ts';
