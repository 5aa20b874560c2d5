export { rememberSale } from './last-sale.ts';
export { paidWith } from './paid-with.ts';
export { customerOf, paymentFactsText } from './payment-facts.ts';
export { printDocument } from './print.ts';
export { readLastSale } from './read-last-sale.ts';
export { ReceiptDialog } from './receipt-dialog.tsx';
export { receiptOfJob } from './receipt-request.ts';
export { countPrintOfJob, usePrintReceipt, useReceiptWidth } from './use-print-receipt.ts';
export { useReprintLast } from './use-reprint-last.ts';
